import { readFileSync } from 'node:fs';

import { z } from 'zod';

import { CriteriaFile, type RawIndicator, type Source } from './criteria-file.js';

export type PillarId = 'E' | 'S' | 'G';

/** What amounts are counted in, and the most that can be meant seriously. */
export const units = {
  percent: { inFile: '%', maximum: 100, isWhole: false },
  deaths: { inFile: 'décès', maximum: 10_000, isWhole: true },
  hours_per_employee_year: { inFile: 'h/employé/an', maximum: 2_000, isWhole: false },
} as const;
export type Unit = keyof typeof units;

/** What an answer looks like and what it is worth, in points from 0 to 100. */
export type AnswerScale =
  | { kind: 'yes_no'; yes: number; no: number }
  /** The points of each level, from level 0 on. */
  | { kind: 'level'; points: readonly number[] }
  /** 0 points at `at0`, 100 at `at100`, in proportion between them. */
  | { kind: 'amount'; unit: Unit; at0: number; at100: number };

export interface Indicator {
  id: string;
  pillar: PillarId;
  topic: string;
  /** Among the pillar's indicators, before the sector's multiplier. */
  weight: number;
  answer: AnswerScale;
  codes: RawIndicator['mapping'];
  /** Ids of the sources that the codes are from. */
  sources: readonly string[];
  /** There are companies that the question has no sense for. */
  maybeNotApplicable: boolean;
}

export interface Sector {
  id: string;
  /** By topic; 1 for one that is not there. */
  multipliers: Readonly<Record<string, number>>;
}

/** The criteria, checked and indexed. */
export interface Grid {
  version: string;
  /** Each pillar's share of the overall score. */
  pillars: readonly { id: PillarId; weight: number }[];
  topics: readonly string[];
  /** By id, in the file's order. */
  indicators: ReadonlyMap<string, Indicator>;
  sectors: ReadonlyMap<string, Sector>;
  minimumCoverage: number;
  /** The best first. */
  grades: readonly { min: number; grade: string }[];
  sources: readonly Source[];
  file: CriteriaFile;
}

/**
 * No permit to hold, no waste water, nobody employed or exposed, one sex only, one person in charge, no neighbours.
 * All else concerns every company: setting it aside would be a way to a better score.
 */
const maybeNotApplicable: ReadonlySet<string> = new Set(
  'E07 E09 S01 S02 S03 S05 S06 S07 S08 S09 S11 S12 S13 G05'.split(' '),
);

function fail(what: string): never {
  throw new Error(`The ESG criteria are not usable: ${what}.`);
}

function checkUnique(ids: readonly string[], noun: string): void {
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) fail(`the ${noun} ${twice} is there twice`);
}

const answerTypes = { boolean: ['boolean'], scale: ['scale'], linear: ['percentage', 'number'] } as const;

function toAnswerScale({ id, scoring, answerType, unit }: RawIndicator): AnswerScale {
  if (!answerTypes[scoring.method].some((type) => type === answerType)) {
    fail(`${id} scores a ${answerType} by the method ${scoring.method}`);
  }
  switch (scoring.method) {
    case 'boolean':
      return { kind: 'yes_no', yes: scoring.true, no: scoring.false };
    case 'scale': {
      const points = scoring.levels.map(({ score }) => score);
      const climbs = scoring.levels.every(
        ({ value, score }, index) => value === index && score >= (points[index - 1] ?? 0),
      );
      if (!climbs) fail(`the levels of ${id} do not climb from 0`);
      return { kind: 'level', points };
    }
    case 'linear': {
      const { at0, at100, better } = scoring;
      if (at0 === at100 || at100 > at0 !== (better === 'higher'))
        fail(`the bounds of ${id} contradict each other`);
      const found = (Object.keys(units) as Unit[]).find((each) => units[each].inFile === unit);
      return { kind: 'amount', unit: found ?? fail(`${id} is in an unknown unit`), at0, at100 };
    }
  }
}

/** Where the codes of a framework were read. The disclosures of GRI 2 come from a list of their own. */
function sourcesOf({ mapping: { vsme, gri, ifc, iso26000, sdg } }: RawIndicator): string[] {
  return [
    ...(vsme.length > 0 ? ['efrag-vsme-2026-05-01'] : []),
    ...(gri.some((code) => !code.startsWith('2-')) ? ['gri-list'] : []),
    ...(gri.some((code) => code.startsWith('2-')) ? ['gri2-list'] : []),
    ...(ifc.length > 0 ? ['ifc-ps-2012'] : []),
    ...(iso26000.length > 0 ? ['iso26000-asq'] : []),
    ...(sdg.length > 0 ? ['sdg'] : []),
  ];
}

function toIndicator(raw: RawIndicator): Indicator {
  return {
    id: raw.id,
    pillar: raw.pillar,
    topic: raw.topic,
    weight: raw.weight,
    answer: toAnswerScale(raw),
    codes: raw.mapping,
    sources: sourcesOf(raw),
    maybeNotApplicable: maybeNotApplicable.has(raw.id),
  };
}

function unknownCodes({ mapping }: RawIndicator, { frameworks }: CriteriaFile): string[] {
  return [
    ...mapping.vsme
      .filter(({ code, paragraph }) => !frameworks.vsme[code]?.paragraphs.includes(paragraph))
      .map(({ code, paragraph }) => `VSME ${code} §${paragraph}`),
    ...mapping.gri.filter((code) => !(code in frameworks.gri)).map((code) => `GRI ${code}`),
    ...mapping.ifc.filter((code) => !(code in frameworks.ifc)).map((code) => `IFC ${code}`),
    ...mapping.iso26000
      .filter((code) => !(code in frameworks.iso26000.coreSubjects) && !(code in frameworks.iso26000.issues))
      .map((code) => `ISO 26000 ${code}`),
    ...mapping.sdg.filter((goal) => !(goal in frameworks.sdg)).map((goal) => `SDG ${goal}`),
  ];
}

function checkIndicator(raw: RawIndicator, file: CriteriaFile): void {
  if (!raw.id.startsWith(raw.pillar)) fail(`${raw.id} is in another pillar than its id says`);
  if (!file.topics.some(({ id }) => id === raw.topic)) fail(`${raw.id} is of an unknown topic, ${raw.topic}`);
  const [unknown] = unknownCodes(raw, file);
  if (unknown !== undefined) fail(`${raw.id} names a code that is not listed, ${unknown}`);
  const missing = sourcesOf(raw).find((id) => !file.sources.some((source) => source.id === id));
  if (missing !== undefined) fail(`${raw.id} rests on a source that is not in it, ${missing}`);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function checkWhole(file: CriteriaFile): void {
  const lists = {
    source: file.sources,
    pillar: file.pillars,
    topic: file.topics,
    indicator: file.indicators,
    sector: file.sectors,
  };
  for (const [noun, list] of Object.entries(lists))
    checkUnique(
      list.map(({ id }) => id),
      noun,
    );
  for (const { id } of file.pillars) {
    const weight = sum(file.indicators.filter(({ pillar }) => pillar === id).map(({ weight }) => weight));
    if (weight !== 100) fail(`the weights of the pillar ${id} add up to ${weight}, not 100`);
  }
  const { pillarWeights, grades } = file.scoringRule;
  if (Math.abs(sum(Object.values(pillarWeights)) - 1) > 1e-9)
    fail('the weights of the pillars do not add up to 1');
  if (!grades.some(({ min }) => min === 0)) fail('there is no grade for the lowest scores');
  for (const { id, multipliers } of file.sectors) {
    const unknown = Object.keys(multipliers).find((topic) => !file.topics.some((each) => each.id === topic));
    if (unknown !== undefined) fail(`the sector ${id} weighs an unknown topic, ${unknown}`);
  }
  const gone = [...maybeNotApplicable].find(
    (id) => !file.indicators.some((indicator) => indicator.id === id),
  );
  if (gone !== undefined) fail(`the indicator ${gone} is gone`);
}

/** Checks and indexes the criteria. Throws an Error that says what does not fit. */
export function readGrid(json: unknown): Grid {
  const parsed = CriteriaFile.safeParse(json);
  if (!parsed.success) throw new Error(`The ESG criteria are not usable:\n${z.prettifyError(parsed.error)}`);
  const file = parsed.data;
  checkWhole(file);
  for (const raw of file.indicators) checkIndicator(raw, file);
  const { pillarWeights, minimumCoverage, grades } = file.scoringRule;
  return {
    version: `${file.schemaVersion}+${file.compiledAt}`,
    pillars: file.pillars.map(({ id }) => ({ id, weight: pillarWeights[id] })),
    topics: file.topics.map(({ id }) => id),
    indicators: new Map(file.indicators.map((raw) => [raw.id, toIndicator(raw)])),
    sectors: new Map(file.sectors.map(({ id, multipliers }) => [id, { id, multipliers }])),
    minimumCoverage,
    grades: grades.toSorted((one, other) => other.min - one.min),
    sources: file.sources,
    file,
  };
}

/** The criteria as they ship with the product, before any check. */
export function readCriteriaJson(): unknown {
  return JSON.parse(readFileSync(new URL('../../data/esg/esg-criteria.json', import.meta.url), 'utf8'));
}

export function loadGrid(): Grid {
  return readGrid(readCriteriaJson());
}
