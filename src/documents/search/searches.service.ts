import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { withPlainTables } from '@palabre/text';

import type { Viewer } from '../../companies/auth/viewer.js';
import { checkInput } from '../../common/check-input.js';
import { Database } from '../../platform/database/database.js';
import { DocumentsService } from '../documents.service.js';
import type { DocumentView } from '../document-view.js';
import { DocumentSearch } from './document-search.service.js';
import type { FoundPassage } from './found-passage.js';
import { wellFormed } from '../../common/well-formed.js';

export const DEFAULT_FIRST = 5;
export const MAX_FIRST = 50;
export const MAX_QUERY_CHARACTERS = 1000;

/** The time limit of a search. The embedder has a shorter one, after which only words count. */
const LONGEST_MS = 10_000;

const tooMany = `A search gives 1 to ${MAX_FIRST} passages.`;
const Asked = z.object({
  query: z
    .string()
    .max(MAX_QUERY_CHARACTERS, `A query has at most ${MAX_QUERY_CHARACTERS} characters.`)
    .transform(wellFormed)
    .refine((query) => query.trim() !== '', 'A query must not be empty.'),
  first: z
    .int()
    .min(1, tooMany)
    .max(MAX_FIRST, tooMany)
    .nullish()
    .transform((first) => first ?? DEFAULT_FIRST),
});

export interface ShownPassage extends Omit<FoundPassage, 'pageBreaks'> {
  document: DocumentView;
  query: string;
}

/** Members' searches in their company's documents. */
@Injectable()
export class Searches {
  constructor(
    private readonly database: Database,
    private readonly search: DocumentSearch,
    private readonly documents: DocumentsService,
  ) {}

  /** The best first. Rejects with BAD_USER_INPUT. */
  async find({ companyId }: Viewer, asked: unknown): Promise<ShownPassage[]> {
    const { query, first: limit } = checkInput(Asked, asked, []);
    const signal = AbortSignal.timeout(LONGEST_MS);
    const { passages } = await this.search.search(companyId, { query, limit, documentIds: null }, signal);
    if (passages.length === 0) return [];
    const ids = [...new Set(passages.map(({ documentId }) => documentId))];
    const views = await this.database.read(companyId, (tx) => this.documents.findMany(tx, ids));
    const byId = new Map(views.map((view) => [view.id, view]));
    // A document may have been deleted meanwhile.
    return passages.flatMap((passage) => {
      const document = byId.get(passage.documentId);
      return document ? [{ ...passage, text: withPlainTables(passage.text), document, query }] : [];
    });
  }
}
