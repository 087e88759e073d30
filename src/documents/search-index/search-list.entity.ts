import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { CompanyRow } from '../../platform/database/rows.entity.js';

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
