import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { CompanyRow } from '../platform/database/rows.js';

/** A row is locked while its memories are changed. It counts those in force: counting 100,000 rows takes a while. */
@Entity()
@ForeignKey('Member', ['companyId', 'ownerId'], ['companyId', 'id'], {
  name: 'memory_owner_member_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class MemoryOwner extends CompanyRow {
  /** The member's id, or the company's: a primary key cannot hold null. */
  @PrimaryColumn('uuid')
  holderId!: string;

  /** The owner as memories store it: null for the whole company. */
  @Column('uuid', { nullable: true })
  ownerId!: string | null;

  @Column('int', { default: 0 })
  inForce!: number;

  /** When something was last forgotten. What was said before that is not learned from any more. Null: nothing was. */
  @Column('timestamptz', { nullable: true })
  forgottenAt!: Date | null;
}
