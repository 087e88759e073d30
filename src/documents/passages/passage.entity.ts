import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { CutPassage, PageBreak } from '@palabre/passages';

import { DocumentContent } from '../document-content.entity.js';
import { IdentifiedRow } from '../../platform/database/rows.entity.js';

/** A piece of a document's text: the unit of search and citation. */
@Entity()
@Index('passage_order', ['companyId', 'contentId', 'ordinal'], { unique: true })
@ForeignKey(() => DocumentContent, ['companyId', 'contentId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class Passage extends IdentifiedRow implements CutPassage {
  @Column('uuid')
  contentId!: string;

  @Column('integer')
  ordinal!: number;

  @Column('integer', { nullable: true })
  page!: number | null;

  @Column('jsonb', { default: [] })
  pageBreaks!: PageBreak[];

  @Column('text', { array: true, default: [] })
  headings!: string[];

  @Column('integer')
  startOffset!: number;

  @Column('integer')
  endOffset!: number;

  @Column('integer')
  tokens!: number;

  @Column('text', { nullable: true })
  language!: string | null;

  @Column('text')
  text!: string;
}
