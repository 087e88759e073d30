import { badInput } from '../../common/errors/domain-error.js';
import type { JsonObject } from '../../common/json.js';
import type { OwnSkill } from '../definitions/skill-definitions.service.js';
import {
  headerName,
  type HttpSkillInput,
  isRepeatable,
  parametersOf,
  type Secrets,
  USUAL_TIMEOUT_SECONDS,
} from './http-skill-input.js';
import type { HttpBody, HttpSettings, Placement } from './http-settings.js';
import { BadSchema } from '../schema/schema-references.js';
import { readTemplate } from './url-template.js';

/** Everything about an HTTP skill but its secrets. */
export type HttpSkillParts = Omit<OwnSkill, 'secrets'> & { settings: HttpSettings };

/** What an admin said, with parameters that are known to be good. */
export type CheckedHttpSkill = Omit<HttpSkillInput, 'parameters'> & { parameters: JsonObject };

/** Takes its time, and belongs in no transaction. Throws BAD_USER_INPUT. */
export const checkedHttpSkill = (input: HttpSkillInput): CheckedHttpSkill => ({
  ...input,
  parameters: parametersIn(input),
});

/** A skill as it is stored, of what an admin said. Throws BAD_USER_INPUT where the parts do not fit each other. */
export const httpSkillOf = (
  input: CheckedHttpSkill,
  secrets: Pick<HttpSettings, 'secretHeaders' | 'secretQuery'>,
): HttpSkillParts => {
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
    idempotent: input.idempotent ?? isRepeatable(method),
    timeoutMs: Math.round((input.timeoutSeconds ?? USUAL_TIMEOUT_SECONDS) * 1_000),
    settings,
    replace,
  };
};

/** The names of secrets, by where they go. */
export const secretNamesOf = (secrets: Secrets): Pick<HttpSettings, 'secretHeaders' | 'secretQuery'> => {
  const namesIn = (place: 'HEADER' | 'QUERY'): string[] =>
    secrets.filter((secret) => secret.in === place).map(({ name }) => name);
  return { secretHeaders: namesIn('HEADER'), secretQuery: namesIn('QUERY') };
};

const parametersIn = ({ parameters }: HttpSkillInput): JsonObject => {
  try {
    return parametersOf(parameters);
  } catch (error) {
    if (error instanceof BadSchema) throw badInput(['input', 'parameters'], error.message);
    throw error;
  }
};

const bodyIn = ({ method, body }: CheckedHttpSkill): HttpBody | null => {
  const usual = method === 'DELETE' ? null : 'JSON';
  if (method !== 'GET') return body === undefined ? usual : body;
  if (body) throw badInput(['input', 'body'], 'A GET has no body: leave this out.');
  return null;
};

const requireKnownArguments = ({ url, placements }: HttpSettings, { properties }: JsonObject): void => {
  const known = new Set(Object.keys(properties ?? {}));
  const unknown = readTemplate(url).variables.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw badInput(['input', 'url'], `The parameters have no property ${unknown}, which the address needs.`);
  }
  const index = placements.findIndex(({ argument }) => !known.has(argument));
  if (index !== -1) {
    throw badInput(
      ['input', 'placements', String(index), 'argument'],
      'The parameters have no property of this name.',
    );
  }
};

const requirePlace = (
  settings: HttpSettings,
  { in: place, name, argument }: Placement,
  index: number,
): void => {
  const path = ['input', 'placements', String(index)];
  const { placements, body } = settings;
  if (placements.findIndex((other) => other.argument === argument) !== index) {
    throw badInput([...path, 'argument'], 'Each argument can go to one place.');
  }
  if (place.endsWith('BODY') && body === null) {
    throw badInput([...path, 'in'], 'Nothing can go into the body: this skill sends none.');
  }
  if (
    place === 'WHOLE_BODY' &&
    (body !== 'JSON' || placements.some((other, at) => at !== index && other.in.endsWith('BODY')))
  ) {
    throw badInput(
      [...path, 'in'],
      'One argument can be the whole body, when that is JSON and no other one goes there.',
    );
  }
  const given = [...Object.keys(settings.headers), ...settings.secretHeaders, ...settings.secretQuery];
  if (place === 'HEADER' && !isFreeHeader(name, given)) {
    throw badInput([...path, 'name'], 'No argument can be this header.');
  }
  if (place === 'QUERY' && given.includes(name)) {
    throw badInput([...path, 'name'], 'A secret has this name.');
  }
};

const isFreeHeader = (name: string, given: readonly string[]): boolean =>
  headerName.safeParse(name).success &&
  !['authorization', 'cookie'].includes(name.toLowerCase()) &&
  !given.some((other) => other.toLowerCase() === name.toLowerCase());
