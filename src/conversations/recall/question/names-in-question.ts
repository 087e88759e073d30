import { asSimplified } from '../../../common/text/simplified-chinese.js';
import { fold } from '../../../search/lexical/fold.js';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;

/** Shorter ones are words of other kinds as well. */
const SHORTEST_NAME = 3;

/** Names are written in both ways of Chinese. */
const compared = (text: string): string => asSimplified(fold(text));

/** Tells of a name whether a question holds it, or a part of it: people are asked about by their first names. */
export const namesIn = (question: string): ((name: string) => boolean) => {
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
};
