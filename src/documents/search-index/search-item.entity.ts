import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

import { CompanyRow } from '../../platform/database/rows.js';

/** An indexed item. When it is indexed again it gets a new row with a new ordinal. */
@Entity()
@Unique('search_item_item', ['companyId', 'itemId'])
@Index('search_item_group', ['companyId', 'groupId'], { where: 'group_id IS NOT NULL' })
@ForeignKey('SearchScopeRow', ['companyId', 'scopeId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class SearchItem extends CompanyRow {
  @PrimaryColumn('integer')
  scopeId!: number;

  /** Ascending in the order of insertion. */
  @PrimaryColumn('integer')
  ordinal!: number;

  @Column('uuid')
  itemId!: string;

  @Column('uuid', { nullable: true })
  groupId!: string | null;

  /** In terms. */
  @Column('integer')
  length!: number;
}
