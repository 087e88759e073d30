import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { parseEnv } from 'node:util';

import { z } from 'zod';

/** The environment is invalid. The message names every wrong variable and never contains a value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(['The environment is not usable:', ...problems.map((problem) => `  - ${problem}`)].join('\n'));
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Adds the variables of the file .env; existing ones take precedence. Throws a ConfigError when it cannot be read. */
export function loadEnvFile(): void {
  const text = readTextFile('.env');
  if (text === null) return;
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
}

/** Null: no such file. Node's loadEnvFile is not used, because it reads a byte order mark as part of the first name. */
function readTextFile(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
    if (!text.includes('\0')) return text;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new ConfigError([`${path} must be a file that this process can read (${message}).`]);
  }
  throw new ConfigError([`${path} must be a text in UTF-8, which it is not: save it as that.`]);
}

/** Throws one ConfigError with all problems. Empty variables count as unset: compose files set missing ones to ''. */
export function readEnvironment<T>(
  env: Environment,
  schema: z.ZodType<T>,
  crossChecks: (given: Environment) => string[] = () => [],
): T {
  const given = Object.fromEntries(
    Object.entries(env)
      .map(([name, value]) => [name, value?.trim()] as const)
      .filter(([, value]) => value),
  );
  const parsed = schema.safeParse(given);
  const wrong =
    parsed.error?.issues.map((issue) => `${issue.path.join('.')} must be ${issue.message}.`) ?? [];
  const problems = [...wrong, ...crossChecks(given)];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return parsed.data;
}

function longest(maxLength: number) {
  return z.string().max(maxLength, `at most ${maxLength} characters long`).optional();
}

/** Null when absent. */
export function optionalText(maxLength = 1000) {
  return longest(maxLength).transform((value) => value ?? null);
}

export function text(maxLength: number, fallback: string) {
  return longest(maxLength).default(fallback);
}

/** A text; null when absent or `*`, which accepts any. */
export function textOrAny() {
  return optionalText().transform((value) => (value === '*' ? null : value));
}

const MIN_SECRET_CHARACTERS = 32;

/** Null when absent. */
export function secret() {
  return z
    .string()
    .min(MIN_SECRET_CHARACTERS, `at least ${MIN_SECRET_CHARACTERS} characters long`)
    .optional()
    .transform((value) => value ?? null);
}

export function choice<const Value extends string>(values: readonly Value[], fallback: NoInfer<Value>) {
  return z
    .enum(values, `one of ${values.join(', ')}`)
    .optional()
    .default(fallback);
}

export function wholeNumber(min: number, max: number, fallback: number) {
  return optionalDigits(/^\d{1,16}$/, `a whole number from ${min} to ${max}`, min, max).default(fallback);
}

export function optionalWholeNumber(min: number, max: number) {
  return optionalDigits(/^\d{1,10}$/, `a whole number from ${min} to ${max}`, min, max).transform(
    (value) => value ?? null,
  );
}

export function decimalNumber(min: number, max: number, fallback: number) {
  return optionalDigits(/^\d{1,10}(\.\d{1,6})?$/, `a number from ${min} to ${max}`, min, max).default(
    fallback,
  );
}

function optionalDigits(form: RegExp, expected: string, min: number, max: number) {
  return z
    .string()
    .refine((digits) => form.test(digits) && Number(digits) >= min && Number(digits) <= max, expected)
    .transform(Number)
    .optional();
}

/** The name of a time zone; UTC when absent. */
export function timeZone() {
  return z
    .string()
    .refine(isTimeZone, 'the name of a time zone, such as Europe/Madrid or Asia/Taipei')
    .optional()
    .default('UTC');
}

export function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** An http or https URL without its last slash; null when absent. */
export function httpUrl() {
  return z
    .string()
    .refine(isHttpUrl, 'an address that begins with http:// or https://')
    .optional()
    .transform((value) => value?.replace(/\/+$/, '') ?? null);
}

/** The address that names an identity provider, as it writes it: a slash at the end belongs to it. */
export function issuerUrl() {
  return optionalText().refine(
    (value) => value === null || isHttpUrl(value),
    'an address that begins with http:// or https://',
  );
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

const MAX_LIST_CHARACTERS = 10_000;

/** Keys separated by blanks or commas; empty when absent. */
export function keyList(minCharacters: number) {
  return z
    .string()
    .optional()
    .default('')
    .transform((keys) => keys.split(/[\s,]+/).filter((key) => key !== ''))
    .refine(
      (keys) => keys.every((key) => key.length >= minCharacters),
      `keys of at least ${minCharacters} characters each, with blanks between them`,
    );
}

/** Host names and IP addresses, with or without a port, and CIDR ranges, separated by commas; empty when absent. */
export function hostList() {
  return nameList().refine(
    (items) => items.every(isHostOrRange),
    'hosts or CIDR ranges with commas between them',
  );
}

/** Keys of skills separated by commas, where `*` stands for the rest of a key; empty when absent. */
export function nameList() {
  return text(MAX_LIST_CHARACTERS, '').transform(itemsOf);
}

/** Names of packages and paths of modules, separated by commas; `fallback` when absent; `none` for none. */
export function moduleList<Fallback extends readonly string[] | null>(fallback: Fallback) {
  return longest(MAX_LIST_CHARACTERS).transform((list): readonly string[] | Fallback => {
    if (list === undefined) return fallback;
    return list === 'none' ? [] : partsOf(list);
  });
}

/** Origins of web pages separated by commas, such as https://app.example.org; `*` (all) when absent; `none` for none. */
export function originList() {
  return text(MAX_LIST_CHARACTERS, '*')
    .refine(
      (list) => list === '*' || list === 'none' || itemsOf(list).every(isOrigin),
      '*, none, or origins as https://app.example.org with commas between them',
    )
    .transform((list): '*' | string[] => (list === '*' ? list : list === 'none' ? [] : itemsOf(list)));
}

/** `name=value` separated by commas, as OpenTelemetry has it: values are percent-encoded. */
export function pairList() {
  return longest(MAX_LIST_CHARACTERS).transform((list, context): Record<string, string> => {
    const pairs = (list?.split(',') ?? []).map((pair) => /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(pair));
    try {
      return Object.fromEntries(
        pairs.map((pair) => {
          if (!pair) throw new Error('This is no pair.');
          return [pair[1], decodeURIComponent(pair[2] ?? '')];
        }),
      );
    } catch {
      context.addIssue('pairs of name=value with commas between them, percent-encoded');
      return z.NEVER;
    }
  });
}

const memberRoles = ['MEMBER', 'ADMIN', 'OPERATOR'] as const;
type MemberRole = (typeof memberRoles)[number];

/** Our roles by an identity provider's names: `name=ROLE` separated by commas; null when absent. */
export function roleMap() {
  return longest(MAX_LIST_CHARACTERS).transform((list, context): ReadonlyMap<string, MemberRole> | null => {
    if (list === undefined) return null;
    const pairs = list.split(',').map((pair) => /^\s*(.*\S)\s*=\s*(\w+)\s*$/.exec(pair));
    const roles = pairs.map((pair) => [pair?.[1], memberRoles.find((role) => role === pair?.[2])] as const);
    const known = roles.flatMap(([name, role]) => (name && role ? [[name, role] as const] : []));
    if (known.length === roles.length) return new Map(known);
    context.addIssue(`pairs of name=ROLE with commas between them, where ROLE is ${memberRoles.join(', ')}`);
    return z.NEVER;
  });
}

/** In the form of browsers: without a path, and without the default port. */
function isOrigin(text: string): boolean {
  return isHttpUrl(text) && new URL(text).origin === text;
}

function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function itemsOf(text: string): string[] {
  return partsOf(text.toLowerCase());
}

function isHostOrRange(text: string): boolean {
  return isHost(text) || isRange(text) || isHostWithPort(text);
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || (isHostName(text) && !/^[\d.]+$/.test(text));
}

function isHostWithPort(text: string): boolean {
  const [, address, name, port] = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const isNamed = address === undefined ? name !== undefined && isHost(name) : isIP(address) === 6;
  return isNamed && Number(port) >= 1 && Number(port) <= 65_535;
}

function isHostName(text: string): boolean {
  return (
    text.length <= 253 && /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/.test(text)
  );
}

function isRange(text: string): boolean {
  const [, address, bits] = /^(.+)\/(\d{1,3})$/.exec(text) ?? [];
  if (address === undefined) return false;
  const version = isIP(address);
  return version !== 0 && Number(bits) <= (version === 4 ? 32 : 128);
}
