import { type JsonObject, readInput } from '@palabre/plugin';
import { z } from 'zod';

import { Fault } from '../result-wording.js';
import { countryCodeOf, measureIn, Names } from '../understanding.js';
import { type Forms, languages, wordingOf } from '../wording.js';
import type { EmissionData } from './emission-data.js';
import type { FootprintGiven } from './footprint-details.js';
import type { FootprintItem } from './footprint.js';
import { type Unit, unitNames } from './unit.js';

const country = z.string().min(2).max(100).transform(countryCodeOf);

export const ItemInput = z.strictObject({
  activity: z
    .string()
    .min(1)
    .max(200)
    .describe(
      'In a word or two: electricity, diesel, refrigerant R410A, long-haul flight … One that is not ' +
        'known is answered with the nearest that are',
    ),
  quantity: z.union([z.number(), z.string().max(100)]),
  unit: z.string().max(50).optional().describe(unitNames.join(', ')),
  country: country.optional().describe('Only when it is another'),
});
type ItemInput = z.output<typeof ItemInput>;

export const FootprintInput = z.strictObject({
  country: country.optional().describe('Where the electricity is used; left out: the company’s own'),
  period: z.string().min(1).max(60).optional().describe('What the quantities cover, as 2025'),
  upstream: z.boolean().optional().describe('Only when the user asks for well-to-tank emissions (WTT) too'),
  // Without it, the quantities are a new footprint.
  change: z
    .enum(['correction', 'variant'])
    .optional()
    .describe(
      'Of the company’s latest footprint, with only the items that change. correction: replaces or completes it, 0 takes ' +
        'out; variant: a what-if that is not kept',
    ),
  items: z
    .array(ItemInput)
    .min(1)
    .max(100)
    .optional()
    .describe('One for each quantity that the user stated; none: tells the kept footprint'),
});

export type FootprintArguments = FootprintGiven & Pick<z.output<typeof FootprintInput>, 'change'>;

/** Reads a model's arguments: names in any language, numbers as people write them. */
export class ArgumentReader {
  private readonly activities: Names<string>;

  constructor(private readonly data: EmissionData) {
    this.activities = new Names(
      [...data.activities.values()].map(({ key, labels, glossary = '' }) => [
        key,
        languages.map((language) => labels[language]),
        glossary.split(','),
      ]),
    );
  }

  /** Throws SkillError for bad arguments, and the errors of `readItems`. */
  read(input: JsonObject): FootprintArguments {
    const { items = [], ...asked } = readInput(FootprintInput, input);
    return { ...asked, items: this.readItems(items) };
  }

  /** Throws AggregateError of a Fault for each item that lacks something. */
  readItems(given: readonly ItemInput[]): FootprintItem[] {
    const faults: Fault[] = [];
    const items = given.flatMap((item): FootprintItem[] => {
      try {
        return [this.readItem(item)];
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        faults.push(error);
        return [];
      }
    });
    if (faults.length > 0) throw new AggregateError(faults);
    return items;
  }

  private labelIn(activity: string, language: string): string {
    return this.data.activities.get(activity)?.labels[wordingOf(language).language] ?? activity;
  }

  private readItem({ activity: text, quantity, unit, country }: ItemInput): FootprintItem {
    const activity = this.activities.find(text);
    if (activity === undefined) {
      throw new Fault('unknownActivity', {
        text,
        nearest: (language) => this.activities.sayNearest(text, (key) => this.labelIn(key, language)),
      });
    }
    const measure = typeof quantity === 'number' ? { value: quantity, unit: '' } : measureIn(quantity);
    const stated = unit ?? measure.unit;
    if (stated === '') throw new Fault('unitMissing', { text });
    return { activity, quantity: measure.value, unit: units.find(stated) ?? stated, country };
  }
}

/** Symbols that people write for a unit, besides its names in answers. */
const symbols: Partial<Record<Unit, readonly string[]>> = {
  litre: ['l', 'liter', 'liters'],
  m3: [
    'cubic metre',
    'cubic metres',
    'cubic meter',
    'cubic meters',
    'mètre cube',
    'mètres cubes',
    'metro cúbico',
  ],
  kg: ['kilo', 'kilos', 'kilogram', 'kilograms', 'kilogramme', 'kilogrammes'],
  tonne: ['t', 'metric ton', 'metric tons'],
  km: ['kilometre', 'kilometres', 'kilometer', 'kilometers', 'kilomètre', 'kilomètres', 'kilómetros'],
  passenger_km: ['pkm', 'passager.km'],
  tonne_km: ['tkm', 't.km'],
};

function formsOf(forms: Forms): string[] {
  return typeof forms === 'string' ? [forms] : Object.values(forms);
}

const units = new Names<Unit>(
  unitNames.map((unit) => [
    unit,
    [
      ...languages.flatMap((language) => formsOf(wordingOf(language).carbon.units[unit])),
      ...(symbols[unit] ?? []),
    ],
  ]),
);
