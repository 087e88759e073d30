import { z } from 'zod';

import type { JsonObject } from '../common/json.js';

const MAX_ATTRIBUTES_CHARACTERS = 20_000;
const MAX_ATTRIBUTES_DEPTH = 20;

/** Codes that Intl has names for and ISO 3166-1 does not assign: reserved, transitional, withdrawn, for tests. */
const notAssigned = new Set(
  'AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH QO RH SU TA TP UK UN VD XA XB YD YU ZR'.split(' '),
);

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** What PostgreSQL can store (no NUL, no half of a character) and a form can hold (no other control characters). */
const isPlain = (value: string): boolean => value.isWellFormed() && !/[^\P{Cc}\n\r\t]/u.test(value);

const text = (most: number) =>
  z
    .string()
    .refine(isPlain, 'This holds characters that are not text.')
    .trim()
    .min(1, 'This must not be empty.')
    .max(most, `This must be at most ${most} characters long.`);

const points = z.array(text(500)).max(100, 'These must be at most 100.');

/** Null would leave the column without a value it cannot do without. */
const required = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .custom<unknown>((value) => value !== null, 'This must not be null.')
    .pipe(schema.optional())
    .optional();

export const country = z
  .string()
  .trim()
  .transform((code) => code.toUpperCase())
  .refine(isCountry, 'This must be a country’s ISO 3166-1 alpha-2 code, such as SN.');

export const language = z
  .string()
  .trim()
  .refine(isLanguage, { error: 'This must be a BCP 47 language, such as fr or zh-Hant.', abort: true })
  .transform((tag) => Intl.getCanonicalLocales(tag)[0] ?? tag);

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
    z.custom<JsonObject>(isJsonObject, 'This must be a JSON object.').superRefine((attributes, context) => {
      const fault = faultOf(attributes);
      if (fault) context.addIssue(fault);
    }),
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
  if (notAssigned.has(code)) return false;
  const name = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code);
  return name !== undefined && name !== 'Unknown Region';
}

function isLanguage(tag: string): boolean {
  try {
    // Longer first parts are well-formed and reserved: `french` is not a language's code.
    return tag.length <= 35 && /^[a-z]{2,3}(-|$)/i.test(tag) && Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

function isJsonObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Looks through the whole value in a loop, because what is nested too deep would end a recursion. */
function faultOf(attributes: JsonObject): string | null {
  let level: object[] = [attributes];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_ATTRIBUTES_DEPTH) return `This must be at most ${MAX_ATTRIBUTES_DEPTH} levels deep.`;
    const keys = level.flatMap((value) => Object.keys(value));
    // No reader of the attributes has to think of what assigning such a key would do.
    if (keys.includes('__proto__')) return 'No key may be __proto__.';
    const values = level.flatMap((value) => Object.values(value) as unknown[]);
    if (![...keys, ...values].every((value) => typeof value !== 'string' || isPlain(value))) {
      return 'This holds characters that are not text.';
    }
    level = values.filter((value) => typeof value === 'object' && value !== null);
  }
  return JSON.stringify(attributes).length > MAX_ATTRIBUTES_CHARACTERS
    ? `This must be at most ${MAX_ATTRIBUTES_CHARACTERS} characters of JSON.`
    : null;
}
