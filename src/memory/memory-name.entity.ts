import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A key by which a project or contact in force is found when a message names it. */
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

  /** Made by `keysOf` in mentions/name-keys.ts. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'memory_name_pkey' })
  key!: string;

  /** The owner of the memory; null: the whole company. */
  @Column('uuid', { nullable: true })
  ownerId!: string | null;
}
