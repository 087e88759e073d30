import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/**
 * Whoever has memories: a member, or the whole company. Held while these are changed, so that of what is written at the
 * same time each takes the place of the one before; and keeps count, for counting 100,000 takes a while.
 */
@Entity()
@ForeignKey('Member', ['companyId', 'ownerId'], ['companyId', 'id'], {
  name: 'memory_owner_member_fkey',
  onDelete: 'CASCADE',
})
export class MemoryOwner {
  @ForeignKey('Company', { name: 'memory_owner_company_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'memory_owner_pkey' })
  companyId!: string;

  /** The member's id, or the company's: a null cannot stand in a primary key. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'memory_owner_pkey' })
  holderId!: string;

  /** As in the memories: null for the whole company. */
  @Column('uuid', { nullable: true })
  ownerId!: string | null;

  /** How many of the memories are in force. */
  @Column('int', { default: 0 })
  inForce!: number;
}
