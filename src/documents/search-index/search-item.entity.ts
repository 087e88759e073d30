import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/** An indexed item. When it is indexed again it gets a new row with a new ordinal. */
@Entity()
@Unique('search_item_item', ['companyId', 'itemId'])
@Index('search_item_group', ['companyId', 'groupId'], { where: 'group_id IS NOT NULL' })
@ForeignKey('SearchScopeRow', ['companyId', 'scopeId'], ['companyId', 'id'], {
  name: 'search_item_scope_fkey',
  onDelete: 'CASCADE',
})
export class SearchItem {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'search_item_pkey' })
  companyId!: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'search_item_pkey' })
  scopeId!: number;

  /** Ascending in the order of insertion. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'search_item_pkey' })
  ordinal!: number;

  @Column('uuid')
  itemId!: string;

  @Column('uuid', { nullable: true })
  groupId!: string | null;

  /** In terms. */
  @Column('integer')
  length!: number;
}
