import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

import type { JsonObject } from '../common/json.js';
import type { SearchCollection } from './search.js';

/** What is searched together: see SearchScope. There is none before its first item. */
@Entity('search_scope')
@Index('search_scope_owned', ['companyId', 'collection', 'ownerId'], {
  unique: true,
  where: 'owner_id IS NOT NULL',
})
@Index('search_scope_shared', ['companyId', 'collection'], { unique: true, where: 'owner_id IS NULL' })
@ForeignKey('Member', ['companyId', 'ownerId'], ['companyId', 'id'], {
  name: 'search_scope_owner_fkey',
  onDelete: 'CASCADE',
})
export class SearchScopeRow {
  @ForeignKey('Company', { name: 'search_scope_company_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'search_scope_pkey' })
  companyId!: string;

  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'search_scope_pkey',
  })
  id!: number;

  @Column('text')
  collection!: SearchCollection;

  @Column('uuid', { nullable: true })
  ownerId!: string | null;

  /** Goes up whenever something is put in or taken out. */
  @Column('bigint', { default: 1 })
  version!: string;

  @Column('integer', { default: 0 })
  itemCount!: number;

  /** Of all items, in terms. */
  @Column('bigint', { default: 0 })
  totalLength!: string;

  /** Of the items that are not in the lists yet. */
  @Column('bigint', { default: 0 })
  tailLength!: string;

  /** What the next item gets: an ordinal is never given twice. */
  @Column('integer', { default: 1 })
  nextOrdinal!: number;

  /** Items with ordinals below it are in the lists. */
  @Column('integer', { default: 1 })
  indexedUntil!: number;

  /** The average length when the first items went into the lists, which their impacts are reckoned by; 0: none did. */
  @Column('real', { default: 0 })
  usualLength!: number;

  /** How many items are in the lists and gone. */
  @Column('integer', { default: 0 })
  deadCount!: number;

  /** How far the compaction that is under way has come; null: none is. */
  @Column('jsonb', { nullable: true })
  compaction!: JsonObject | null;
}
