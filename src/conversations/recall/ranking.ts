import type { Calendar } from '../../common/calendar.js';
import { TermIndex } from '../../search/lexical/term-index.js';
import type { TermVector } from '../../search/lexical/term-vector.js';
import { type DayRange, isWithin, lengthInDays } from './question/day-range.js';

/** A message as it is ranked. */
export interface RankedMessage {
  id: string;
  conversationId: string;
  createdAt: Date;
  /** Whoever said it is named by the question. */
  isAskedFor: boolean;
  terms: TermVector;
  /** By the meaning of it, 0 to 1; 0: it was not found by that. */
  meaning: number;
}

/** What a question asks for. */
export interface Wanted {
  /** The weight of each of its terms, by hash. */
  idf: ReadonlyMap<number, number>;
  /** Of a message, in terms. */
  averageLength: number;
  /** The days that it names, in moments. */
  days: readonly DayRange[];
  /** Tells which day a message is of. */
  calendar: Calendar;
}

/** How much a message has to do with a question, and the session that it is of. */
export interface Ranked<Message extends RankedMessage> {
  message: Message;
  session: string;
  score: number;
}

export interface RankingWeights {
  /** Of the terms of messages so far away: an answer seldom repeats what it was asked. */
  neighbours: readonly number[];
  /** Of the mean of the session's best three. */
  session: number;
  /** Of the best message's score, for one of somebody whom the question names. */
  speaker: number;
  /** Of the best message's score, for one of a day that the question names. */
  day: number;
  /** Of the best message's score, for one that means just what is asked. */
  meaning: number;
}

/** Tuned on `npm run bench -- recall`; docs/decisions/recall.md says what each of them brings. */
export const rankingWeights: RankingWeights = {
  neighbours: [1, 0.4, 0.2],
  session: 0.3,
  speaker: 0.2,
  day: 0.6,
  meaning: 0.5,
};

/** BM25's. Messages differ in length by what there is to say, so that it counts for less than among documents. */
const K1 = 1.2;
const B = 0.5;

const SESSION_BEST = 3;

/** Messages further apart than this are of two sessions. */
const PAUSE_MS = 6 * 60 * 60 * 1000;

/**
 * The messages by how much they have to do with what is wanted, the best first; those that have nothing to do with it,
 * nor have their sessions, are left out. `runs`: messages that follow each other in a conversation, without a gap.
 */
export const rank = <Message extends RankedMessage>(
  runs: readonly (readonly Message[])[],
  wanted: Wanted,
  weights: RankingWeights = rankingWeights,
): Ranked<Message>[] => {
  const ranked = runs.flatMap(sessionsOf).flatMap((session) => byWords(session, wanted, weights));
  liftSessions(ranked, weights);
  lift(ranked, wanted, weights);
  return ranked
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.message.id < b.message.id ? -1 : 1));
};

/** Parts of a run without a long pause in them. */
const sessionsOf = <Message extends RankedMessage>(run: readonly Message[]): Message[][] => {
  const sessions: Message[][] = [];
  let before: Message | null = null;
  for (const message of run) {
    const isNew = before === null || message.createdAt.getTime() - before.createdAt.getTime() > PAUSE_MS;
    if (isNew) sessions.push([]);
    sessions.at(-1)?.push(message);
    before = message;
  }
  return sessions;
};

const byWords = <Message extends RankedMessage>(
  messages: readonly Message[],
  { idf, averageLength, calendar }: Wanted,
  { neighbours }: RankingWeights,
): Ranked<Message>[] => {
  const terms = Int32Array.from(idf.keys());
  const weights = Float64Array.from(idf.values());
  const counts = countsOf(messages, terms);
  const session = sessionName(messages, calendar);
  const sums = new Float64Array(terms.length);
  return messages.map((message, at) => {
    const near = neighboursOf(messages, at, neighbours);
    sums.fill(0);
    for (const [place, share] of near) {
      const start = place * terms.length;
      for (let term = 0; term < terms.length; term += 1) {
        sums[term] = (sums[term] ?? 0) + share * (counts[start + term] ?? 0);
      }
    }
    const norm = K1 * (1 - B + (B * lengthOf(messages, near)) / Math.max(1, averageLength));
    let score = 0;
    for (let term = 0; term < terms.length; term += 1) {
      const sum = sums[term] ?? 0;
      if (sum > 0) score += ((weights[term] ?? 0) * sum) / (sum + norm);
    }
    return { message, session, score };
  });
};

/** How often each term is in each message, one message after the other: there are tens of thousands of them. */
const countsOf = (messages: readonly RankedMessage[], terms: Int32Array): Uint16Array => {
  const counts = new Uint16Array(messages.length * terms.length);
  const index = new TermIndex(terms);
  messages.forEach((message, at) => {
    const own = counts.subarray(at * terms.length, (at + 1) * terms.length);
    message.terms.countInto(own, index);
  });
  return counts;
};

/** By conversation and day: each has its own date above it. */
const sessionName = ([first]: readonly RankedMessage[], calendar: Calendar): string =>
  first ? `${first.conversationId} ${calendar.dayOf(first.createdAt)}` : '';

/** The message's own place and those near it, each with how much of its terms counts. */
const neighboursOf = (
  session: readonly RankedMessage[],
  at: number,
  shares: readonly number[],
): [place: number, share: number][] =>
  shares.flatMap((share, distance) => {
    const places = distance === 0 ? [at] : [at - distance, at + distance];
    return places
      .filter((place) => place >= 0 && place < session.length)
      .map((place): [number, number] => [place, share]);
  });

/** The mean length of what is scored together. */
const lengthOf = (session: readonly RankedMessage[], near: readonly [number, number][]): number => {
  const shares = near.reduce((sum, [, share]) => sum + share, 0);
  const length = near.reduce((sum, [place, share]) => sum + share * (session[place]?.terms.length ?? 0), 0);
  return length / shares;
};

/** What a whole session is about bears on each of its messages. */
const liftSessions = <Message extends RankedMessage>(
  ranked: readonly Ranked<Message>[],
  weights: RankingWeights,
): void => {
  for (const session of Map.groupBy(ranked, (each) => each.session).values()) {
    const best = session
      .map(({ score }) => score)
      .toSorted((a, b) => b - a)
      .slice(0, SESSION_BEST);
    const mean = best.reduce((sum, score) => sum + score, 0) / SESSION_BEST;
    for (const each of session) each.score += weights.session * mean;
  }
};

/** What was said by whom and when the question says, and what means the same in other words. */
const lift = <Message extends RankedMessage>(
  ranked: readonly Ranked<Message>[],
  { days }: Wanted,
  weights: RankingWeights,
): void => {
  const most = ranked.reduce((max, { score }) => Math.max(max, score), 0) || 1;
  for (const each of ranked) {
    const { createdAt, meaning, isAskedFor } = each.message;
    const bySpeaker = isAskedFor && each.score > 0 ? weights.speaker : 0;
    each.score += most * (bySpeaker + weights.meaning * meaning + weights.day * dayShare(days, createdAt));
  }
};

/** 1 for a day that is named, less for one of many. */
const dayShare = (days: readonly DayRange[], moment: Date): number =>
  days.reduce((best, range) => {
    if (!isWithin(range, moment)) return best;
    return Math.max(best, 1 / (1 + Math.log10(Math.max(1, lengthInDays(range)))));
  }, 0);
