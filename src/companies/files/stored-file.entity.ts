import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { CreatedRow } from '../../platform/database/rows.js';

/** What a file is: a report that a skill wrote, or a member's data. */
export const storedFileKinds = ['REPORT', 'EXPORT'] as const;
export type StoredFileKind = (typeof storedFileKinds)[number];

/** A file that belongs to a member. Its bytes are in the file storage. */
@Entity()
@Index('stored_file_member', ['companyId', 'memberId', 'id'])
@Index('stored_file_turn', ['companyId', 'turnId', 'id'], { where: `"turn_id" IS NOT NULL` })
@ForeignKey('Member', ['companyId', 'memberId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class StoredFile extends CreatedRow {
  @Column('uuid')
  memberId!: string;

  @Column('text')
  kind!: StoredFileKind;

  /** The name for saving it, with its extension. */
  @Column('text')
  name!: string;

  @Column('text')
  mediaType!: string;

  @Column('integer')
  bytes!: number;

  /** In hexadecimal digits. */
  @Column('text')
  sha256!: string;

  @Column('text')
  storageKey!: string;

  /** The turn that made it. The turn may be deleted by now. */
  @Column('uuid', { nullable: true })
  turnId!: string | null;
}
