import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { JsonObject } from '@palabre/json';

import type { SearchCollection } from './search.js';
import { CompanyRow } from '../../platform/database/rows.js';

/** Items that are searched together: see SearchScope. Created with its first item. */
@Entity('search_scope')
@Index('search_scope_owned', ['companyId', 'collection', 'ownerId'], {
  unique: true,
  where: 'owner_id IS NOT NULL',
})
@Index('search_scope_shared', ['companyId', 'collection'], { unique: true, where: 'owner_id IS NULL' })
@ForeignKey('Member', ['companyId', 'ownerId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class SearchScopeRow extends CompanyRow {
  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'ALWAYS',
  })
  id!: number;

  @Column('text')
  collection!: SearchCollection;

  @Column('uuid', { nullable: true })
  ownerId!: string | null;

  /** Incremented with every change. */
  @Column('bigint', { default: 1 })
  version!: string;

  @Column('integer', { default: 0 })
  itemCount!: number;

  /** The total length of all items, in terms. */
  @Column('bigint', { default: 0 })
  totalLength!: string;

  /** The total length of the items that are not listed yet, in terms. */
  @Column('bigint', { default: 0 })
  tailLength!: string;

  /** The ordinal of the next item; never reused. */
  @Column('integer', { default: 1 })
  nextOrdinal!: number;

  /** Items with ordinals below it are in the lists. */
  @Column('integer', { default: 1 })
  indexedUntil!: number;

  /** The average length when the first items were listed, by which all impacts are computed; 0: none were listed. */
  @Column('real', { default: 0 })
  usualLength!: number;

  /** Deleted items that are still in the lists. */
  @Column('integer', { default: 0 })
  deadCount!: number;

  /** The progress of a compaction under way; null: there is none. */
  @Column('jsonb', { nullable: true })
  compaction!: JsonObject | null;
}
