import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { DocumentContent } from '../document-content.entity.js';

/** Where a page begins in a text. `offset`: in its UTF-16 units. */
export interface PageBreak {
  offset: number;
  page: number | null;
}

/** A piece of a document's text, as it is searched and cited. */
@Entity()
@Index('passage_order', ['companyId', 'contentId', 'ordinal'], { unique: true })
@ForeignKey(() => DocumentContent, ['companyId', 'contentId'], ['companyId', 'id'], {
  name: 'passage_content_fkey',
  onDelete: 'CASCADE',
})
export class Passage {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'passage_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'passage_pkey' })
  id!: string;

  @Column('uuid')
  contentId!: string;

  /** From 0, in the order of the document. */
  @Column('integer')
  ordinal!: number;

  /** From 1; null: the document has no pages. Of a passage over several pages the first. */
  @Column('integer', { nullable: true })
  page!: number | null;

  /** Of a passage over several pages: where in its text the later ones begin. */
  @Column('jsonb', { default: [] })
  pageBreaks!: PageBreak[];

  /** The headings that it stands below, the outermost first. */
  @Column('text', { array: true, default: [] })
  headings!: string[];

  /** In UTF-16 units of the document's whole text. The next passage may begin before this one ends. */
  @Column('integer')
  startOffset!: number;

  @Column('integer')
  endOffset!: number;

  @Column('integer')
  tokens!: number;

  /** BCP 47; null: unknown. */
  @Column('text', { nullable: true })
  language!: string | null;

  /** Markdown. */
  @Column('text')
  text!: string;
}
