import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { CompanyRow } from '../platform/database/rows.entity.js';

/** A key by which a project or contact in force is found when a message names it. */
@Entity()
@Index('memory_name_key', ['companyId', 'ownerId', 'key', 'memoryId'])
@ForeignKey('Memory', ['companyId', 'memoryId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class MemoryName extends CompanyRow {
  @PrimaryColumn('uuid')
  memoryId!: string;

  /** Made by `keysOf` of @palabre/names. */
  @PrimaryColumn('text')
  key!: string;

  /** The owner of the memory; null: the whole company. */
  @Column('uuid', { nullable: true })
  ownerId!: string | null;
}
