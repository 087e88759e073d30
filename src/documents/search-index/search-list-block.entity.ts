import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

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
