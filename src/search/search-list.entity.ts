import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** In which items of a scope a term is: see lexical/postings.ts. The older parts of a long list are SearchListPart. */
@Entity()
@ForeignKey('SearchScopeRow', ['companyId', 'scopeId'], ['companyId', 'id'], {
  name: 'search_list_scope_fkey',
  onDelete: 'CASCADE',
})
export class SearchList {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'search_list_pkey' })
  companyId!: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'search_list_pkey' })
  scopeId!: number;

  /** Its hash. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'search_list_pkey' })
  term!: number;

  /** How many items the whole list has. */
  @Column('integer')
  df!: number;

  /** Of `data`; means nothing while that is empty. */
  @Column('integer')
  firstOrdinal!: number;

  /** The end of the list, which new items are appended to. */
  @Column('bytea')
  data!: Buffer;
}
