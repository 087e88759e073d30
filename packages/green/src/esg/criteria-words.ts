import { z } from 'zod';

import en from '../../data/esg/criteria.en.json' with { type: 'json' };
import es from '../../data/esg/criteria.es.json' with { type: 'json' };
import fr from '../../data/esg/criteria.fr.json' with { type: 'json' };
import zhHant from '../../data/esg/criteria.zh-hant.json' with { type: 'json' };
import type { Language } from '../wording.js';
import type { Grid } from './grid.js';

const text = z.string().min(1);
const Names = z.record(z.string(), text);

const IndicatorWords = z.strictObject({
  title: text,
  question: text,
  /** The meaning of each level, from 0 on. Empty for other scales. */
  levels: z.array(text).default([]),
  /** How to improve a weak answer, where the next level or amount does not say it. */
  action: text.nullable().default(null),
});
export type IndicatorWords = z.output<typeof IndicatorWords>;

/** All texts of the criteria in one language, by ids. */
const CriteriaWords = z.strictObject({
  pillars: Names,
  topics: Names,
  sectors: Names,
  indicators: z.record(z.string(), IndicatorWords),
});
export type CriteriaWords = z.output<typeof CriteriaWords>;

function fail(what: string): never {
  throw new Error(`The words of the ESG criteria do not fit: ${what}.`);
}

function checkSame(words: object, ids: Iterable<string>, what: string): void {
  const wrong = new Set(Object.keys(words)).symmetricDifference(new Set(ids));
  if (wrong.size > 0) fail(`${what} ${[...wrong].join(', ')}`);
}

/** Checks words against the criteria. Throws an Error that names missing and unknown ones. */
export function fitWords(grid: Grid, language: Language, words: CriteriaWords): CriteriaWords {
  const pillars = grid.pillars.map(({ id }) => id);
  checkSame(words.pillars, pillars, `${language} pillars`);
  checkSame(words.topics, grid.topics, `${language} topics`);
  checkSame(words.sectors, grid.sectors.keys(), `${language} sectors`);
  checkSame(words.indicators, grid.indicators.keys(), `${language} indicators`);
  for (const { id, answer } of grid.indicators.values()) {
    const { levels, action } = words.indicators[id] ?? { levels: [], action: null };
    const wanted = answer.kind === 'level' ? answer.points.length : 0;
    if (levels.length !== wanted) fail(`${language} has ${levels.length} levels for ${id}, not ${wanted}`);
    if (answer.kind === 'yes_no' && action === null) fail(`${language} has no action for ${id}`);
  }
  return words;
}

export function loadCriteriaWords(grid: Grid): Readonly<Record<Language, CriteriaWords>> {
  const fit = (language: Language, json: unknown): CriteriaWords =>
    fitWords(grid, language, CriteriaWords.parse(json));
  return { en: fit('en', en), fr: fit('fr', fr), es: fit('es', es), 'zh-Hant': fit('zh-Hant', zhHant) };
}
