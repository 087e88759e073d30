import { type Meaning, meaningsOf, sameMeaning } from '../../reading/words/meaning.js';
import { countedByDistance, vagueConcepts } from '../../reading/words/lexicon.js';
import type { Dimension } from '../../reading/numbers/units.js';

/** A phrase that stands for a value: what it speaks of, and how much each part of it tells. */
interface Phrase {
  parts: readonly { meaning: Meaning; weight: number }[];
  total: number;
}

/** What becomes of a thing, or became: it is thrown away, or it was bought. */
export type Fate = 'WASTE' | 'BOUGHT';

const fates: ReadonlyMap<string, Fate> = new Map([
  ['bought', 'BOUGHT'],
  ...['waste', 'landfill', 'composting', 'incineration', 'digestion', 'sorting'].map(
    (key) => [key, 'WASTE'] as const,
  ),
]);

/** What is said of what becomes of a thing; null: nothing. */
export const fateIn = (said: readonly Meaning[]): Fate | null =>
  said.map(({ key }) => fates.get(key)).find((fate) => fate !== undefined) ?? null;

/** One value of an enum with the phrases that stand for it. */
interface Entry {
  value: string;
  /** Counted by the distance it goes. */
  moves: boolean;
  /** Counted by the distance and the load. */
  carries: boolean;
  /** A waste, or a material: many are both, by the same name. */
  fate: Fate | null;
  phrases: readonly Phrase[];
}

/** The values of an enum, and which of them a piece of text means. */
export interface Glossary {
  entries: readonly Entry[];
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
  const named = values.map((value) => ({
    value,
    phrases: [value, ...synonymsIn(description, value)].map(meaningsOf).filter((phrase) => phrase.length > 0),
  }));
  const spread = new Map<string, number>();
  for (const { phrases } of named)
    for (const key of new Set(phrases.flat().map((meaning) => meaning.key)))
      spread.set(key, (spread.get(key) ?? 0) + 1);
  const toPhrase = (meanings: readonly Meaning[]): Phrase => {
    const parts = meanings.map((meaning) => ({
      meaning,
      weight: tellingWeight(meaning, values.length, spread.get(meaning.key) ?? 1),
    }));
    return { parts, total: parts.reduce((sum, { weight }) => sum + weight, 0) };
  };
  const entries = named.map(({ value, phrases }) => ({
    value,
    moves: phrases[0]?.some((meaning) => countedByDistance.has(meaning.key)) ?? false,
    carries: phrases[0]?.some((meaning) => meaning.key === 'freight') ?? false,
    fate: value.startsWith('material_') ? ('BOUGHT' as const) : fateIn(phrases[0] ?? []),
    phrases: phrases.map(toPhrase),
  }));
  return { entries };
}

/** Rare among the values tells much; «average» and the like tell little. */
function tellingWeight(meaning: Meaning, values: number, spread: number): number {
  const weight = Math.log(1 + values / Math.max(1, spread));
  return vagueConcepts.has(meaning.key) ? weight * 0.2 : weight;
}

/** How well a phrase fits: the weight of what is said, scaled down by what is left unsaid. */
function phraseScore({ parts, total }: Phrase, said: readonly Meaning[]): number {
  let matched = 0;
  for (const { meaning, weight } of parts)
    if (said.some((each) => sameMeaning(each, meaning))) matched += weight;
  return matched / total >= 0.4 ? (matched * matched) / total : 0;
}

/** «500 litres of diesel» is no «diesel car», «500 km» is no «diesel». */
function dimensionFits(entry: Entry, dimension: Dimension | null): boolean {
  if (dimension === 'energy' || dimension === 'volume' || dimension === 'mass') return !entry.moves;
  if (dimension === 'freight') return entry.carries;
  if (dimension === 'distance' || dimension === 'passenger-distance') return entry.moves && !entry.carries;
  return true;
}

/** A waste that nobody called one is worth less than a material of the same name. */
const unsaidWaste = 0.99;

function shareOfFate(entry: Entry, fate: Fate | null): number {
  if (fate === null || entry.fate === null) return entry.fate === 'WASTE' ? unsaidWaste : 1;
  return entry.fate === fate ? 1 : 0;
}

/** The value that a piece of text means best, or null. On a tie the first in the enum. */
export function bestValue(
  glossary: Glossary,
  said: readonly Meaning[],
  dimension: Dimension | null = null,
  fate: Fate | null = fateIn(said),
): { value: string; score: number } | null {
  let best: { value: string; score: number } | null = null;
  if (said.length === 0) return null;
  for (const entry of glossary.entries) {
    if (!dimensionFits(entry, dimension)) continue;
    const score =
      shareOfFate(entry, fate) * Math.max(0, ...entry.phrases.map((phrase) => phraseScore(phrase, said)));
    if (score > (best?.score ?? 0) + 1e-9) best = { value: entry.value, score };
  }
  return best;
}
