import { TermVector } from '@palabre/lexical';
import { LRUCache } from 'lru-cache';

import type { Message } from '../message.repository.js';
import type { RecalledMessage } from './message-recall.service.js';

/** Messages of one session below a date heading: one item of the context. */
export interface Excerpt {
  /** In the order in which they were said. */
  messages: Message[];
  /** The text for the model, without a trailing line break. */
  text: string;
  tokens: number;
  /** The score of its best message. */
  score: number;
}

export interface ExcerptOptions {
  budgetTokens: number;
  /** Counts the tokens of `text` with the line break after it. */
  count(text: string): number;
  /** BCP 47. */
  language: string;
}

interface Line {
  recalled: RecalledMessage;
  text: string;
}

/** Packing stops after this many messages that did not fit. */
const MAX_MISSES = 40;

/** Excerpts that fit together, oldest first. The date is written once a session, as it costs as much as a message. */
export function packExcerpts(
  recalled: readonly RecalledMessage[],
  options: ExcerptOptions,
): { excerpts: Excerpt[]; omitted: number } {
  const { lines, repeats } = linesWithin(recalled, options);
  const excerpts = [...Map.groupBy(lines, ({ recalled: { session } }) => session).values()]
    .map((inSession) => excerptOf(inSession, options))
    .toSorted((a, b) => startOf(a) - startOf(b));
  const fitting = withinBudget(excerpts, options);
  const told = fitting.reduce((sum, { messages }) => sum + messages.length, 0);
  return { excerpts: fitting, omitted: recalled.length - repeats - told };
}

/** The best lines that fit, counting a date heading for each session, and the number of messages that repeat one of them. */
function linesWithin(
  recalled: readonly RecalledMessage[],
  options: ExcerptOptions,
): { lines: Line[]; repeats: number } {
  const dated = new Set<string>();
  const taken = new DistinctMessages();
  const lines: Line[] = [];
  let repeats = 0;
  let room = options.budgetTokens;
  let misses = 0;
  for (const each of recalled.toSorted((a, b) => b.score - a.score)) {
    const text = `${each.speaker}: ${each.text}`.replaceAll(/\s+/gu, ' ').trim();
    const date = dated.has(each.session) ? 0 : options.count(headingOf(each, options));
    const tokens = date + options.count(text);
    if (tokens > room) {
      if ((misses += 1) > MAX_MISSES) break;
    } else if (taken.add(each)) {
      dated.add(each.session);
      lines.push({ recalled: each, text });
      room -= tokens;
    } else repeats += 1;
  }
  return { lines, repeats };
}

/** Two messages say the same if they share this part of all grams that either has. */
const SAME_GRAMS = 0.8;

/** What a shorter message says depends on what it answers, so repetitions are kept. In grams, about eight words. */
const LEAST_GRAMS = 12;

class DistinctMessages {
  private readonly copies = new Set<string>();
  private readonly grams: ReadonlySet<number>[] = [];

  /** False: a previous message says the same. */
  add({ message, speaker }: RecalledMessage): boolean {
    const copy = JSON.stringify([message.createdAt.getTime(), speaker, message.text]);
    const grams = new Set(TermVector.gramsOf(message.text).terms);
    if (this.copies.has(copy) || this.grams.some((other) => areAlike(grams, other))) return false;
    this.copies.add(copy);
    if (grams.size >= LEAST_GRAMS) this.grams.push(grams);
    return true;
  }
}

function areAlike(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  const [less, more] = one.size < other.size ? [one, other] : [other, one];
  if (less.size < SAME_GRAMS * more.size) return false;
  let shared = 0;
  for (const gram of less) if (more.has(gram)) shared += 1;
  return shared >= SAME_GRAMS * (less.size + more.size - shared);
}

function headingOf({ shownAt }: RecalledMessage, { language }: ExcerptOptions): string {
  return dayHeading(shownAt, language);
}

function excerptOf(lines: readonly Line[], options: ExcerptOptions): Excerpt {
  const inOrder = lines.toSorted((a, b) => (a.recalled.message.id < b.recalled.message.id ? -1 : 1));
  const [first] = inOrder;
  if (!first) throw new Error('An excerpt has a message.');
  const text = [headingOf(first.recalled, options), ...inOrder.map((line) => line.text)].join('\n');
  return {
    messages: inOrder.map(({ recalled: { message } }) => message),
    text,
    tokens: options.count(text),
    score: Math.max(...inOrder.map(({ recalled: { score } }) => score)),
  };
}

/** Joined lines can have more tokens than the sum of the single ones: if so, drops the weakest excerpts. */
function withinBudget(excerpts: readonly Excerpt[], { budgetTokens }: ExcerptOptions): Excerpt[] {
  const left = [...excerpts];
  const total = (): number => left.reduce((sum, { tokens }) => sum + tokens, 0);
  while (total() > budgetTokens) {
    const weakest = left.reduce((least, excerpt) => (excerpt.score < least.score ? excerpt : least));
    left.splice(left.indexOf(weakest), 1);
  }
  return left;
}

function startOf({ messages }: Excerpt): number {
  return messages[0]?.createdAt.getTime() ?? 0;
}

const MAX_LANGUAGES = 100;

/** Creating one is far slower than using it. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({
  max: MAX_LANGUAGES,
  memoMethod: makeFormatter,
});

/** A heading such as `Monday 8 May 2023` from the Date's UTC fields, to which `yesterday` in the text refers. */
function dayHeading(day: Date, language: string): string {
  return formatters.memo(language).format(day).replaceAll(',', '');
}

function makeFormatter(language: string): Intl.DateTimeFormat {
  const style: Intl.DateTimeFormatOptions = {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
    calendar: 'gregory',
    numberingSystem: 'latn',
  };
  try {
    // British English puts the day before the month, as most of the world does.
    return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, style);
  } catch {
    return new Intl.DateTimeFormat('en-GB', style);
  }
}
