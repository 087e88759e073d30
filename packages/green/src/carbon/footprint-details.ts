import { z } from 'zod';

import { PublishedSource, ResultKind } from '../kept-result.js';

/** A term of the data, with its name in the answer's language. */
const Named = z.strictObject({ code: z.string(), label: z.string() });
const Remark = z.strictObject({ code: z.string(), text: z.string().min(1) });

const scope = z.literal([1, 2, 3]);
/** A share of the total, from 0 to 1. */
const share = z.number().min(0).max(1);

const Line = z.strictObject({
  /** The index of the quantity in the question. Two lines share it where a fuel's production is counted too. */
  item: z.int().nonnegative(),
  activity: z.string(),
  label: z.string(),
  /** The calculation in one line. */
  text: z.string(),
  category: Named,
  scope,
  quantity: z.number().positive(),
  unit: Named,
  /** The part that counts in the total and in its scope. */
  kgCO2e: z.number().nonnegative(),
  share,
  /** CO2 of burnt biomass, to be declared outside the scopes; null: unknown, or does not apply. */
  biogenicKgCO2: z.number().nonnegative().nullable(),
  /** A gas of the Montreal Protocol, declared apart from Kyoto gases, outside the scopes. Null: not such a gas. */
  outsideKyotoKgCO2e: z.number().nonnegative().nullable().default(null),
  factor: z.strictObject({ id: z.string(), value: z.number().nonnegative(), unit: z.string() }),
  /** An id of `sources`. */
  source: z.string(),
  year: z.int().nullable(),
  /** The country that the factor describes (ISO 3166-1 alpha-2, or GLOBAL). */
  geography: Named,
  /** The note that another country's factor stands in. Null: the factor is the country's own. */
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

/** What a footprint of a whole company would have in addition. */
const NotCounted = z.strictObject({
  category: z.string(),
  label: z.string(),
  scope,
  /** False: no factor for it exists here. */
  canBeCounted: z.boolean(),
});

/** The whole footprint, from which reports are made. Kilograms are exact to the gram. */
export const CarbonFootprintDetails = z.strictObject({
  kind: z.literal('carbon_footprint'),
  dataVersion: z.string(),
  /** The language of the words: en, fr, es or zh-Hant. */
  language: z.string(),
  summary: z.string().min(1),
  /** The period of the quantities, as stated. */
  period: z.string().nullable(),
  country: Named.nullable(),
  /** The IPCC report whose 100-year warming potentials are used. */
  warmingPotentials: z.string(),
  totalKgCO2e: z.number().nonnegative(),
  totalTonnesCO2e: z.number().nonnegative(),
  biogenicKgCO2: z.number().nonnegative(),
  /** Absent in older footprints, whose total includes it. */
  outsideKyotoKgCO2e: z.number().nonnegative().default(0),
  /** All three, including empty ones. */
  scopes: z.array(z.strictObject({ scope, label: z.string(), kgCO2e: z.number(), share })).length(3),
  /** The largest first. */
  categories: z.array(Named.extend({ kgCO2e: z.number(), share })),
  lines: z.array(Line).min(1),
  refused: z.array(Refused),
  notCounted: z.array(NotCounted),
  /** Each remark once. */
  remarks: z.array(Remark),
  sources: z.array(PublishedSource),
});

export type CarbonFootprint = z.output<typeof CarbonFootprintDetails>;

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
