import { type Token, Phrases, tokensOf, wordsIn } from './tokens.js';
import * as words from './words.js';
import { glue, type Language, languages } from './words.js';

function phrasesOf(...lists: string[]): Phrases<true> {
  const phrases = new Phrases<true>();
  for (const word of lists.join(' ').split(/\s+/)) phrases.add(word, true);
  return phrases;
}

const allGlue = phrasesOf(...Object.values(glue), words.neutral);
const uninformative = phrasesOf(...Object.values(glue), words.asking);
export const joiners = phrasesOf(words.joining);
export const leaders = phrasesOf(words.leading);
export const politeness = phrasesOf(words.polite);
export const pasts = phrasesOf(words.past);
export const pointers = phrasesOf(words.pointing);

/** The tokens that a passage must share to answer the question. */
export function informativeIn(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (let at = 0; at < tokens.length;) {
    const length = uninformative.lengthAt(tokens, at);
    const token = tokens[at];
    if (length === 0 && token && token.kind !== 'stop') kept.push(token);
    at += Math.max(1, length);
  }
  return kept;
}

const concepts = new Phrases<number>();
function eachLanguage(...others: string[]): Record<Language, Phrases<true>> {
  return Object.fromEntries(
    languages.map((language) => [language, phrasesOf(glue[language], ...others)]),
  ) as Record<Language, Phrases<true>>;
}
const glues = eachLanguage(words.neutral);
const known = eachLanguage();
const english = new Map<number, string>();
const COLUMNS: readonly Language[] = ['en', 'fr', 'es', 'zh'];

for (const [concept, line] of words.thesaurus.entries()) {
  english.set(concept, line.split('|', 1)[0]?.trim().replaceAll('_', ' ') ?? '');
  for (const [column, words] of line.split('|').entries()) {
    for (const word of words.split(/\s+/)) {
      concepts.add(word, concept);
      known[COLUMNS[column] ?? 'en'].add(word, true);
    }
  }
}

/**
 * By token: the length of the filler phrase that begins there; 0: none. It depends on the language: the French `an` is
 * a year.
 */
export function glueLengths(tokens: readonly Token[], language: Language | null): number[] {
  const phrases = language === null ? allGlue : glues[language];
  return Array.from(tokens.keys(), (at) => phrases.lengthAt(tokens, at));
}

/** The language of most known words; null: a tie. */
export function languageOf(text: string): Language | null {
  const tokens = tokensOf(text.slice(0, 4_000));
  const hits = languages.map((language) => ({
    language,
    count: tokens.filter(
      ({ text: word }, at) =>
        known[language].lengthAt(tokens, at) > 0 || (language === 'zh' && /\p{Script=Han}/u.test(word)),
    ).length,
  }));
  hits.sort((one, other) => other.count - one.count);
  const [first, second] = hits;
  return first && second && first.count > second.count ? first.language : null;
}

/** English names of things, by their names in any language. */
export const thingNames = new Phrases<string>();
for (const line of words.things) {
  const [name = '', ...others] = line.split(/[\s|]+/);
  for (const other of [name, ...others]) thingNames.add(other, name.replaceAll('_', ' '));
}

/** The known words of a text in English. */
export function inEnglish(tokens: readonly Token[]): string {
  const found = tokens.flatMap((_, at) => [...(concepts.at(tokens, at)?.values ?? [])]);
  return [...new Set(found)].map((concept) => english.get(concept) ?? '').join(' ');
}

/** Other words for the same thing; none for an ambiguous word. */
export function synonymsOf(word: string): string[] {
  const [concept, ...others] = concepts.of(word);
  return concept === undefined || others.length > 0 ? [] : [...concepts.for(concept)];
}

const MIN_PREFIX = 5;

/** Whether two words are probably cognates, such as `calcul` and `calculat`. */
function areCognates(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  if (shorter < MIN_PREFIX) return false;
  let common = 0;
  while (common < shorter && one[common] === other[common]) common += 1;
  return common >= MIN_PREFIX && common >= 0.65 * shorter;
}

/** Recognises the words of a text and their translations. */
export class WordSet {
  private readonly keys: ReadonlySet<string>;
  private readonly concepts = new Set<number>();

  constructor(text: string) {
    const tokens = tokensOf(text.replaceAll('_', ' '));
    this.keys = new Set(wordsIn(text));
    for (const at of tokens.keys()) {
      for (const concept of concepts.at(tokens, at)?.values ?? []) this.concepts.add(concept);
    }
  }

  /** Whether the tokens begin with a translation of one of the words. */
  means(tokens: readonly Token[], from: number): boolean {
    const said = concepts.at(tokens, from);
    return said !== null && [...said.values].some((concept) => this.concepts.has(concept));
  }

  /** The number of tokens that say or mean one of the words. 0: none. `isLoose`: cognates count too. */
  at(tokens: readonly Token[], from: number, isLoose = false): number {
    if (this.means(tokens, from)) return concepts.at(tokens, from)?.length ?? 0;
    const token = tokens[from];
    if (token?.kind !== 'word') return 0;
    if (this.keys.has(token.key)) return 1;
    return isLoose && [...this.keys].some((key) => areCognates(key, token.key)) ? 1 : 0;
  }
}
