import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { DocumentContent } from '../document-content.entity.js';
import { IdentifiedRow } from '../../platform/database/rows.entity.js';

/** The start of a page within a text. `offset`: in UTF-16 code units. */
export interface PageBreak {
  offset: number;
  page: number | null;
}

/** A piece of a document's text: the unit of search and citation. */
@Entity()
@Index('passage_order', ['companyId', 'contentId', 'ordinal'], { unique: true })
@ForeignKey(() => DocumentContent, ['companyId', 'contentId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class Passage extends IdentifiedRow {
  @Column('uuid')
  contentId!: string;

  /** From 0, in the order of the document. */
  @Column('integer')
  ordinal!: number;

  /** Its first page, from 1; null: the document has no pages. */
  @Column('integer', { nullable: true })
  page!: number | null;

  /** Where its further pages begin. */
  @Column('jsonb', { default: [] })
  pageBreaks!: PageBreak[];

  /** The headings above it, outermost first. */
  @Column('text', { array: true, default: [] })
  headings!: string[];

  /** In UTF-16 code units of the document's whole text. Passages may overlap. */
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

/** A passage that is not stored yet. */
export type CutPassage = Pick<
  Passage,
  | 'ordinal'
  | 'page'
  | 'pageBreaks'
  | 'headings'
  | 'startOffset'
  | 'endOffset'
  | 'tokens'
  | 'language'
  | 'text'
>;
