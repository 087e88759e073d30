import { z } from 'zod';

import criteria from '../../data/esg/esg-criteria.json' with { type: 'json' };
import { PublishedSource } from '../kept-result.js';
import { Codes, Pillar } from './esg-score.js';

export type PillarId = z.output<typeof Pillar>;

/** Units of amounts, with the largest plausible value. */
export const units = {
  percent: { maximum: 100, isWhole: false },
  deaths: { maximum: 10_000, isWhole: true },
  hours_per_employee_year: { maximum: 2_000, isWhole: false },
} as const;
export type Unit = keyof typeof units;

const Points = z.number().min(0).max(100);

/** The form of an answer and its value in points, 0 to 100. */
const AnswerScale = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('yes_no'), yes: Points, no: Points }),
  /** The points of each level, from level 0 on. */
  z.strictObject({ kind: z.literal('level'), points: z.array(Points).min(2) }),
  /** 0 points at `at0`, 100 at `at100`, in proportion between them. */
  z.strictObject({
    kind: z.literal('amount'),
    unit: z.enum(Object.keys(units) as Unit[]),
    at0: z.number(),
    at100: z.number(),
  }),
]);
export type AnswerScale = z.output<typeof AnswerScale>;

const Indicator = z.object({
  id: z.string().regex(/^[ESG]\d{2}$/),
  pillar: Pillar,
  topic: z.string(),
  /** Among the pillar's indicators, before the sector's multiplier. */
  weight: z.number().positive(),
  answer: AnswerScale,
  codes: Codes,
  /** Ids of the sources that the codes are from. */
  sources: z.array(z.string()),
  /** The question makes no sense for some companies. */
  maybeNotApplicable: z.boolean().default(false),
});
export type Indicator = z.output<typeof Indicator>;

const Sector = z.object({
  id: z.string(),
  /** By topic. Absent topics: 1. */
  multipliers: z.record(z.string(), z.number().min(0.5).max(1.5)),
});
export type Sector = z.output<typeof Sector>;

const titled = z.record(z.string(), z.unknown());

/** The criteria file in the form that the calculation needs, checked once at load. */
const CriteriaFile = z.object({
  schemaVersion: z.string(),
  compiledAt: z.iso.date(),
  scoringRule: z.object({
    pillarWeights: z.strictObject({
      E: z.number().positive(),
      S: z.number().positive(),
      G: z.number().positive(),
    }),
    minimumCoverage: z.number().min(0).max(1),
    grades: z.array(z.object({ min: Points, grade: z.string() })).min(2),
  }),
  sources: z.array(PublishedSource).min(1),
  frameworks: z.object({
    vsme: z.record(z.string(), z.object({ paragraphs: z.array(z.string()) })),
    gri: titled,
    ifc: titled,
    iso26000: z.object({ coreSubjects: titled, issues: titled }),
    sdg: titled,
  }),
  topics: z.array(z.string()).min(1),
  indicators: z.array(Indicator).min(1),
  sectors: z.array(Sector).min(1),
});
type CriteriaFile = z.output<typeof CriteriaFile>;

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
  sources: CriteriaFile['sources'];
}

function fail(what: string): never {
  throw new Error(`The ESG criteria are not usable: ${what}.`);
}

function checkUnique(ids: readonly string[], noun: string): void {
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) fail(`the ${noun} ${twice} is there twice`);
}

function unknownCodes({ codes }: Indicator, { frameworks }: CriteriaFile): string[] {
  return [
    ...codes.vsme
      .filter(({ code, paragraph }) => !frameworks.vsme[code]?.paragraphs.includes(paragraph))
      .map(({ code, paragraph }) => `VSME ${code} §${paragraph}`),
    ...codes.gri.filter((code) => !(code in frameworks.gri)).map((code) => `GRI ${code}`),
    ...codes.ifc.filter((code) => !(code in frameworks.ifc)).map((code) => `IFC ${code}`),
    ...codes.iso26000
      .filter((code) => !(code in frameworks.iso26000.coreSubjects) && !(code in frameworks.iso26000.issues))
      .map((code) => `ISO 26000 ${code}`),
    ...codes.sdg.filter((goal) => !(goal in frameworks.sdg)).map((goal) => `SDG ${goal}`),
  ];
}

function checkIndicator(indicator: Indicator, file: CriteriaFile): void {
  const { id, pillar, topic, answer } = indicator;
  if (!id.startsWith(pillar)) fail(`${id} is in another pillar than its id says`);
  if (!file.topics.includes(topic)) fail(`${id} is of an unknown topic, ${topic}`);
  if (
    answer.kind === 'level' &&
    answer.points.some((points, level) => points < (answer.points[level - 1] ?? 0))
  )
    fail(`the levels of ${id} do not climb`);
  if (answer.kind === 'amount' && answer.at0 === answer.at100) fail(`the bounds of ${id} are one`);
  const [unknown] = unknownCodes(indicator, file);
  if (unknown !== undefined) fail(`${id} names a code that is not listed, ${unknown}`);
  const missing = indicator.sources.find((source) => !file.sources.some((each) => each.id === source));
  if (missing !== undefined) fail(`${id} rests on a source that is not in it, ${missing}`);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function checkWhole(file: CriteriaFile): void {
  const idsOf = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);
  checkUnique(idsOf(file.sources), 'source');
  checkUnique(file.topics, 'topic');
  checkUnique(idsOf(file.indicators), 'indicator');
  checkUnique(idsOf(file.sectors), 'sector');
  for (const id of Pillar.options) {
    const weight = sum(file.indicators.filter(({ pillar }) => pillar === id).map(({ weight }) => weight));
    if (weight !== 100) fail(`the weights of the pillar ${id} add up to ${weight}, not 100`);
  }
  const { pillarWeights, grades } = file.scoringRule;
  if (Math.abs(sum(Object.values(pillarWeights)) - 1) > 1e-9)
    fail('the weights of the pillars do not add up to 1');
  if (!grades.some(({ min }) => min === 0)) fail('there is no grade for the lowest scores');
  for (const { id, multipliers } of file.sectors) {
    const unknown = Object.keys(multipliers).find((topic) => !file.topics.includes(topic));
    if (unknown !== undefined) fail(`the sector ${id} weighs an unknown topic, ${unknown}`);
  }
}

/** Checks and indexes the criteria. Throws an Error that names the mismatch. */
export function readGrid(json: unknown): Grid {
  const parsed = CriteriaFile.safeParse(json);
  if (!parsed.success) throw new Error(`The ESG criteria are not usable:\n${z.prettifyError(parsed.error)}`);
  const file = parsed.data;
  checkWhole(file);
  for (const indicator of file.indicators) checkIndicator(indicator, file);
  const { pillarWeights, minimumCoverage, grades } = file.scoringRule;
  return {
    version: `${file.schemaVersion}+${file.compiledAt}`,
    pillars: Pillar.options.map((id) => ({ id, weight: pillarWeights[id] })),
    topics: file.topics,
    indicators: new Map(file.indicators.map((indicator) => [indicator.id, indicator])),
    sectors: new Map(file.sectors.map((sector) => [sector.id, sector])),
    minimumCoverage,
    grades: grades.toSorted((one, other) => other.min - one.min),
    sources: file.sources,
  };
}

export function loadGrid(): Grid {
  return readGrid(criteria);
}
