import { Injectable } from '@nestjs/common';
import { contentWordsOf } from '@palabre/lexical';

import { isId } from '../../common/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { operation } from '../../platform/tracing/semantic-names.js';
import { type Attributes, inSpan } from '../../platform/tracing/span.js';
import { SearchIndex } from '../search-index/search-index.service.js';
import type { PreparedQuery } from '../search-index/search.js';
import { passageScope, passageScopeOf, searchedText } from '../passages/passage-index.service.js';
import { spread } from './diversity.js';
import type { FoundPassage, FoundPassages } from './found-passage.js';
import { FoundPassageRepository } from './found-passage.repository.js';
import { joinNeighbours, type JoinedPassage, type RankedPassage } from './joining.js';
import { hasAny, hasMost, wordsOf } from './named-words.js';
import { faintOf, relevantOf } from './relevance.js';

interface DocumentQuery {
  query: string;
  limit: number;
  /** Restricts the search to these documents of the company. Null: all. Unknown ones have no passages. */
  documentIds: readonly string[] | null;
  /** The member's attachments to the conversation, which are searched too. Default: none. */
  attached?: { memberId: string; documentIds: readonly string[] };
}

/** Hits to read for each requested passage, because some are joined and some exceed a document's share. */
const HITS_EACH = 4;
const LEAST_HITS = 40;
const MAX_HITS = 1000;

interface Asked extends Omit<DocumentQuery, 'query' | 'attached'> {
  query: PreparedQuery;
  attached: NonNullable<DocumentQuery['attached']> | null;
  /** The words of the query that carry its meaning. */
  telling: string;
}

/** Finds the passages of a company's documents that answer a question. */
@Injectable()
export class DocumentSearch {
  constructor(
    private readonly database: Database,
    private readonly index: SearchIndex,
    private readonly passages: FoundPassageRepository,
  ) {}

  /**
   * Searches by words, and by meaning if there is an embedder. `warning`: the embedder is unavailable. Not to be
   * called inside a transaction. Rejects with the signal's reason.
   */
  search(companyId: string, asked: DocumentQuery, signal: AbortSignal): Promise<FoundPassages> {
    const attributes: Attributes = {
      operation: operation.retrieval,
      dataSource: 'documents',
      topK: asked.limit,
    };
    return inSpan(
      `${operation.retrieval} documents`,
      () => ({ attributes }),
      (span) => {
        span?.setContent('queryText', () => asked.query);
        return this.searchFor(companyId, asked, signal);
      },
    );
  }

  private async searchFor(
    companyId: string,
    { query, limit, documentIds, attached }: DocumentQuery,
    signal: AbortSignal,
  ): Promise<FoundPassages> {
    const prepared = await this.index.prepare(query, signal);
    const asked = {
      query: prepared,
      telling: contentWordsOf(query),
      limit,
      documentIds: documentIds?.filter(isId) ?? null,
      attached: attached && attached.documentIds.length > 0 ? attached : null,
    };
    const passages = await this.database.read(companyId, (tx) => this.find(tx, asked));
    return { passages, warning: prepared.warning };
  }

  private async find(
    tx: Transaction,
    { query, telling, limit, documentIds, attached }: Asked,
  ): Promise<FoundPassage[]> {
    const attachedIds = attached?.documentIds ?? [];
    const groupIds = documentIds && (await this.passages.listContentIds(tx, documentIds, attachedIds));
    if (groupIds?.length === 0) return [];
    // The scope also has the member's other attachments, which are dropped when the hits are read.
    const scopes = attached ? [passageScope, passageScopeOf(attached.memberId)] : [passageScope];
    const request = { scopes, ...(groupIds && { groupIds }) };
    for (let most = Math.max(LEAST_HITS, HITS_EACH * limit); ; most = Math.min(MAX_HITS, most * 8)) {
      const { hits, asked, covering } = await this.index.search(tx, query, { ...request, limit: most });
      const clear = relevantOf(hits, asked);
      const relevant = clear.length > 0 ? clear : faintOf(hits);
      const ids = relevant.map(({ id }) => id);
      const read = ids.length === 0 ? [] : await this.passages.list(tx, ids, documentIds, attachedIds);
      // A document that is still being read is in the index already, and may be the only hit.
      const isShort = read.length < limit && read.length < ids.length;
      if (isShort && hits.length === most && most < MAX_HITS) continue;
      const byId = new Map(read.map((passage) => [passage.id, passage]));
      const ranked = relevant.flatMap(({ id, ...hit }) => {
        const passage = byId.get(id);
        return passage ? [{ ...passage, ...hit }] : [];
      });
      const words = wordsOf(telling);
      const isMeant = (passage: RankedPassage) => hasMost(searchedText(passage), words);
      return chosenOf(clear.length > 0 ? onTopic(ranked, words, covering) : ranked.filter(isMeant), limit);
    }
  }
}

/**
 * Drops all hits by words, unless one passage has a word of the query, not only a similar one, and covers more of the
 * query than chance. Question words do not count here, because they find anything. Hits by meaning stay.
 */
function onTopic(
  ranked: readonly RankedPassage[],
  words: readonly string[],
  covering: ReadonlySet<string>,
): readonly RankedPassage[] {
  const isAnswered = ranked.some(
    (passage) => covering.has(passage.id) && hasAny(searchedText(passage), words),
  );
  return isAnswered ? ranked : ranked.filter(({ isAlike }) => isAlike);
}

function chosenOf(ranked: readonly RankedPassage[], limit: number): FoundPassage[] {
  const joined = joinNeighbours(ranked).map((each) => ({
    ...each,
    documentId: each.best.documentId,
    relevance: each.best.relevance,
  }));
  let score = 1;
  return spread(joined, limit).map((each) => {
    score = Math.min(score, each.relevance);
    return foundOf(each, score);
  });
}

function foundOf({ best, text, pageBreaks }: JoinedPassage, score: number): FoundPassage {
  return {
    id: best.id,
    documentId: best.documentId,
    documentName: best.documentName,
    page: best.page,
    pageBreaks: pageBreaks.length === 1 ? [] : pageBreaks,
    headings: best.headings,
    language: best.language,
    text,
    score,
  };
}
