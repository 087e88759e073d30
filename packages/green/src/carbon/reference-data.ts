import { z } from 'zod';

import { PublishedSource } from '../kept-result.js';

/** The two data files in the form that the calculation needs, checked once at load. */

const Value = z.number().nonnegative().nullable();

const Factor = z.object({
  id: z.string(),
  subcategory: z.string().optional(),
  scope: z.literal([1, 2, 3]),
  value: Value,
  unit: z.string(),
  year: z.int().nullish(),
  geography: z.string().default('GLOBAL'),
  sourceId: z.string().nullable(),
  confidence: z.enum(['verified in source', 'verified in secondary source', 'missing']),
  biogenicCO2: z.object({ value: z.number().positive(), unit: z.string() }).nullish(),
});

const Grid = z.object({
  iso2: z.string().regex(/^[A-Z]{2}$/),
  value: Value,
  unit: z.literal('kgCO2e/kWh'),
  year: z.int(),
  scope: z.literal(2),
  sourceId: z.string(),
  crossCheck: z.object({ value: z.number(), year: z.int() }).nullish(),
  flags: z.array(z.enum(['zero-value', 'year-2022', 'crosscheck-differs-over-20pct'])),
});

const Gas = z.object({
  id: z.string(),
  ar4: Value,
  ar5: Value,
  ar6: Value,
  scope: z.literal(1),
  unit: z.literal('kgCO2e/kg'),
  sourceId: z.string(),
});

export const FactorFile = z.object({
  schemaVersion: z.string(),
  compiledAt: z.iso.date(),
  defaultGwpSet: z.enum(['ar4', 'ar5', 'ar6']),
  sources: z.array(PublishedSource).min(1),
  gridElectricity: z.array(Grid).min(1),
  factors: z.array(Factor).min(1),
  gwp: z.array(Gas).min(1),
});

export const activityCategories = [
  'electricity',
  'fuel',
  'owned_vehicle',
  'business_travel',
  'freight',
  'waste',
  'water',
  'refrigerant',
  'direct_gas',
  'material',
  'food',
] as const;

/** Remarks that belong to an activity whatever its factor; `montreal_gas` also keeps it out of the total. */
export const activityCaveats = [
  'fuel_is_better',
  'radiative_forcing',
  'open_dump',
  'montreal_gas',
  'world_average',
] as const;

const activityFields = {
  key: z.string().regex(/^[a-z][a-z0-9_]*$/),
  category: z.enum(activityCategories),
  labels: z.strictObject({ en: z.string(), fr: z.string(), es: z.string(), 'zh-Hant': z.string() }),
  /** Words that the key does not contain, read by models. */
  glossary: z
    .string()
    .regex(/^[^()]+$/)
    .optional(),
  caveats: z.array(z.enum(activityCaveats)).default([]),
  /** Units that fit the dimension and would be misread: a cubic metre of bottled gas is not 1,000 litres. */
  exceptUnits: z.array(z.string()).default([]),
  /** Factors of producing and delivering what is burnt, counted only when asked for. */
  upstream: z.array(z.string()).default([]),
};

const Activity = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('grid'), ...activityFields }),
  z.strictObject({ kind: z.literal('factors'), factors: z.array(z.string()).min(1), ...activityFields }),
  z.strictObject({
    kind: z.literal('by-country'),
    factorsByCountry: z.record(z.string().regex(/^[A-Z]{2}$/), z.string()),
    ...activityFields,
  }),
  z.strictObject({ kind: z.literal('gas'), gas: z.string(), ...activityFields }),
]);

export const ActivityFile = z.strictObject({
  /** Short names for citing sources in a sentence. Other sources are cited by publisher. */
  sourceNames: z.record(z.string(), z.string()),
  activities: z.array(Activity).min(1),
});

export type Activity = z.output<typeof Activity>;
export type ActivityCategory = Activity['category'];
export type Source = z.output<typeof PublishedSource>;
export type FactorFile = z.output<typeof FactorFile>;
export type ActivityFile = z.output<typeof ActivityFile>;
