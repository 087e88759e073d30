import { z } from 'zod';

import { ResultKind } from '../kept-result.js';
import { instruments } from './financing-data.js';
import { regions } from './places.js';

/** A value of the data with its name in the answer's language. */
const Named = z.strictObject({ code: z.string(), label: z.string() });

/** What a programme is judged by, in the order in which it is told. */
export const criteria = ['place', 'purpose', 'sector', 'amount', 'instrument', 'access', 'window'] as const;
export type Criterion = (typeof criteria)[number];

export const verdicts = ['fits', 'does_not_fit', 'not_known'] as const;
export type VerdictCode = (typeof verdicts)[number];

const Verdict = z.strictObject({
  criterion: z.enum(criteria),
  /** The criterion's name in the answer's language. */
  label: z.string(),
  verdict: z.enum(verdicts),
  /** Why, in words. */
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
  /** The amounts with what they measure, or that none is stated. */
  text: z.string().min(1),
  /** What the sources say of amounts beside these two; in French or English. */
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
  /** What the page that was read says of the window. */
  status: Named,
  /** The year of the information; null: unknown. */
  asOfYear: z.int().nullable(),
  /** Whether it was read in the source itself. */
  confidence: Named,
  /** One for each criterion that was asked for, and for access and window. */
  verdicts: z.array(Verdict).min(1),
  /** What the order follows. */
  points: z.number().nonnegative(),
  sources: z.array(Source).min(1),
});

const origin = z.enum(['stated', 'profile']);

/** What was looked for; null: not asked. */
const Query = z.strictObject({
  /** ISO 3166-1 alpha-2. */
  country: Named.extend({ from: origin }).nullable(),
  region: Named.nullable(),
  /** `recognised` is empty where nothing in the text is a sector of the data. */
  sector: z.strictObject({ text: z.string(), from: origin, recognised: z.array(Named) }).nullable(),
  need: z.strictObject({ text: z.string(), recognised: z.array(Named) }).nullable(),
  amount: z.strictObject({ value: z.number().positive(), currency: z.string(), text: z.string() }).nullable(),
  instrument: Named.nullable(),
});

/** Everything that `find_green_financing` found: every programme of the data stands in exactly one of the three lists. */
export const FinancingMatchesDetails = z.strictObject({
  kind: z.literal('financing_matches'),
  dataVersion: z.string(),
  /** What the words are in: en, fr, es or zh-Hant. */
  language: z.string(),
  summary: z.string().min(1),
  /** How the lists are ordered, in words. */
  ranking: z.string().min(1),
  /** That each window has to be confirmed as open. */
  reminder: z.string().min(1),
  /** What the reader has to know of how the question was understood. */
  notes: z.array(z.string().min(1)),
  /** What to leave out to find more; empty where something was found. */
  widen: z.array(z.string().min(1)),
  query: Query,
  /** Nothing speaks against them, the best first. */
  matches: z.array(Programme),
  /** One criterion stands in the way. */
  near: z.array(Programme),
  /** Two or more do. */
  others: z.array(Programme),
});

/** What was asked, as it was said. */
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

/** The company's search for financing: there is but one, whose versions are its searches, and its subject is empty. */
export const financingSearches = new ResultKind(
  'financing_search',
  'The company’s latest search for green finance. `given` is what was asked, `result.query` how it was understood. ' +
    '`result.matches`, `near` and `others` have every programme with its verdicts and sources, in the company’s language.',
  FinancingQuestion,
  FinancingMatchesDetails,
);

export type FinancingMatches = z.output<typeof FinancingMatchesDetails>;
export type FinancingProgramme = FinancingMatches['matches'][number];
