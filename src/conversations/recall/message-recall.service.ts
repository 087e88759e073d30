import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { datesIn, type DayRange } from '@palabre/dates';
import { contentWordsOf, hashOfTerm, TermVector } from '@palabre/lexical';

import { Calendar } from '../../common/calendar.js';
import { hasAny, wordsOf } from '../../documents/search/named-words.js';
import { SearchIndex } from '../../documents/search-index/search-index.service.js';
import type { PreparedQuery, SearchHit } from '../../documents/search-index/search.js';
import { awaitAll, type Transaction } from '../../platform/database/transaction.js';
import { messageScopeOf, searchedText } from '../message-index.service.js';
import { type Message, MessageRepository } from '../message.repository.js';
import { MessagePathRepository } from '../message-path.repository.js';
import {
  rankMessages,
  type Ranked,
  type RankedMessage,
  type RankingQuery,
  contiguousRuns,
} from './ranking.js';
import { type NearMessage, RecallRepository } from './recall.repository.js';
import { relevantSentences } from './relevant-sentences.js';

/** The most hits of the index that are ranked. */
const CANDIDATES = 150;

/** The most messages that are ranked for each date range in the question. */
const CANDIDATES_OF_DAYS = 60;

/** The number of messages around a hit that are ranked with it: see `rankingWeights`. */
const REACH = 2;

/** No context has room for more messages. */
const MAX_RECALLED = 120;

interface RecallRequest {
  memberId: string;
  query: PreparedQuery;
  /** The time of the question, to which words such as "Tuesday" refer. */
  now: Date;
  /**
   * The current conversation. Its messages are left out if the prompt has them, or if they are not on the path to
   * `leaf` (or on the shown one, up to `shownFrom`). Null: none.
   */
  current: { conversationId: string; leaf: string | null; shownFrom: string | null } | null;
}

export interface RecalledMessage {
  message: Message;
  /** The name of its author. */
  speaker: string;
  /** The message on one line; of a long one, the sentences relevant to the question. */
  text: string;
  /** Messages of one conversation and day form one excerpt: the key of that group. */
  session: string;
  /** The local time when it was said, in UTC fields: see Calendar. */
  shownAt: Date;
  /** Above 0; comparable within one search only. */
  score: number;
}

interface Candidate extends RankedMessage {
  speaker: string;
}

const MAX_BYTES = 32 * 1024 * 1024;

/** Cached terms expire, so that erased texts do not stay in memory. */
const KEPT_MS = 10 * 60_000;

/** Yields to the event loop after this many characters. */
const CHARACTERS_AT_A_TIME = 50_000;

/** Caches the terms of messages, which never change: consecutive questions often need the same ones. */
@Injectable()
export class MessageTerms {
  private readonly kept = new LRUCache<string, TermVector>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
    ttl: KEPT_MS,
  });

  constructor(private readonly recall: RecallRepository) {}

  /** Terms by message id; without messages that are gone. */
  async find(tx: Transaction, ids: Iterable<string>): Promise<Map<string, TermVector>> {
    const found = new Map<string, TermVector>();
    const missing: string[] = [];
    for (const id of ids) {
      const terms = this.kept.get(id);
      if (terms) found.set(id, terms);
      else missing.push(id);
    }
    if (missing.length === 0) return found;
    let characters = 0;
    for (const message of await this.recall.listTexts(tx, missing)) {
      const terms = TermVector.of(searchedText(message));
      this.kept.set(message.id, terms);
      found.set(message.id, terms);
      characters += message.text.length;
      if (characters < CHARACTERS_AT_A_TIME) continue;
      characters = 0;
      await yieldToEventLoop();
    }
    return found;
  }
}

/** Finds messages relevant to a question in the member's own conversations. */
@Injectable()
export class MessageRecall {
  constructor(
    private readonly index: SearchIndex,
    private readonly recall: RecallRepository,
    private readonly terms: MessageTerms,
    private readonly messages: MessageRepository,
    private readonly paths: MessagePathRepository,
    private readonly calendar: Calendar,
  ) {}

  /** At most 120 messages, best first, without those that the model sees anyway. */
  async find(tx: Transaction, { memberId, query, now, current }: RecallRequest): Promise<RecalledMessage[]> {
    const days = this.daysIn(query.text, now);
    const [{ hits, weights, rarity }, ofDays] = await awaitAll([
      this.index.search(
        tx,
        { ...query, text: contentWordsOf(query.text) },
        { scopes: [messageScopeOf(memberId)], limit: CANDIDATES },
      ),
      days.length === 0 ? [] : this.recall.listOfDays(tx, memberId, days, CANDIDATES_OF_DAYS),
    ]);
    const ids = new Set([...hits.map(({ id }) => id), ...ofDays]);
    if (ids.size === 0) return [];
    const runs = await this.readRuns(tx, memberId, query.text, hits, [...ids]);
    const terms = [...weights.otherIdf, ...rarity];
    const idf = new Map(terms.map(([term, weight]) => [hashOfTerm(term), weight]));
    const wanted = { idf, averageLength: weights.averageLength, days, calendar: this.calendar };
    const leftOut = await this.notTold(tx, runs.flat(), current);
    const best = rankMessages(runs, wanted)
      .filter(({ message }) => !leftOut.has(message.id))
      .slice(0, MAX_RECALLED);
    return this.withTexts(tx, best, wanted);
  }

  /** The current conversation's messages that the prompt has anyway, or that are beside the path. */
  private async notTold(
    tx: Transaction,
    candidates: readonly Candidate[],
    current: RecallRequest['current'],
  ): Promise<Set<string>> {
    const ids = candidates.flatMap(({ id, conversationId }) =>
      conversationId === current?.conversationId ? [id] : [],
    );
    if (!current || ids.length === 0) return new Set();
    const { leaf, shownFrom } = current;
    const beside = leaf === null ? [] : await this.paths.listBeside(tx, leaf, ids);
    return new Set([...beside, ...ids.filter((id) => shownFrom !== null && id >= shownFrom)]);
  }

  /** The days that the question names, as moments in the calendar's time zone. */
  private daysIn(question: string, now: Date): DayRange[] {
    const days = datesIn(question, this.calendar.shown(now));
    return days.map(({ from, to }) => ({
      from: this.calendar.momentOf(from),
      to: this.calendar.momentOf(to),
    }));
  }

  /** The hits with their neighbours, as runs of adjacent messages. */
  private async readRuns(
    tx: Transaction,
    memberId: string,
    question: string,
    hits: readonly SearchHit[],
    ids: readonly string[],
  ): Promise<Candidate[][]> {
    const near = await this.recall.listNear(tx, memberId, ids, REACH);
    const terms = await this.terms.find(tx, new Set(near.map(({ id }) => id)));
    const meanings = new Map(hits.map((hit) => [hit.id, hit.similarity === null ? 0 : hit.score]));
    const speakers = new Set(near.map(({ speaker }) => speaker));
    const named = new Set([...speakers].filter((name) => hasAny(question, wordsOf(contentWordsOf(name)))));
    return contiguousRuns(near).map((run) =>
      run.flatMap((message: NearMessage) => {
        const vector = terms.get(message.id);
        if (!vector) return [];
        const { id, conversationId, createdAt, speaker } = message;
        const meaning = meanings.get(id) ?? 0;
        return [
          { id, conversationId, createdAt, speaker, meaning, isAskedFor: named.has(speaker), terms: vector },
        ];
      }),
    );
  }

  private async withTexts(
    tx: Transaction,
    best: readonly Ranked<Candidate>[],
    { idf }: RankingQuery,
  ): Promise<RecalledMessage[]> {
    const found = await this.messages.list(tx, { id: best.map(({ message }) => message.id) });
    const byId = new Map(found.map((message) => [message.id, message]));
    const scoreOf = (sentence: string): number => {
      let score = 0;
      TermVector.of(sentence).each((term) => {
        score += idf.get(term) ?? 0;
      });
      return score;
    };
    return best.flatMap(({ message: { id, speaker }, session, score }) => {
      const message = byId.get(id);
      if (!message) return [];
      const shownAt = this.calendar.shown(message.createdAt);
      return [{ message, speaker, session, shownAt, score, text: relevantSentences(message.text, scoreOf) }];
    });
  }
}
