import { Injectable } from '@nestjs/common';

import { Calendar } from '../../common/calendar.js';
import { together } from '../../database/together.js';
import type { Transaction } from '../../database/transaction.js';
import { hashOfTerm } from '../../search/lexical/term-hash.js';
import { TermVector } from '../../search/lexical/term-vector.js';
import { type PreparedQuery, scoredBy, type SearchHit } from '../../search/search.js';
import { SearchIndex } from '../../search/search-index.service.js';
import type { Message } from '../message.entity.js';
import { MessageRepository } from '../message.repository.js';
import { bearingText } from './text/bearing-text.js';
import { messageScopeOf } from '../indexing/message-scope.js';
import { MessageTerms } from './message-terms.service.js';
import { namesIn } from './question/names-in-question.js';
import { datesIn } from './question/dates-in-question.js';
import type { DayRange } from './question/day-range.js';
import { tellingWordsOf } from '../../search/question/stop-words.js';
import { rank, type Ranked, type RankedMessage, type Wanted } from './ranking.js';
import { type NearMessage, RecallRepository } from './recall.repository.js';
import { runsOf } from './runs.js';

/** Messages that the index gives to be looked at more closely. */
const CANDIDATES = 150;

/** The same of each day that a question names. */
const CANDIDATES_OF_DAYS = 60;

/** How far neighbours bear on each other: see `rankingWeights`. */
const REACH = 2;

/** More lines than this have no room in any context. */
const MOST_RECALLED = 120;

export interface RecallRequest {
  memberId: string;
  query: PreparedQuery;
  /** When it is asked: "Tuesday" is counted from that day. */
  now: Date;
  /** The conversation that is going on, whose messages from `before` on the model is shown anyway; null: none is. */
  current: { conversationId: string; shownFrom: string | null } | null;
}

/** One message of earlier conversations, and how much it has to do with the question. */
export interface RecalledMessage {
  message: Message;
  /** What whoever said it is called: there, or here. */
  speaker: string;
  /** What of the message bears on the question, on one line: all of it unless it is long. */
  text: string;
  /** What follows each other in one excerpt: a conversation's messages of one day. */
  session: string;
  /** What a clock showed when it was said: see Calendar. */
  shownAt: Date;
  /** Above 0, for comparing with others of the same search. */
  score: number;
}

interface Candidate extends RankedMessage {
  speaker: string;
}

/** Finds what was said before that bears on a question, in the member's own conversations alone. */
@Injectable()
export class MessageRecall {
  constructor(
    private readonly index: SearchIndex,
    private readonly recall: RecallRepository,
    private readonly terms: MessageTerms,
    private readonly messages: MessageRepository,
    private readonly calendar: Calendar,
  ) {}

  /** The best first, at most 120; what the model is shown anyway is not among them. */
  async find(tx: Transaction, { memberId, query, now, current }: RecallRequest): Promise<RecalledMessage[]> {
    const days = this.daysIn(query.text, now);
    const [{ hits, weights }, ofDays] = await together([
      this.index.search(
        tx,
        { ...query, text: tellingWordsOf(query.text) },
        { scopes: [messageScopeOf(memberId)], limit: CANDIDATES },
      ),
      days.length === 0 ? [] : this.recall.listOfDays(tx, memberId, days, CANDIDATES_OF_DAYS),
    ]);
    const ids = new Set([...hits.map(({ id }) => id), ...ofDays]);
    if (ids.size === 0) return [];
    const runs = await this.readRuns(tx, memberId, query.text, hits, [...ids]);
    const idf = new Map(Array.from(scoredBy(weights), ([term, weight]) => [hashOfTerm(term), weight]));
    const wanted = { idf, averageLength: weights.averageLength, days, calendar: this.calendar };
    const isShown = ({ conversationId, id }: Candidate): boolean =>
      conversationId === current?.conversationId && current.shownFrom !== null && id >= current.shownFrom;
    const best = rank(runs, wanted)
      .filter(({ message }) => !isShown(message))
      .slice(0, MOST_RECALLED);
    return this.withTexts(tx, best, wanted);
  }

  /** The days that the question names, from one moment to another. */
  private daysIn(question: string, now: Date): DayRange[] {
    const days = datesIn(question, this.calendar.shown(now));
    return days.map(({ from, to }) => ({
      from: this.calendar.momentOf(from),
      to: this.calendar.momentOf(to),
    }));
  }

  /** What was found with what stands near it, as far as it may be recalled. */
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
    const isNamed = namesIn(question);
    return runsOf(near).map((run) =>
      run.flatMap((message: NearMessage) => {
        const vector = terms.get(message.id);
        if (!vector) return [];
        const { id, conversationId, createdAt, speaker } = message;
        const meaning = meanings.get(id) ?? 0;
        return [
          { id, conversationId, createdAt, speaker, meaning, isAskedFor: isNamed(speaker), terms: vector },
        ];
      }),
    );
  }

  private async withTexts(
    tx: Transaction,
    best: readonly Ranked<Candidate>[],
    { idf }: Wanted,
  ): Promise<RecalledMessage[]> {
    const found = await this.messages.findMany(
      tx,
      best.map(({ message }) => message.id),
    );
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
      return [{ message, speaker, session, shownAt, score, text: bearingText(message.text, scoreOf) }];
    });
  }
}
