import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { CompanyRow } from '../../platform/database/rows.entity.js';

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
