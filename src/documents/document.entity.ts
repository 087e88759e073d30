import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { CreatedRow } from '../platform/database/rows.entity.js';

/** A file that was uploaded under a name. Documents with the same bytes share one content. */
@Entity()
@Index('document_of_content', ['companyId', 'contentId'])
@Index('document_member', ['companyId', 'memberId', 'id'])
// For finding documents of all companies whose bytes never arrived.
@Index('document_awaited', ['createdAt'], { where: `"content_id" IS NULL AND "upload_error" IS NULL` })
@ForeignKey('DocumentContent', ['companyId', 'contentId'], ['companyId', 'id'])
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class Document extends CreatedRow {
  /** The uploader; NOBODY after that member was removed. No foreign key, as the document outlives the member. */
  @Column('uuid')
  memberId!: string;

  /** The file name given by the uploader, with its extension. */
  @Column('text')
  name!: string;

  /** As announced. */
  @Column('text')
  mediaType!: string;

  /** As announced; the real size once the bytes have arrived. */
  @Column('integer')
  bytes!: number;

  /** Null until its bytes have arrived. */
  @Column('uuid', { nullable: true })
  contentId!: string | null;

  /** Why its bytes never arrived, shown to people; null: they have arrived or are still expected. */
  @Column('text', { nullable: true })
  uploadError!: string | null;
}
