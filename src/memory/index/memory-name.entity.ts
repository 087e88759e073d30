import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** By which a project or a contact that is in force is looked up when a message may name it. */
@Entity()
@Index('memory_name_key', ['companyId', 'ownerId', 'key', 'memoryId'])
@ForeignKey('Memory', ['companyId', 'memoryId'], ['companyId', 'id'], {
  name: 'memory_name_memory_fkey',
  onDelete: 'CASCADE',
})
export class MemoryName {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'memory_name_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'memory_name_pkey' })
  memoryId!: string;

  /** As `keysOf` in mentions/name-keys.ts makes it. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'memory_name_pkey' })
  key!: string;

  /** The memory's; null: the whole company's. */
  @Column('uuid', { nullable: true })
  ownerId!: string | null;
}
