import { fold, isHan, sameWord, stem, tidy, type Word, wordsOf } from './fold.js';
import { concepts, stopWords, vagueConcepts } from './lexicon.js';
import { apartFrom, byStart } from '../spans.js';

/** One thing a text speaks of: a concept of the lexicon, or a word that the lexicon does not know. */
export interface Meaning {
  /** `company`, `refrigerant:134a`, or the folded word itself. */
  key: string;
  known: boolean;
  start: number;
  end: number;
}

const longestTerm = 5;
const keyOf = (words: readonly string[]): string => words.map(stem).join(' ');

interface Lexicon {
  byTerm: ReadonlyMap<string, string>;
  /** Terms that would be another word without their capitals or accents. */
  asWritten: ReadonlyMap<string, string>;
  han: ReadonlyMap<string, string>;
  /** Long single words by their first four letters, for other endings and slips of the keyboard. */
  byOpening: ReadonlyMap<string, readonly { word: string; concept: string }[]>;
}

const lexicon: Lexicon = (() => {
  const byTerm = new Map<string, string>();
  const asWritten = new Map<string, string>();
  const han = new Map<string, string>();
  const byOpening = new Map<string, { word: string; concept: string }[]>();
  for (const [concept, terms] of Object.entries(concepts))
    for (const term of terms.split('|')) {
      const words = wordsOf(fold(tidy(term))).map((word) => word.text);
      const [word = ''] = words;
      if (term.startsWith('=')) asWritten.set(term.slice(1), concept);
      else if (isHan(term)) han.set(word, concept);
      else if (!byTerm.has(keyOf(words))) byTerm.set(keyOf(words), concept);
      if (words.length === 1 && word.length >= 7 && !term.startsWith('='))
        byOpening.set(word.slice(0, 4), [...(byOpening.get(word.slice(0, 4)) ?? []), { word, concept }]);
    }
  return { byTerm, asWritten, han, byOpening };
})();

const refrigerant = /(?<![\p{L}\p{N}])(?:r|hfc|hcfc|cfc|hfo)[ -]?(\d{2,4}[a-z]{0,3})(?![\p{L}\p{N}])/gu;

function hanMeanings(word: Word): Meaning[] {
  const found: Meaning[] = [];
  for (let at = 0; at < word.text.length; at += 1)
    for (let length = Math.min(8, word.text.length - at); length > 0; length -= 1) {
      const key = lexicon.han.get(word.text.slice(at, at + length));
      if (!key) continue;
      found.push({ key, known: true, start: word.start + at, end: word.start + at + length });
      at += length - 1;
      break;
    }
  return found;
}

function conceptOf(text: string, word: Word): string | undefined {
  const asWritten = lexicon.asWritten.get(text.slice(word.start, word.end));
  if (asWritten) return asWritten;
  if (stopWords.has(word.text)) return undefined;
  const exact = lexicon.byTerm.get(stem(word.text));
  if (exact || word.text.length < 7) return exact;
  return lexicon.byOpening.get(word.text.slice(0, 4))?.find((entry) => sameWord(entry.word, word.text))
    ?.concept;
}

/** The concept that starts at a word and how many words it takes, the longest term first. */
function conceptAt(text: string, words: readonly Word[], at: number): { key: string; length: number } | null {
  for (let length = Math.min(longestTerm, words.length - at); length > 1; length -= 1) {
    const run = words.slice(at, at + length).map((word) => word.text);
    const key = lexicon.byTerm.get(keyOf(run));
    if (key) return { key, length };
  }
  const word = words[at];
  const key = word && conceptOf(text, word);
  return key ? { key, length: 1 } : null;
}

/** What a text speaks of, in order. `folded` is `fold(text)`; numbers and small words say nothing here. */
export function meaningsIn(text: string, folded: string): Meaning[] {
  const found: Meaning[] = Array.from(folded.matchAll(refrigerant), (match) => ({
    key: `refrigerant:${match[1]}`,
    known: true,
    start: match.index,
    end: match.index + match[0].length,
  }));
  const words = apartFrom(wordsOf(folded), [...found]);
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (!word) continue;
    const concept = isHan(word.text) ? null : conceptAt(text, words, at);
    const last = words[at + (concept?.length ?? 1) - 1] ?? word;
    if (isHan(word.text)) found.push(...hanMeanings(word));
    else if (concept) found.push({ key: concept.key, known: true, start: word.start, end: last.end });
    else if (word.text.length > 1 && !stopWords.has(word.text) && !/^\d+$/.test(word.text))
      found.push({ key: word.text, known: false, start: word.start, end: word.end });
    at += (concept?.length ?? 1) - 1;
  }
  return found.toSorted(byStart);
}

/** `meaningsIn` for a phrase that is not part of a longer text: a name, a description. `car_km` is read as words. */
export function meaningsOf(phrase: string): Meaning[] {
  const text = tidy(phrase.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' '));
  return meaningsIn(text, fold(text));
}

export const sameMeaning = (a: Meaning, b: Meaning): boolean =>
  a.key === b.key || (!a.known && !b.known && sameWord(a.key, b.key));

/** How much a meaning tells: a vague one less than half. */
export const weightOf = (meaning: Meaning): number => (vagueConcepts.has(meaning.key) ? 0.4 : 1);
