import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { CompanyRow } from '../../platform/database/rows.js';

/** The inverted list of a term in a scope: see lexical/postings.ts. Older parts of long lists are SearchListParts. */
@Entity()
@ForeignKey('SearchScopeRow', ['companyId', 'scopeId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class SearchList extends CompanyRow {
  @PrimaryColumn('integer')
  scopeId!: number;

  /** The hash of the term. */
  @PrimaryColumn('integer')
  term!: number;

  /** Document frequency: the number of items in the whole list. */
  @Column('integer')
  df!: number;

  /** The first ordinal in `data`; meaningless while that is empty. */
  @Column('integer')
  firstOrdinal!: number;

  /** The end of the list, to which new items are appended. */
  @Column('bytea')
  data!: Buffer;
}

/** A part of a long list that is not appended to any more. */
@Entity()
@ForeignKey('SearchScopeRow', ['companyId', 'scopeId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class SearchListPart extends CompanyRow {
  @PrimaryColumn('integer')
  scopeId!: number;

  /** The hash of the term. */
  @PrimaryColumn('integer')
  term!: number;

  @PrimaryColumn('integer')
  firstOrdinal!: number;

  @Column('bytea')
  data!: Buffer;
}

/** The short lists of neighbouring terms: see lists/list-blocks.ts. A term has a list here or a SearchList, never both. */
@Entity()
@ForeignKey('SearchScopeRow', ['companyId', 'scopeId'], ['companyId', 'id'], {
  name: 'search_list_block_scope_fkey',
  onDelete: 'CASCADE',
})
export class SearchListBlock {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'search_list_block_pkey' })
  companyId!: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'search_list_block_pkey' })
  scopeId!: number;

  /** The first hash of a term that belongs here; the last is the one before the next block. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'search_list_block_pkey' })
  firstTerm!: number;

  @Column('bytea')
  data!: Buffer;
}
