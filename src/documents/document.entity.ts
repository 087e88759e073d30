import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A file that somebody gave to the company under a name. What is in it is its content, which others may share. */
@Entity()
@Index('document_of_content', ['companyId', 'contentId'])
@Index('document_member', ['companyId', 'memberId', 'id'])
// Those whose bytes never come are looked for over all companies.
@Index('document_awaited', ['createdAt'], { where: `"content_id" IS NULL AND "upload_error" IS NULL` })
@ForeignKey('DocumentContent', ['companyId', 'contentId'], ['companyId', 'id'], {
  name: 'document_content_fkey',
})
export class Document {
  @ForeignKey('Company', { name: 'document_company_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'document_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'document_pkey' })
  id!: string;

  /** Who uploaded it; nobody once that member is gone. Without a foreign key: the document stays the company's. */
  @Column('uuid')
  memberId!: string;

  /** As whoever uploaded it called it, with its extension. */
  @Column('text')
  name!: string;

  /** As it was announced. */
  @Column('text')
  mediaType!: string;

  /** As it was announced. */
  @Column('integer')
  bytes!: number;

  /** Null until its bytes have come. */
  @Column('uuid', { nullable: true })
  contentId!: string | null;

  /** Why its bytes never came, for people; null: they have come, or are still waited for. */
  @Column('text', { nullable: true })
  uploadError!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
