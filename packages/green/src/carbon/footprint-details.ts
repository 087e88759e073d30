import { z } from 'zod';

import { PublishedSource, ResultKind } from '../kept-result.js';

/** Words of the data with their name in the answer's language. */
const Named = z.strictObject({ code: z.string(), label: z.string() });
const Remark = z.strictObject({ code: z.string(), text: z.string().min(1) });

const scope = z.literal([1, 2, 3]);
/** Of the total, from 0 to 1. */
const share = z.number().min(0).max(1);

const Line = z.strictObject({
  /** Where the quantity stands in the question, from 0; two lines share it where a fuel's production is counted too. */
  item: z.int().nonnegative(),
  activity: z.string(),
  label: z.string(),
  /** The calculation in one line. */
  text: z.string(),
  category: Named,
  scope,
  quantity: z.number().positive(),
  unit: Named,
  /** What it adds to the total and to its scope. */
  kgCO2e: z.number().nonnegative(),
  share,
  /** CO2 of burnt biomass, to be declared outside the scopes; null: unknown, or does not apply. */
  biogenicKgCO2: z.number().nonnegative().nullable(),
  /** A gas of the Montreal Protocol, to be declared apart from the Kyoto gases, outside the scopes; null: it is none. */
  outsideKyotoKgCO2e: z.number().nonnegative().nullable().default(null),
  factor: z.strictObject({ id: z.string(), value: z.number().nonnegative(), unit: z.string() }),
  /** An id of `sources`. */
  source: z.string(),
  year: z.int().nullable(),
  /** The country that the factor describes (ISO 3166-1 alpha-2, or GLOBAL). */
  geography: Named,
  /** That the factor is another country's and stands in for this one's; null: it is not. */
  approximation: z.string().nullable(),
  remarks: z.array(Remark),
});

const Refused = z.strictObject({
  item: z.int().nonnegative(),
  activity: z.string(),
  label: z.string(),
  quantity: z.number(),
  unit: z.string(),
  reason: z.string().min(1),
});

/** What a footprint of a whole company would have and this one has not. */
const NotCounted = z.strictObject({
  category: z.string(),
  label: z.string(),
  scope,
  /** False: there is no factor for it here, whatever is given. */
  canBeCounted: z.boolean(),
});

/** The whole of a footprint: what a report is made from. Kilograms are to the gram. */
export const CarbonFootprintDetails = z.strictObject({
  kind: z.literal('carbon_footprint'),
  dataVersion: z.string(),
  /** What the words are in: en, fr, es or zh-Hant. */
  language: z.string(),
  summary: z.string().min(1),
  /** What the quantities cover, as it was said. */
  period: z.string().nullable(),
  country: Named.nullable(),
  /** The IPCC report whose 100-year warming potentials are used. */
  warmingPotentials: z.string(),
  totalKgCO2e: z.number().nonnegative(),
  totalTonnesCO2e: z.number().nonnegative(),
  biogenicKgCO2: z.number().nonnegative(),
  /** Not there in footprints of before it was told apart: then it is in their total. */
  outsideKyotoKgCO2e: z.number().nonnegative().default(0),
  /** All three, also those with nothing in them. */
  scopes: z.array(z.strictObject({ scope, label: z.string(), kgCO2e: z.number(), share })).length(3),
  /** The largest first. */
  categories: z.array(Named.extend({ kgCO2e: z.number(), share })),
  lines: z.array(Line).min(1),
  refused: z.array(Refused),
  notCounted: z.array(NotCounted),
  /** Every remark once. */
  remarks: z.array(Remark),
  sources: z.array(PublishedSource),
});

export type CarbonFootprint = z.output<typeof CarbonFootprintDetails>;

/** What a footprint was calculated from. */
const FootprintGiven = z.strictObject({
  period: z.string().optional(),
  country: z.string().optional(),
  upstream: z.boolean().optional(),
  items: z.array(
    z.strictObject({
      activity: z.string(),
      quantity: z.number(),
      unit: z.string(),
      country: z.string().optional(),
    }),
  ),
});

export type FootprintGiven = z.output<typeof FootprintGiven>;

/** The company's footprints, one a period. */
export const footprints = new ResultKind(
  'footprint',
  'A carbon footprint of the company; its subject is the period that it covers, empty where none was said. `given` is what ' +
    'it was calculated from. `result` has the whole of it: `totalKgCO2e`, `scopes`, `categories`, and each of `lines` with its ' +
    'quantity, factor and source, to the gram, in the company’s language.',
  FootprintGiven,
  CarbonFootprintDetails,
);
