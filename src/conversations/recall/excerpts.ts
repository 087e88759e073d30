import type { Message } from '../message.entity.js';
import { dayHeading } from './text/day-heading.js';
import type { RecalledMessage } from './message-recall.service.js';

/** Messages of one session, under one date: one item of a context. */
export interface Excerpt {
  /** In the order in which they were said. */
  messages: Message[];
  /** As the model reads it, without a line break at its end. */
  text: string;
  tokens: number;
  /** Of its best message. */
  score: number;
}

export interface ExcerptOptions {
  budgetTokens: number;
  /** Of `text` as it stands in the context, with the line break behind it. */
  count(text: string): number;
  /** BCP 47. */
  language: string;
}

interface Line {
  recalled: RecalledMessage;
  text: string;
}

/** So many messages that there is no room for are passed over before it is enough. */
const MOST_MISSES = 40;

/**
 * The best excerpts that fit into the budget together, the oldest first, and how many messages were left out. The date
 * is written once a session, for it costs as much as a short message.
 */
export const packExcerpts = (
  recalled: readonly RecalledMessage[],
  options: ExcerptOptions,
): { excerpts: Excerpt[]; omitted: number } => {
  const excerpts = [
    ...Map.groupBy(linesWithin(recalled, options), ({ recalled: { session } }) => session).values(),
  ]
    .map((lines) => excerptOf(lines, options))
    .toSorted((a, b) => startOf(a) - startOf(b));
  const fitting = withinBudget(excerpts, options);
  const told = fitting.reduce((sum, { messages }) => sum + messages.length, 0);
  return { excerpts: fitting, omitted: recalled.length - told };
};

/** The best lines that there is room for, each session's first with its date. */
const linesWithin = (recalled: readonly RecalledMessage[], options: ExcerptOptions): Line[] => {
  const dated = new Set<string>();
  const taken: Line[] = [];
  let room = options.budgetTokens;
  let misses = 0;
  for (const each of recalled.toSorted((a, b) => b.score - a.score)) {
    const text = lineOf(each);
    const date = dated.has(each.session) ? 0 : options.count(headingOf(each, options));
    const tokens = date + options.count(text);
    if (tokens <= room) {
      dated.add(each.session);
      taken.push({ recalled: each, text });
      room -= tokens;
    } else if ((misses += 1) > MOST_MISSES) break;
  }
  return taken;
};

/** `Author: text`, on one line. */
const lineOf = ({ speaker, text }: RecalledMessage): string =>
  `${speaker}: ${text}`.replaceAll(/\s+/gu, ' ').trim();

const headingOf = ({ shownAt }: RecalledMessage, { language }: ExcerptOptions): string =>
  dayHeading(shownAt, language);

const excerptOf = (lines: readonly Line[], options: ExcerptOptions): Excerpt => {
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
};

/** Lines can be more tokens together than one by one: then the weakest go. */
const withinBudget = (excerpts: readonly Excerpt[], { budgetTokens }: ExcerptOptions): Excerpt[] => {
  const left = [...excerpts];
  const total = (): number => left.reduce((sum, { tokens }) => sum + tokens, 0);
  while (total() > budgetTokens) {
    const weakest = left.reduce((least, excerpt) => (excerpt.score < least.score ? excerpt : least));
    left.splice(left.indexOf(weakest), 1);
  }
  return left;
};

const startOf = ({ messages }: Excerpt): number => messages[0]?.createdAt.getTime() ?? 0;
