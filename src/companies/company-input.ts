import { z } from 'zod';
import { isPlain, line, lines } from '@palabre/text';
import { isJsonObject, type JsonObject } from '@palabre/json';

import { optionalNotNull } from '../common/check-input.js';

/** What happens to risky skill calls, once a turn has read texts of strangers, unless an admin decided for the skill. */
const foreignTextPolicies = ['RUN', 'ASK', 'REFUSE'] as const;
export type ForeignTextPolicy = (typeof foreignTextPolicies)[number];

export const MAX_HEADCOUNT = 2_000_000_000;
export const MAX_POINTS = 100;
export const MAX_POINT_CHARACTERS = 500;
export const MAX_ATTRIBUTES_CHARACTERS = 20_000;
export const MAX_ATTRIBUTES_DEPTH = 20;

/** Codes that Intl has names for but ISO 3166-1 does not assign: reserved, transitional, withdrawn and test codes. */
const notAssigned = new Set(
  'AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH QO RH SU TA TP UK UN VD XA XB YD YU ZR'.split(' '),
);

const currencies = new Set(Intl.supportedValuesOf('currency'));

const points = z.array(lines(MAX_POINT_CHARACTERS)).max(MAX_POINTS, `These must be at most ${MAX_POINTS}.`);

const country = z
  .string()
  .trim()
  .transform((code) => code.toUpperCase())
  .refine(isCountry, 'This must be a country’s ISO 3166-1 alpha-2 code, such as SN.');

export const language = z
  .string()
  .trim()
  .refine(isLanguage, { error: 'This must be a BCP 47 language, such as fr or zh-Hant.', abort: true })
  .transform((tag) => Intl.getCanonicalLocales(tag)[0] ?? tag);

/** What may be changed of a company. A missing field stays as it is; null, where allowed, means no longer known. */
export const CompanyChanges = z.object({
  name: optionalNotNull(line(200)),
  sector: line(200).nullish(),
  country: country.nullish(),
  city: line(200).nullish(),
  headcount: z
    .int('This must be a whole number.')
    .min(0, 'This must not be negative.')
    .max(MAX_HEADCOUNT, `This must be at most ${MAX_HEADCOUNT}.`)
    .nullish(),
  revenue: z
    .object({
      amount: z
        .number('This must be a number.')
        .min(0, 'This must not be negative.')
        .max(1e18, 'This must be at most 10^18.'),
      currency: z
        .string()
        .trim()
        .transform((code) => code.toUpperCase())
        .refine((code) => currencies.has(code), 'This must be an ISO 4217 currency, such as XOF.'),
    })
    .nullish(),
  environmentalPractices: optionalNotNull(points),
  declaredGoals: optionalNotNull(points),
  attributes: optionalNotNull(
    z.custom<JsonObject>(isJsonObject, 'This must be a JSON object.').superRefine((attributes, context) => {
      const fault = findProblem(attributes);
      if (fault) context.addIssue(fault);
    }),
  ),
  language: optionalNotNull(language),
  foreignTextPolicy: optionalNotNull(z.enum(foreignTextPolicies)),
});
export type CompanyChanges = z.output<typeof CompanyChanges>;

export const CompanyCreation = z.object({
  slug: z
    .string()
    .regex(
      /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
      'A slug is 1 to 63 lowercase letters, digits and hyphens.',
    ),
  name: line(200),
  country: country.optional(),
  language: language.optional(),
  sector: line(200).optional(),
});

function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code)) return false;
  if (notAssigned.has(code)) return false;
  const name = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code);
  return name !== undefined && name !== 'Unknown Region';
}

function isLanguage(tag: string): boolean {
  try {
    // Longer first subtags are well-formed but reserved: `french` is not a language code.
    return tag.length <= 35 && /^[a-z]{2,3}(-|$)/i.test(tag) && Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** Walks the value level by level: a recursion would overflow the stack on deep nesting. */
function findProblem(attributes: JsonObject): string | null {
  let level: object[] = [attributes];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_ATTRIBUTES_DEPTH) return `This must be at most ${MAX_ATTRIBUTES_DEPTH} levels deep.`;
    const keys = level.flatMap((value) => Object.keys(value));
    // Assigning such a key changes the prototype; no reader of attributes should have to care.
    if (keys.includes('__proto__')) return 'No key may be __proto__.';
    const values = level.flatMap((value) => Object.values(value) as unknown[]);
    if (![...keys, ...values].every((value) => typeof value !== 'string' || isPlain(value)))
      return 'This holds characters that are not text.';
    // JSON cannot express infinity: it would be stored as null.
    if (values.includes(Infinity) || values.includes(-Infinity))
      return 'This holds a number that is too large.';
    level = values.filter((value) => typeof value === 'object' && value !== null);
  }
  return JSON.stringify(attributes).length > MAX_ATTRIBUTES_CHARACTERS
    ? `This must be at most ${MAX_ATTRIBUTES_CHARACTERS} characters of JSON.`
    : null;
}
