import { asSimplified, fold } from '@palabre/lexical';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;

/** Shorter parts of names are often ordinary words. */
const SHORTEST_NAME = 3;

/** Folded, and in simplified Chinese, so that both scripts match. */
function compared(text: string): string {
  return asSimplified(fold(text));
}

/** Returns a predicate: does the question contain the name, or a part of it such as the first name? */
export function nameMatcher(question: string): (name: string) => boolean {
  const folded = compared(question);
  const words = new Set(folded.match(WORD));
  const known = new Map<string, boolean>();
  const look = (name: string): boolean =>
    (compared(name).match(WORD) ?? []).some((part) =>
      UNSPACED.test(part)
        ? part.length > 1 && folded.includes(part)
        : part.length >= SHORTEST_NAME && words.has(part),
    );
  return (name) => {
    const isNamed = known.get(name) ?? look(name);
    known.set(name, isNamed);
    return isNamed;
  };
}
