import { readFileSync } from 'node:fs';

import { z } from 'zod';

import type { Language } from '../wording.js';
import type { Grid } from './grid.js';

export interface IndicatorWords {
  title: string;
  question: string;
  /** What each level means, from level 0 on; none for other kinds of answers. */
  levels: readonly string[];
  /** What to do about a weak answer, where the next level or a better amount does not say it. */
  action: string | null;
}

/** All that the criteria are called in one language. */
export interface CriteriaWords {
  pillars: ReadonlyMap<string, string>;
  topics: ReadonlyMap<string, string>;
  sectors: ReadonlyMap<string, string>;
  indicators: ReadonlyMap<string, IndicatorWords>;
}

const text = z.string().min(1);

/** The criteria bring their own French and English, except for titles and actions. */
const IndicatorFile = z.strictObject({ title: text, action: text.optional() });
const Names = z.record(z.string(), text);

const AdditionsFile = z.strictObject({ indicators: z.record(z.string(), IndicatorFile) });
const TranslationFile = z.strictObject({
  pillars: Names,
  topics: Names,
  sectors: Names,
  indicators: z.record(
    z.string(),
    IndicatorFile.extend({ question: text, levels: z.array(text).min(2).optional() }),
  ),
});
export type Translation = z.output<typeof TranslationFile>;

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
}

/** The French or English of the criteria, in the form of a translation. */
function ownWords({ file }: Grid, suffix: 'Fr' | 'En', json: unknown): Translation {
  const additions = AdditionsFile.parse(json);
  const namesOf = (named: readonly { id: string; nameFr: string; nameEn: string }[]) =>
    Object.fromEntries(named.map((each) => [each.id, each[`name${suffix}`]]));
  const raws = new Map(file.indicators.map((raw) => [raw.id, raw]));
  return {
    pillars: namesOf(file.pillars),
    topics: namesOf(file.topics),
    sectors: namesOf(file.sectors),
    indicators: Object.fromEntries(
      Object.entries(additions.indicators).map(([id, words]) => {
        const raw = raws.get(id);
        const levels = raw?.scoring.method === 'scale' ? raw.scoring.levels : null;
        return [
          id,
          {
            ...words,
            question: raw?.[`question${suffix}`] ?? '',
            ...(levels ? { levels: levels.map((level) => level[`label${suffix}`]) } : {}),
          },
        ];
      }),
    ),
  };
}

function fail(what: string): never {
  throw new Error(`The words of the ESG criteria do not fit: ${what}.`);
}

function checkSame(found: Iterable<string>, wanted: Iterable<string>, what: string): void {
  const [names, ids] = [new Set(found), new Set(wanted)];
  const wrong = [...names, ...ids].filter((id) => !names.has(id) || !ids.has(id));
  if (wrong.length > 0) fail(`${what} ${wrong.join(', ')}`);
}

/** Checks words against the criteria. Throws an Error that names what is missing or too much. */
export function fitWords(grid: Grid, language: Language, words: Translation): CriteriaWords {
  checkSame(
    Object.keys(words.pillars),
    grid.pillars.map(({ id }) => id),
    `${language} pillars`,
  );
  checkSame(Object.keys(words.topics), grid.topics, `${language} topics`);
  checkSame(Object.keys(words.sectors), grid.sectors.keys(), `${language} sectors`);
  checkSame(Object.keys(words.indicators), grid.indicators.keys(), `${language} indicators`);
  for (const { id, answer } of grid.indicators.values()) {
    const { levels = [], action } = words.indicators[id] ?? {};
    const wanted = answer.kind === 'level' ? answer.points.length : 0;
    if (levels.length !== wanted) fail(`${language} has ${levels.length} levels for ${id}, not ${wanted}`);
    if (answer.kind === 'yes_no' && action === undefined) fail(`${language} has no action for ${id}`);
  }
  return {
    pillars: new Map(Object.entries(words.pillars)),
    topics: new Map(Object.entries(words.topics)),
    sectors: new Map(Object.entries(words.sectors)),
    indicators: new Map(
      Object.entries(words.indicators).map(([id, { title, question, levels = [], action = null }]) => [
        id,
        { title, question, levels, action },
      ]),
    ),
  };
}

export function loadCriteriaWords(grid: Grid): Readonly<Record<Language, CriteriaWords>> {
  return {
    en: fitWords(grid, 'en', ownWords(grid, 'En', readJson('../../data/esg/criteria.en.json'))),
    fr: fitWords(grid, 'fr', ownWords(grid, 'Fr', readJson('../../data/esg/criteria.fr.json'))),
    es: fitWords(grid, 'es', TranslationFile.parse(readJson('../../data/esg/criteria.es.json'))),
    'zh-Hant': fitWords(
      grid,
      'zh-Hant',
      TranslationFile.parse(readJson('../../data/esg/criteria.zh-hant.json')),
    ),
  };
}
