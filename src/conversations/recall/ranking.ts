import { TermIndex, type TermVector } from '@palabre/lexical';
import { type DayRange, isWithin, lengthInDays } from '@palabre/dates';

import type { Calendar } from '../../common/calendar.js';
import { compareIds } from '../../common/ids.js';
import type { NearMessage } from './recall.repository.js';

export interface RankedMessage {
  id: string;
  conversationId: string;
  createdAt: Date;
  /** The question names its author. */
  isAskedFor: boolean;
  terms: TermVector;
  /** Semantic score, 0 to 1; 0: not found by meaning. */
  meaning: number;
}

export interface RankingQuery {
  /** Weights of the question's terms, by hash. */
  idf: ReadonlyMap<number, number>;
  /** Average length of a message, in terms. */
  averageLength: number;
  /** The days that the question names, as moments. */
  days: readonly DayRange[];
  calendar: Calendar;
}

export interface Ranked<Message extends RankedMessage> {
  message: Message;
  session: string;
  score: number;
}

/** Tuned by `npm run bench -- recall`; docs/decisions/recall.md gives the effect of each. */
const rankingWeights = {
  /** Weight of the terms of messages at distance 0, 1, 2: an answer seldom repeats its question. */
  neighbours: [1, 0.4, 0.2],
  /** Factor of the mean score of the session's best three messages. */
  session: 0.3,
  /** Bonus when the question names the author, as a share of the best score. */
  speaker: 0.2,
  /** Bonus when the question names the day, as a share of the best score. */
  day: 0.6,
  /** Bonus for full semantic similarity, as a share of the best score. */
  meaning: 0.5,
} as const;

/** BM25 parameters. A message's length says less than a document's, so B is lower than usual. */
const K1 = 1.2;
const B = 0.5;

const SESSION_BEST = 3;

/** A longer pause starts a new session. */
const PAUSE_MS = 6 * 60 * 60 * 1000;

/** Best first, without those of score 0. `runs`: adjacent messages of a conversation, without gaps. */
export function rankMessages<Message extends RankedMessage>(
  runs: readonly (readonly Message[])[],
  wanted: RankingQuery,
): Ranked<Message>[] {
  const ranked = runs.flatMap(sessionsOf).flatMap((session) => scoreByTerms(session, wanted));
  addSessionBonus(ranked);
  addQuestionBonuses(ranked, wanted);
  return ranked
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || compareIds(a.message.id, b.message.id));
}

function sessionsOf<Message extends RankedMessage>(run: readonly Message[]): Message[][] {
  const sessions: Message[][] = [];
  let before: Message | null = null;
  for (const message of run) {
    const isNew = before === null || message.createdAt.getTime() - before.createdAt.getTime() > PAUSE_MS;
    if (isNew) sessions.push([]);
    sessions.at(-1)?.push(message);
    before = message;
  }
  return sessions;
}

function scoreByTerms<Message extends RankedMessage>(
  messages: readonly Message[],
  { idf, averageLength, calendar }: RankingQuery,
): Ranked<Message>[] {
  const terms = Int32Array.from(idf.keys());
  const weights = Float64Array.from(idf.values());
  const counts = countsOf(messages, terms);
  const session = sessionName(messages, calendar);
  const sums = new Float64Array(terms.length);
  return messages.map((message, at) => {
    const near = neighboursOf(messages, at);
    sums.fill(0);
    for (const [place, share] of near) {
      const start = place * terms.length;
      for (let term = 0; term < terms.length; term += 1)
        sums[term] = (sums[term] ?? 0) + share * (counts[start + term] ?? 0);
    }
    const norm = K1 * (1 - B + (B * lengthOf(messages, near)) / Math.max(1, averageLength));
    let score = 0;
    for (let term = 0; term < terms.length; term += 1) {
      const sum = sums[term] ?? 0;
      if (sum > 0) score += ((weights[term] ?? 0) * sum) / (sum + norm);
    }
    return { message, session, score };
  });
}

/** Term counts, message by message, in one flat array: there are tens of thousands. */
function countsOf(messages: readonly RankedMessage[], terms: Int32Array): Uint16Array {
  const counts = new Uint16Array(messages.length * terms.length);
  const index = new TermIndex(terms);
  messages.forEach((message, at) => {
    const own = counts.subarray(at * terms.length, (at + 1) * terms.length);
    message.terms.countInto(own, index);
  });
  return counts;
}

/** The session's key: conversation and day, as each excerpt has one date heading. */
function sessionName([first]: readonly RankedMessage[], calendar: Calendar): string {
  return first ? `${first.conversationId} ${calendar.dayOf(first.createdAt)}` : '';
}

/** The positions of the message and its neighbours, with the weights of their terms. */
function neighboursOf(session: readonly RankedMessage[], at: number): [place: number, share: number][] {
  return rankingWeights.neighbours.flatMap((share, distance) => {
    const places = distance === 0 ? [at] : [at - distance, at + distance];
    return places
      .filter((place) => place >= 0 && place < session.length)
      .map((place): [number, number] => [place, share]);
  });
}

function lengthOf(session: readonly RankedMessage[], near: readonly [number, number][]): number {
  const shares = near.reduce((sum, [, share]) => sum + share, 0);
  const length = near.reduce((sum, [place, share]) => sum + share * (session[place]?.terms.length ?? 0), 0);
  return length / shares;
}

function addSessionBonus<Message extends RankedMessage>(ranked: readonly Ranked<Message>[]): void {
  for (const session of Map.groupBy(ranked, (each) => each.session).values()) {
    const best = session
      .map(({ score }) => score)
      .toSorted((a, b) => b - a)
      .slice(0, SESSION_BEST);
    const mean = best.reduce((sum, score) => sum + score, 0) / SESSION_BEST;
    for (const each of session) each.score += rankingWeights.session * mean;
  }
}

/** Raises messages by a named author, of a named day, or with a similar meaning. */
function addQuestionBonuses<Message extends RankedMessage>(
  ranked: readonly Ranked<Message>[],
  { days }: RankingQuery,
): void {
  const { speaker, meaning: likeness, day } = rankingWeights;
  const most = ranked.reduce((max, { score }) => Math.max(max, score), 0) || 1;
  for (const each of ranked) {
    const { createdAt, meaning, isAskedFor } = each.message;
    const bySpeaker = isAskedFor && each.score > 0 ? speaker : 0;
    each.score += most * (bySpeaker + likeness * meaning + day * dayShare(days, createdAt));
  }
}

/** 1 for a single named day, less for a day within a longer range. */
function dayShare(days: readonly DayRange[], moment: Date): number {
  return days.reduce((best, range) => {
    if (!isWithin(range, moment)) return best;
    return Math.max(best, 1 / (1 + Math.log10(Math.max(1, lengthInDays(range)))));
  }, 0);
}

/** Adjacent messages of one conversation, each once. `near` is sorted by hit, then in their order. */
export function contiguousRuns(near: readonly NearMessage[]): NearMessage[][] {
  const next = new Map<string, string>();
  const messages = new Map<string, NearMessage>();
  let before: NearMessage | null = null;
  for (const message of near) {
    if (before?.foundId === message.foundId) next.set(before.id, message.id);
    messages.set(message.id, message);
    before = message;
  }
  const runs: NearMessage[][] = [];
  let last: NearMessage | null = null;
  for (const message of [...messages.values()].toSorted(inOrder)) {
    if (last === null || next.get(last.id) !== message.id) runs.push([]);
    runs.at(-1)?.push(message);
    last = message;
  }
  return runs;
}

function inOrder(a: NearMessage, b: NearMessage): number {
  return compareIds(a.conversationId, b.conversationId) || compareIds(a.id, b.id);
}
