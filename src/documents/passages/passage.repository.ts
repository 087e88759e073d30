import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { CutPassage, PageBreak } from '@palabre/passages';
import { Injectable } from '@nestjs/common';

import { DocumentContent } from '../document-content.repository.js';
import { IdentifiedRow } from '../../platform/database/rows.js';
import type { Transaction } from '../../platform/database/transaction.js';

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

type NewPassage = Omit<Passage, 'companyId' | 'contentId'>;

@Injectable()
export class PassageRepository {
  /** Inserts in one statement; pass at most some hundreds at a time. */
  async insert(tx: Transaction, contentId: string, passages: readonly NewPassage[]): Promise<void> {
    const column = <Value>(valueOf: (passage: NewPassage) => Value): Value[] => passages.map(valueOf);
    await tx.query(
      `INSERT INTO passage (company_id, content_id, id, ordinal, page, headings, start_offset, end_offset, tokens, language, text, page_breaks)
       SELECT $1, $2, cut.id, cut.ordinal, cut.page, ARRAY(SELECT jsonb_array_elements_text(cut.headings)),
         cut.start_offset, cut.end_offset, cut.tokens, cut.language, cut.text, cut.page_breaks
       FROM unnest($3::uuid[], $4::int[], $5::int[], $6::jsonb[], $7::int[], $8::int[], $9::int[], $10::text[], $11::text[], $12::jsonb[])
         AS cut (id, ordinal, page, headings, start_offset, end_offset, tokens, language, text, page_breaks)`,
      [
        tx.companyId,
        contentId,
        column(({ id }) => id),
        column(({ ordinal }) => ordinal),
        column(({ page }) => page),
        // As JSON: nested arrays of PostgreSQL must all have the same length.
        column(({ headings }) => JSON.stringify(headings)),
        column(({ startOffset }) => startOffset),
        column(({ endOffset }) => endOffset),
        column(({ tokens }) => tokens),
        column(({ language }) => language),
        column(({ text }) => text),
        column(({ pageBreaks }) => JSON.stringify(pageBreaks)),
      ],
    );
  }

  async removeContent(tx: Transaction, contentId: string): Promise<void> {
    await tx.delete(Passage, { contentId });
  }

  /** In the order of the document. */
  list(tx: Transaction, contentId: string, fromOrdinal: number, limit: number): Promise<Passage[]> {
    return tx.select(
      Passage,
      'company_id = $1 AND content_id = $2 AND ordinal >= $3 ORDER BY ordinal LIMIT $4',
      [tx.companyId, contentId, fromOrdinal, limit],
    );
  }

  /**
   * The texts that passages are indexed by. The lateral join forces a lookup per id; without statistics the planner would
   * read all of the company's passages.
   */
  listTexts(tx: Transaction, ids: readonly string[]): Promise<Pick<Passage, 'id' | 'headings' | 'text'>[]> {
    return tx.query(
      `SELECT found.id, found.headings, found.text FROM unnest($2::uuid[]) AS wanted (id)
       CROSS JOIN LATERAL (
         SELECT id, headings, text FROM passage WHERE company_id = $1 AND id = wanted.id OFFSET 0) AS found`,
      [tx.companyId, ids],
    );
  }
}
