import { z } from 'zod';

import { ResultKind } from '../kept-result.js';
import { instruments } from './financing-data.js';
import { regions } from './places.js';

/** A value of the data, with its name in the answer's language. */
const Named = z.strictObject({ code: z.string(), label: z.string() });

/** The criteria for programmes, in the order of reports. */
export const criteria = ['place', 'purpose', 'sector', 'amount', 'instrument', 'access', 'window'] as const;
export type Criterion = (typeof criteria)[number];

export const verdicts = ['fits', 'does_not_fit', 'not_known'] as const;
export type VerdictCode = (typeof verdicts)[number];

const Verdict = z.strictObject({
  criterion: z.enum(criteria),
  /** The criterion's name in the answer's language. */
  label: z.string(),
  verdict: z.enum(verdicts),
  reason: z.string().min(1),
});

const Amount = z.strictObject({
  /** As the data has them; null: not stated. */
  min: z.number().nonnegative().nullable(),
  max: z.number().nonnegative().nullable(),
  /** ISO 4217. */
  currency: z.string().nullable(),
  /** What the amount measures: a grant, a loan, the size of the investment … */
  basis: Named.nullable(),
  /** The amounts and what they measure, or that none is stated. */
  text: z.string().min(1),
  /** Other statements of the sources on amounts, in French or English. */
  note: z.string().nullable(),
});

const Source = z.strictObject({
  publisher: z.string(),
  url: z.url(),
  /** Official, press, aggregator … */
  type: Named,
  year: z.int().nullable(),
});

const Programme = z.strictObject({
  id: z.string(),
  name: z.string(),
  provider: z.string(),
  /** In French or English. */
  summary: z.string(),
  instruments: z.array(Named).min(1),
  purposes: z.array(Named).min(1),
  /** Directly, through a bank, through an intermediary … */
  access: Named,
  applicants: z.array(Named).min(1),
  amount: Amount,
  /** The status of the window according to the page. */
  status: Named,
  /** The year of the information; null: unknown. */
  asOfYear: z.int().nullable(),
  /** Whether the source itself was read. */
  confidence: Named,
  /** One for each requested criterion, and for access and window. */
  verdicts: z.array(Verdict).min(1),
  /** The sort key of the order. */
  points: z.number().nonnegative(),
  sources: z.array(Source).min(1),
});

const origin = z.enum(['stated', 'profile']);

/** The search terms. Null: not asked. */
const Query = z.strictObject({
  /** ISO 3166-1 alpha-2. */
  country: Named.extend({ from: origin }).nullable(),
  region: Named.nullable(),
  /** `recognised` is empty where the text names no known sector. */
  sector: z.strictObject({ text: z.string(), from: origin, recognised: z.array(Named) }).nullable(),
  need: z.strictObject({ text: z.string(), recognised: z.array(Named) }).nullable(),
  amount: z.strictObject({ value: z.number().positive(), currency: z.string(), text: z.string() }).nullable(),
  instrument: Named.nullable(),
});

/** The result of `find_green_financing`. Each programme is in exactly one of the three lists. */
export const FinancingMatchesDetails = z.strictObject({
  kind: z.literal('financing_matches'),
  dataVersion: z.string(),
  /** The language of the words: en, fr, es or zh-Hant. */
  language: z.string(),
  summary: z.string().min(1),
  /** How the lists are ordered, in words. */
  ranking: z.string().min(1),
  /** A reminder to confirm that each window is open. */
  reminder: z.string().min(1),
  /** Notes on how the question was understood. */
  notes: z.array(z.string().min(1)),
  /** Criteria to leave out to find more. Empty where something was found. */
  widen: z.array(z.string().min(1)),
  query: Query,
  /** No criterion is failed. The best come first. */
  matches: z.array(Programme),
  /** One criterion is failed. */
  near: z.array(Programme),
  /** Two or more criteria are failed. */
  others: z.array(Programme),
});

/** The question, as asked. */
export const FinancingQuestion = z.strictObject({
  /** ISO 3166-1 alpha-2. */
  country: z.string().optional(),
  region: z.enum(regions).optional(),
  sector: z.string().optional(),
  /** A purpose of the data, or words. */
  need: z.string().optional(),
  amount: z.strictObject({ value: z.number(), currency: z.string() }).optional(),
  instrument: z.enum(instruments).optional(),
});

export type FinancingQuestion = z.output<typeof FinancingQuestion>;

/** The company's search for financing. There is one, so its subject is empty; each search is a version. */
export const financingSearches = new ResultKind(
  'financing_search',
  'The company’s latest search for green finance. `given` is what was asked, `result.query` how it was understood. ' +
    '`result.matches`, `near` and `others` have every programme with its verdicts and sources, in the company’s language.',
  FinancingQuestion,
  FinancingMatchesDetails,
);

export type FinancingMatches = z.output<typeof FinancingMatchesDetails>;
export type FinancingProgramme = FinancingMatches['matches'][number];
