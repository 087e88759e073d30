import { z } from 'zod';

import type { JsonObject } from '../common/json.js';

const MAX_ATTRIBUTES_CHARACTERS = 20_000;

const currencies = new Set(Intl.supportedValuesOf('currency'));

const text = (most: number) =>
  z
    .string()
    .trim()
    .min(1, 'This must not be empty.')
    .max(most, `This must be at most ${most} characters long.`);

const points = z.array(text(500)).max(100, 'These must be at most 100.');

/** Null would leave the column without a value it cannot do without. */
const required = <Schema extends z.ZodType>(schema: Schema) => schema.optional();

export const country = z
  .string()
  .trim()
  .transform((code) => code.toUpperCase())
  .refine(isCountry, 'This must be a country’s ISO 3166-1 alpha-2 code, such as SN.');

export const language = z
  .string()
  .trim()
  .refine(isLanguage, 'This must be a BCP 47 language, such as fr or zh-Hant.');

/** What may be changed of a company. Left out: as it was. Null: no longer known. */
export const CompanyChanges = z.object({
  name: required(text(200)),
  sector: text(200).nullish(),
  country: country.nullish(),
  city: text(200).nullish(),
  headcount: z
    .int('This must be a whole number.')
    .min(0, 'This must not be negative.')
    .max(2_000_000_000, 'This is too large.')
    .nullish(),
  revenue: z
    .object({
      amount: z
        .number('This must be a number.')
        .min(0, 'This must not be negative.')
        .max(1e18, 'This is too large.'),
      currency: z
        .string()
        .trim()
        .transform((code) => code.toUpperCase())
        .refine((code) => currencies.has(code), 'This must be an ISO 4217 currency, such as XOF.'),
    })
    .nullish(),
  environmentalPractices: required(points),
  declaredGoals: required(points),
  attributes: required(
    z
      .custom<JsonObject>(isJsonObject, 'This must be a JSON object.')
      .refine(
        (attributes) => JSON.stringify(attributes).length <= MAX_ATTRIBUTES_CHARACTERS,
        `This must be at most ${MAX_ATTRIBUTES_CHARACTERS} characters of JSON.`,
      ),
  ),
  language: required(language),
});
export type CompanyChanges = z.output<typeof CompanyChanges>;

export const CompanyCreation = z.object({
  slug: z
    .string()
    .regex(
      /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
      'A slug is 1 to 63 lowercase letters, digits and hyphens.',
    ),
  name: text(200),
  country: country.optional(),
  language: language.optional(),
  sector: text(200).optional(),
});

function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code)) return false;
  const name = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code);
  return name !== undefined && name !== 'Unknown Region';
}

function isLanguage(tag: string): boolean {
  try {
    return tag.length <= 35 && Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

function isJsonObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
