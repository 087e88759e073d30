import { type JsonObject, SkillError } from '@palabre/plugin';
import { z } from 'zod';

import { Fault, Faults } from '../result-wording.js';
import { countryCodeOf, measureIn, Names } from '../understanding.js';
import { type Forms, languages } from '../wording.js';
import { carbonWordingOf } from './carbon-wording.js';
import type { EmissionData } from './emission-data.js';
import type { FootprintGiven } from './footprint-details.js';
import type { FootprintItem } from './footprint.js';
import { footprintChanges } from './footprint-parameters.js';
import { type Unit, unitNames } from './unit.js';

const country = z.string().min(2).max(100).transform(countryCodeOf);

const Item = z.strictObject({
  activity: z.string().min(1).max(200),
  quantity: z.union([z.number(), z.string().max(100)]),
  unit: z.string().max(50).optional(),
  country: country.optional(),
});

const Input = z.strictObject({
  country: country.optional(),
  period: z.string().min(1).max(60).optional(),
  upstream: z.boolean().optional(),
  change: z.enum(footprintChanges).optional(),
  items: z.array(Item).min(1).max(100).optional(),
});

export type FootprintArguments = FootprintGiven & { change?: (typeof footprintChanges)[number] | undefined };

/** Reads what a model wrote: names in any language, and numbers as people write them. */
export class ArgumentReader {
  private readonly activities: Names<string>;

  constructor(data: EmissionData) {
    this.activities = new Names(
      [...data.activities.values()].map(({ key, labels, glossary = '' }) => [
        key,
        languages.map((language) => labels[language]),
        glossary.split(','),
      ]),
    );
  }

  /** Throws SkillError for what does not fit, and Faults that say of every item what it lacks. */
  read(input: JsonObject): FootprintArguments {
    const parsed = Input.safeParse(input);
    if (!parsed.success) throw new SkillError(`The arguments do not fit:\n${z.prettifyError(parsed.error)}`);
    const faults: Fault['says'][number][] = [];
    const items = (parsed.data.items ?? []).flatMap((item): FootprintItem[] => {
      try {
        return [this.readItem(item)];
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        faults.push(...error.says);
        return [];
      }
    });
    if (faults.length > 0) throw new Faults(faults);
    return { ...parsed.data, items };
  }

  private readItem({ activity: text, quantity, unit, country }: z.output<typeof Item>): FootprintItem {
    const activity = this.activities.find(text);
    if (activity === undefined) {
      throw new Fault('unknownActivity', { text, nearest: this.activities.nearest(text).join(', ') });
    }
    const measure = typeof quantity === 'number' ? { value: quantity, unit: '' } : measureIn(quantity);
    const stated = unit ?? measure.unit;
    if (stated === '') throw new Fault('unitMissing', { text });
    return { activity, quantity: measure.value, unit: units.find(stated) ?? stated, country };
  }
}

/** What people write for a unit beside the names that answers have for it. */
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
      ...languages.flatMap((language) => formsOf(carbonWordingOf(language).texts.units[unit])),
      ...(symbols[unit] ?? []),
    ],
  ]),
);
