import { type Meaning, meaningsOf, sameMeaning } from '../reading/meaning.js';
import { countedByDistance, vagueConcepts } from '../reading/lexicon.js';
import type { Dimension } from '../reading/units.js';

/** One value of an enum with the phrases that stand for it. */
interface Entry {
  value: string;
  phrases: readonly (readonly Meaning[])[];
}

/** The values of an enum, and which of them a piece of text means. */
export interface Glossary {
  entries: readonly Entry[];
  /** In how many entries a meaning occurs. */
  spread: (meaning: Meaning) => number;
}

/** The synonyms a description gives a value: `diesel (gazole, gasoil)`, `- diesel: gazole, gasoil`. */
export function synonymsIn(description: string, value: string): string[] {
  const escaped = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(
    `(?<![\\w-])\`?${escaped}\`?(?: \\(([^()]{1,400})\\)| ?[:=] ?([^;.\\n]{1,400}))`,
    'gu',
  );
  return Array.from(description.matchAll(pattern))
    .flatMap((match) => (match[1] ?? match[2] ?? '').split(/[,;/|、，]/))
    .map((synonym) => synonym.trim())
    .filter((synonym) => synonym !== '');
}

export function glossaryOf(values: readonly string[], description: string): Glossary {
  const entries = values.map((value) => ({
    value,
    phrases: [value, ...synonymsIn(description, value)].map(meaningsOf).filter((phrase) => phrase.length > 0),
  }));
  const own = entries.map(({ phrases }) => new Set(phrases.flat().map(({ key }) => key)));
  const spread = (meaning: Meaning): number => own.filter((keys) => keys.has(meaning.key)).length;
  return { entries, spread };
}

/** Rare among the values tells much; «average» and the like tell little. */
function tellingWeight(glossary: Glossary, meaning: Meaning): number {
  const weight = Math.log(1 + glossary.entries.length / Math.max(1, glossary.spread(meaning)));
  return vagueConcepts.has(meaning.key) ? weight * 0.2 : weight;
}

/** How well a phrase fits: the weight of what is said, scaled down by what is left unsaid. */
function phraseScore(glossary: Glossary, phrase: readonly Meaning[], said: readonly Meaning[]): number {
  let total = 0;
  let matched = 0;
  for (const meaning of phrase) {
    const weight = tellingWeight(glossary, meaning);
    total += weight;
    if (said.some((each) => sameMeaning(each, meaning))) matched += weight;
  }
  return matched / total >= 0.4 ? (matched * matched) / total : 0;
}

/** «500 litres of diesel» is no «diesel car», «500 km» is no «diesel». */
function dimensionFits(entry: Entry, dimension: Dimension | null): boolean {
  const moves = entry.phrases[0]?.some((meaning) => countedByDistance.has(meaning.key)) ?? false;
  if (dimension === 'energy' || dimension === 'volume' || dimension === 'mass') return !moves;
  if (dimension === 'distance' || dimension === 'passenger-distance' || dimension === 'freight') return moves;
  return true;
}

/** The value that a piece of text means best, or null. On a tie the first in the enum. */
export function bestValue(
  glossary: Glossary,
  said: readonly Meaning[],
  dimension: Dimension | null = null,
): { value: string; score: number } | null {
  let best: { value: string; score: number } | null = null;
  for (const entry of glossary.entries) {
    if (!dimensionFits(entry, dimension)) continue;
    const score = Math.max(0, ...entry.phrases.map((phrase) => phraseScore(glossary, phrase, said)));
    if (score > (best?.score ?? 0) + 1e-9) best = { value: entry.value, score };
  }
  return best;
}
