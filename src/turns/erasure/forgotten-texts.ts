import type { JsonValue } from '../../common/json.js';
import type { Memory } from '../../memory/memory.entity.js';

/** What of memories is not to be found any more. */
export interface ForgottenTexts {
  /** Long enough to be this memory's wherever they stand. */
  texts: string[];
  /** What may stand anywhere for other reasons: a name, a status, a short answer. */
  shortTexts: string[];
}

/** Shorter contents are words of everyday sentences. */
const SHORTEST_CONTENT = 8;

/** Attributes are rather phrases than sentences: a status, a company's name. */
const SHORTEST_ATTRIBUTE = 20;

/** A number of fewer digits is not worth being erased, and is everywhere. */
const FEWEST_DIGITS = 4;

export const forgottenTexts = (
  memories: readonly Pick<Memory, 'subject' | 'content' | 'attributes'>[],
): ForgottenTexts => {
  const texts = new Set<string>();
  const shortTexts = new Set<string>();
  for (const { subject, content, attributes } of memories) {
    shortTexts.add(subject);
    (content.length >= SHORTEST_CONTENT ? texts : shortTexts).add(content);
    for (const value of textsIn(attributes)) {
      (value.length >= SHORTEST_ATTRIBUTE || isEmail(value) ? texts : shortTexts).add(value);
    }
  }
  return { texts: longestFirst(texts), shortTexts: longestFirst(shortTexts) };
};

const textsIn = (value: JsonValue): string[] => {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (typeof value === 'number') return String(value).length >= FEWEST_DIGITS ? [String(value)] : [];
  return value === null || typeof value === 'boolean' ? [] : Object.values(value).flatMap(textsIn);
};

const isEmail = (text: string): boolean => /^\S+@\S+\.\S+$/u.test(text);

/** One may be part of another, which has to go first. */
const longestFirst = (texts: ReadonlySet<string>): string[] =>
  [...texts].toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1));
