import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A part of a long list that is not appended to any more. */
@Entity()
@ForeignKey('SearchScopeRow', ['companyId', 'scopeId'], ['companyId', 'id'], {
  name: 'search_list_part_scope_fkey',
  onDelete: 'CASCADE',
})
export class SearchListPart {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'search_list_part_pkey' })
  companyId!: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'search_list_part_pkey' })
  scopeId!: number;

  /** The hash of the term. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'search_list_part_pkey' })
  term!: number;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'search_list_part_pkey' })
  firstOrdinal!: number;

  @Column('bytea')
  data!: Buffer;
}
