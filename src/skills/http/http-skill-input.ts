import { z } from 'zod';
import { BadSchema, checkedSchema } from '@palabre/json-schema';
import { isPlain, line, lines } from '@palabre/text';
import {
  argumentPlaces,
  BadTemplate,
  HEADER_NAME,
  httpBodies,
  type HttpBody,
  httpMethods,
  isTakenHeader,
  type Placement,
  readTemplate,
  type SecretPlace,
} from '@palabre/openapi';
import type { JsonObject, JsonValue } from '@palabre/json';

import type { HttpSettings } from './http-settings.js';
import { BadPath, requireResultPath } from './result-path.js';
import { MIN_SECRET_CHARACTERS } from './secret-echo.js';
import { badInput } from '../../common/errors/domain-error.js';
import type { OwnSkill } from '../skill-definitions.service.js';

export const MAX_DESCRIPTION_CHARACTERS = 4_000;
/** For visible headers, and for secret ones. */
export const MAX_HEADERS = 20;
export const MAX_PLACEMENTS = 100;
const MAX_SECRET_CHARACTERS = 4_096;
export const DEFAULT_TIMEOUT_SECONDS = 15;
export const MAX_TIMEOUT_SECONDS = 120;
const timeouts = `from 1 to ${MAX_TIMEOUT_SECONDS}`;
export const TIMEOUTS = `1 to ${MAX_TIMEOUT_SECONDS}. Default: ${DEFAULT_TIMEOUT_SECONDS}`;

/** The pattern of keys for companies' skills. */
const SKILL_KEY = /^[a-z][a-z0-9_]{1,62}$/;

const secretWord = /authorization|cookie|api[-_]?key|secret|token|password|credential/i;
/** Names of secrets in a query, which are shorter. */
const secretQueryWord =
  /^(?:.*[-_.])?(?:key|auth|sig|signature|pwd|passwd|passphrase|appid)$|(?:app|access)key$/i;

function text(most: number) {
  return z
    .string()
    .refine(isPlain, 'This holds characters that are not text.')
    .trim()
    .min(1, 'This must not be empty.')
    .max(most, `This must be at most ${most} characters long.`);
}

const headerName = z
  .string()
  .regex(HEADER_NAME, 'This is not the name of a header.')
  .refine((name) => !isTakenHeader(name), 'This header cannot be set.');

const queryName = z.string().regex(/^[\w.[\]-]{1,100}$/, 'This is not the name of a query parameter.');

function headerValue(most: number) {
  return z
    .string()
    .max(most, `This must be at most ${most} characters long.`)
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'This must be ASCII, without spaces around it.');
}

export const Headers = z
  .array(
    z.object({
      name: headerName.refine(
        (name) => !secretWord.test(name),
        'This header looks like a secret: give it as one, and it is stored encrypted and never shown.',
      ),
      value: headerValue(2_000),
    }),
  )
  .max(MAX_HEADERS, `These must be at most ${MAX_HEADERS}.`);

export const Secrets = z
  .array(
    z.discriminatedUnion('in', [
      z.object({ in: z.literal('HEADER'), name: headerName, value: secretValue() }),
      z.object({ in: z.literal('QUERY'), name: queryName, value: secretValue() }),
    ]),
  )
  .max(MAX_HEADERS, `These must be at most ${MAX_HEADERS}.`)
  .refine(
    (secrets) => new Set(secrets.map(({ name }) => name.toLowerCase())).size === secrets.length,
    'Each secret must have a name of its own.',
  );
export type Secrets = z.output<typeof Secrets>;

function secretValue() {
  return headerValue(MAX_SECRET_CHARACTERS).min(
    MIN_SECRET_CHARACTERS,
    `A secret is at least ${MIN_SECRET_CHARACTERS} characters long.`,
  );
}

const Placements = z
  .array(
    z.object({
      argument: text(200),
      in: z.enum(argumentPlaces),
      name: text(200).nullish(),
    }),
  )
  .max(MAX_PLACEMENTS, `These must be at most ${MAX_PLACEMENTS}.`);

export const timeoutSeconds = z
  .number()
  .min(1, `This must be ${timeouts}.`)
  .max(MAX_TIMEOUT_SECONDS, `This must be ${timeouts}.`);

/** The input of registerHttpSkill, field by field. `httpSkillOf` checks that the fields fit together. */
export const HttpSkillInput = z.object({
  key: z
    .string()
    .regex(SKILL_KEY, 'A key is 2 to 63 lowercase letters, digits and _, and begins with a letter.'),
  name: line(200),
  description: lines(MAX_DESCRIPTION_CHARACTERS),
  category: line(100).nullish(),
  method: z.enum(httpMethods),
  url: checkedBy(requireOpenUrl, z.string()),
  parameters: z.custom<JsonValue>((value) => value !== undefined && value !== null, 'This must not be null.'),
  headers: Headers.nullish(),
  secrets: Secrets.nullish(),
  body: z.enum(httpBodies).nullish(),
  placements: Placements.nullish(),
  resultPath: checkedBy(requireResultPath, z.string()).nullish(),
  idempotent: z.boolean().nullish(),
  timeoutSeconds: timeoutSeconds.nullish(),
  replace: z.boolean().default(false),
});
export type HttpSkillInput = z.output<typeof HttpSkillInput>;

/** Throws BadTemplate, also for a secret in the query: addresses are shown and audited. */
function requireOpenUrl(url: string): void {
  const secret = readTemplate(url).fixedQuery.find(
    (name) => secretWord.test(name) || secretQueryWord.test(name),
  );
  if (secret === undefined) return;
  throw new BadTemplate(
    `${secret} in the query looks like a secret, and addresses are shown: leave it out there and give it among the secrets, with in: QUERY.`,
  );
}

function checkedBy(check: (value: string) => void, schema: z.ZodString) {
  return schema.superRefine((value, context) => {
    try {
      check(value);
    } catch (error) {
      if (!(error instanceof BadTemplate || error instanceof BadPath)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
    }
  });
}

type HttpSkillParts = Omit<OwnSkill, 'secrets'> & { settings: HttpSettings };

export type CheckedHttpSkill = Omit<HttpSkillInput, 'parameters'> & { parameters: JsonObject };

/** Compiles the schema, which is slow: not for use in a transaction. Throws BAD_USER_INPUT. */
export function checkedHttpSkill(input: HttpSkillInput): CheckedHttpSkill {
  try {
    return { ...input, parameters: checkedSchema(input.parameters) };
  } catch (error) {
    throw error instanceof BadSchema ? badInput(['input', 'parameters'], error.message) : error;
  }
}

/** The skill to store. Throws BAD_USER_INPUT when fields of the input do not fit together. */
export function httpSkillOf(
  input: CheckedHttpSkill,
  secrets: Pick<HttpSettings, 'secretHeaders' | 'secretQuery'>,
): HttpSkillParts {
  const { key, name, description, method, url, parameters, replace } = input;
  const settings: HttpSettings = {
    method,
    url,
    headers: Object.fromEntries((input.headers ?? []).map(({ name, value }) => [name, value])),
    ...secrets,
    body: bodyIn(input),
    placements: (input.placements ?? []).map((placement) => ({
      ...placement,
      name: placement.name ?? placement.argument,
    })),
    resultPath: input.resultPath ?? null,
  };
  requireKnownArguments(settings, parameters);
  for (const [index, placement] of settings.placements.entries()) requirePlace(settings, placement, index);
  return {
    key,
    kind: 'HTTP',
    name,
    description,
    category: input.category ?? null,
    parameters,
    idempotent: input.idempotent ?? (method !== 'POST' && method !== 'PATCH'),
    timeoutMs: Math.round((input.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1_000),
    settings,
    replace,
  };
}

/** The names of secrets, by their place. */
export function secretNamesOf(
  secrets: readonly SecretPlace[],
): Pick<HttpSettings, 'secretHeaders' | 'secretQuery'> {
  const namesIn = (place: SecretPlace['in']): string[] =>
    secrets.filter((secret) => secret.in === place).map(({ name }) => name);
  return { secretHeaders: namesIn('HEADER'), secretQuery: namesIn('QUERY') };
}

function bodyIn({ method, body }: CheckedHttpSkill): HttpBody | null {
  const usual = method === 'DELETE' ? null : 'JSON';
  if (method !== 'GET') return body === undefined ? usual : body;
  if (body) throw badInput(['input', 'body'], 'A GET has no body: leave this out.');
  return null;
}

function requireKnownArguments({ url, placements }: HttpSettings, { properties }: JsonObject): void {
  const known = new Set(Object.keys(properties ?? {}));
  const unknown = readTemplate(url).variables.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw badInput(['input', 'url'], `The parameters have no property ${unknown}, which the address needs.`);
  const index = placements.findIndex(({ argument }) => !known.has(argument));
  if (index !== -1) {
    throw badInput(
      ['input', 'placements', String(index), 'argument'],
      'The parameters have no property of this name.',
    );
  }
}

function requirePlace(settings: HttpSettings, { in: place, name, argument }: Placement, index: number): void {
  const path = ['input', 'placements', String(index)];
  const { placements, body } = settings;
  if (placements.findIndex((other) => other.argument === argument) !== index)
    throw badInput([...path, 'argument'], 'This argument has a place already: give one for each argument.');
  if (place.endsWith('BODY') && body === null)
    throw badInput([...path, 'in'], 'Nothing can go into the body: this skill sends none.');
  if (
    place === 'WHOLE_BODY' &&
    (body !== 'JSON' || placements.some((other, at) => at !== index && other.in.endsWith('BODY')))
  ) {
    throw badInput(
      [...path, 'in'],
      'An argument can only be the whole body if the body is JSON and no other argument goes there.',
    );
  }
  const given = [...Object.keys(settings.headers), ...settings.secretHeaders, ...settings.secretQuery];
  if (place === 'HEADER' && !isFreeHeader(name, given))
    throw badInput([...path, 'name'], 'An argument cannot be sent as this header: choose another name.');
  if (place === 'QUERY' && given.includes(name))
    throw badInput([...path, 'name'], 'A secret has this name already: use the name once.');
}

function isFreeHeader(name: string, given: readonly string[]): boolean {
  return (
    headerName.safeParse(name).success &&
    !['authorization', 'cookie'].includes(name.toLowerCase()) &&
    !given.some((other) => other.toLowerCase() === name.toLowerCase())
  );
}
