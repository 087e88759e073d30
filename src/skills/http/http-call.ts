import type { JsonObject, JsonValue } from '../../common/json.js';
import { SkillError } from '../skill.js';
import type { HttpMethod, HttpSettings } from './http-settings.js';
import { readTemplate } from './url-template.js';

const MAX_HEADER_CHARACTERS = 2_000;

/** A request as it is sent, secrets and all. */
export interface HttpCall {
  method: HttpMethod;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

/** The parts of a request that are made of arguments. */
interface Parts {
  query: [name: string, value: JsonValue][];
  headers: Record<string, string>;
  fields: JsonObject;
  whole: JsonValue | undefined;
}

/** The request that a call with these arguments is. Throws SkillError for arguments that cannot be sent. */
export const callOf = (
  settings: HttpSettings,
  secrets: Readonly<Record<string, string>>,
  input: JsonObject,
  callId: string,
): HttpCall => {
  const { method, body } = settings;
  const template = readTemplate(settings.url);
  const url = template.expand(input);
  const parts = partsOf(settings, new Set(template.variables), input);
  for (const [name, value] of parts.query) append(url.searchParams, name, value);
  for (const name of settings.secretQuery) url.searchParams.set(name, secretOf(secrets, name));
  const sent = body === null ? null : bodyOf(body, parts);
  return {
    method,
    url: url.href,
    headers: {
      accept: 'application/json, text/*;q=0.9, application/xml;q=0.5',
      ...(sent !== null && { 'content-type': contentTypes[body ?? 'JSON'] }),
      // Services that know the header carry a call out once, however often it comes.
      ...(method !== 'GET' && { 'idempotency-key': callId }),
      ...lowercased(settings.headers),
      ...parts.headers,
      ...Object.fromEntries(
        settings.secretHeaders.map((name) => [name.toLowerCase(), secretOf(secrets, name)]),
      ),
    },
    body: sent,
  };
};

const contentTypes = { JSON: 'application/json', FORM: 'application/x-www-form-urlencoded' } as const;

const partsOf = (settings: HttpSettings, inUrl: ReadonlySet<string>, input: JsonObject): Parts => {
  const parts: Parts = { query: [], headers: {}, fields: {}, whole: undefined };
  const placements = new Map(settings.placements.map((placement) => [placement.argument, placement]));
  const isBodyFree = settings.body !== null && !settings.placements.some((one) => one.in === 'WHOLE_BODY');
  for (const [argument, value] of Object.entries(input)) {
    if (inUrl.has(argument)) continue;
    const place = placements.get(argument)?.in ?? (isBodyFree ? 'BODY' : 'QUERY');
    const name = placements.get(argument)?.name ?? argument;
    if (place === 'QUERY') parts.query.push([name, value]);
    else if (place === 'HEADER') parts.headers[name.toLowerCase()] = headerOf(argument, value);
    else if (place === 'BODY') parts.fields[name] = value;
    else parts.whole = value;
  }
  return parts;
};

/** A list is the same name several times; what is no plain value is sent as JSON. */
const append = (search: URLSearchParams, name: string, value: JsonValue): void => {
  if (value === null) return;
  for (const one of Array.isArray(value) ? value : [value]) search.append(name, textOf(one));
};

const textOf = (value: JsonValue): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

const headerOf = (argument: string, value: JsonValue): string => {
  const text = Array.isArray(value) ? value.map(textOf).join(',') : textOf(value);
  if (text.length > MAX_HEADER_CHARACTERS || !/^[\x20-\x7e]*$/.test(text)) {
    throw new SkillError(
      `The argument ${argument} is sent as a header: it must be at most ${MAX_HEADER_CHARACTERS} characters of ASCII.`,
    );
  }
  return text.trim();
};

const bodyOf = (body: 'JSON' | 'FORM', { fields, whole }: Parts): string | null => {
  if (whole !== undefined) return JSON.stringify(whole);
  if (body === 'JSON') return JSON.stringify(fields);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) append(form, name, value);
  return form.toString();
};

const lowercased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const secretOf = (secrets: Readonly<Record<string, string>>, name: string): string => {
  const secret = secrets[name];
  if (secret === undefined) throw new Error(`The secret of ${name} is missing.`);
  return secret;
};
