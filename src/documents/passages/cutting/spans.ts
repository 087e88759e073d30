import type { BlockKind } from './blocks.js';

/** A part of a text, from an offset to another. */
export interface Span {
  start: number;
  end: number;
}

/** Cuts a part of a text into smaller ones, which cover it. */
export type Split = (text: string, span: Span) => Iterable<Span>;

/** After each match a part ends. */
function* splitAfter(text: string, { start, end }: Span, pattern: RegExp): Generator<Span> {
  const breaks = new RegExp(pattern, 'gu');
  let from = start;
  breaks.lastIndex = start;
  for (let match = breaks.exec(text); match && breaks.lastIndex < end; match = breaks.exec(text)) {
    yield { start: from, end: breaks.lastIndex };
    from = breaks.lastIndex;
  }
  if (from < end) yield { start: from, end };
}

// A full stop of Latin writing ends a sentence only where a blank follows; those of others always do. A row of them is
// looked at from its beginning alone: from each of them anew, a page of dots would take seconds.
const SENTENCE = /(?:(?<![.!?…])[.!?…]+["'”’»)\]]*|[؟।॥۔])\s+|[。！？｡．]+["'”’」』）)》】]*\s*|\n\s*\n/u;
const CLAUSE = /[,;:]\s+|[，、；：､]\s*/u;
const LINE = /\n/u;
const ITEM = /\n(?=[ \t]*(?:[-*+•‣◦▪·]|(?:\d{1,9}|[a-zA-Z])[.)])[ \t])/u;
const WORD = /\s+/u;

const by =
  (pattern: RegExp): Split =>
  (text, span) =>
    splitAfter(text, span, pattern);

const [sentences, clauses, lines, items, words] = [SENTENCE, CLAUSE, LINE, ITEM, WORD].map(by) as [
  Split,
  Split,
  Split,
  Split,
  Split,
];

/** Where a block is cut if it has to be: what is left too long by one of them is cut by the next. */
export const splitsOf: Readonly<Record<BlockKind, readonly Split[]>> = {
  heading: [words],
  paragraph: [sentences, lines, clauses, words],
  list: [items, lines, sentences, clauses, words],
  table: [lines, sentences, clauses, words],
  code: [lines, words],
};
