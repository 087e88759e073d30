import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { line } from '@palabre/text';

import { checkInput } from '../../common/check-input.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { hasAny, wordsOf } from '../../documents/search/named-words.js';
import { SearchIndex } from '../../documents/search-index/search-index.service.js';
import { awaitAll, type Transaction } from '../../platform/database/transaction.js';
import { Database } from '../../platform/database/database.js';
import { messageScopeOf, searchedText } from '../message-index.service.js';
import { type Message, MessageRepository } from '../message.repository.js';
import { MessagePathRepository } from '../message-path.repository.js';
import { markedExcerpt } from './marked-excerpt.js';
import { RecallRepository } from './recall.repository.js';

export const MAX_QUERY_CHARACTERS = 200;
export const MAX_FOUND = 50;

/** The most hits of the index that are examined. */
const CANDIDATES = 150;

/** The most messages that are searched without an index, the newest first. */
const MAX_UNINDEXED = 2_000;
const AT_A_TIME = 50;

const Search = z.object({
  query: line(MAX_QUERY_CHARACTERS),
  first: z.int().min(1, 'This must be at least 1.').max(MAX_FOUND, `This must be at most ${MAX_FOUND}.`),
});

interface FoundMessage {
  id: string;
  conversationId: string;
  /** The share of the query's words that it has: above 0, up to 1. */
  score: number;
}

export interface MessageHit {
  message: Message;
  excerpt: string;
  score: number;
  /** Whether it is on the shown path of its conversation. */
  shown: boolean;
}

/** Finds messages by words in a member's own conversations, on all their branches. */
@Injectable()
export class MessageSearch {
  constructor(
    private readonly database: Database,
    private readonly index: SearchIndex,
    private readonly recall: RecallRepository,
    private readonly messages: MessageRepository,
    private readonly paths: MessagePathRepository,
  ) {}

  /** Rejects with BAD_USER_INPUT. */
  search(viewer: Viewer, given: { query: string; first: number }): Promise<MessageHit[]> {
    const { query, first } = checkInput(Search, given, []);
    return this.database.read(viewer.companyId, async (tx) => {
      const best = (await this.find(tx, viewer.id, query)).slice(0, first);
      const ids = best.map(({ id }) => id);
      const [messages, shown] = await awaitAll([
        this.messages.list(tx, { id: ids }),
        this.paths.listShown(tx, ids),
      ]);
      const byId = new Map(messages.map((message) => [message.id, message]));
      return best.flatMap(({ id, score }) => {
        const message = byId.get(id);
        if (!message) return [];
        const excerpt = markedExcerpt(message.text, wordsOf(query));
        return [{ message, excerpt, score, shown: shown.has(id) }];
      });
    });
  }

  /** Messages with most of the words first, then the newest. */
  async find(tx: Transaction, memberId: string, query: string): Promise<FoundMessage[]> {
    const words = wordsOf(query);
    const [{ hits }, unindexed] = await awaitAll([
      this.index.search(tx, this.index.prepareWords(query), {
        scopes: [messageScopeOf(memberId)],
        limit: CANDIDATES,
      }),
      this.recall.listUnindexed(tx, memberId, MAX_UNINDEXED),
    ]);
    const indexed = await this.recall.listOwnTexts(
      tx,
      memberId,
      hits.map(({ id }) => id),
    );
    const found = new Map<string, FoundMessage>();
    for (const [position, message] of [...indexed, ...unindexed].entries()) {
      if (position % AT_A_TIME === AT_A_TIME - 1) await yieldToEventLoop();
      const text = searchedText(message);
      const held = hasAny(text, words) ? words.filter((word) => hasAny(text, [word])).length : 0;
      const { id, conversationId } = message;
      if (held > 0) found.set(id, { id, conversationId, score: held / words.length });
    }
    return [...found.values()].toSorted((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1));
  }
}
