import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { parseEnv } from 'node:util';

import { z } from 'zod';

/** The environment cannot be used. The message names every variable that is wrong and never holds a value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(['The environment is not usable:', ...problems.map((problem) => `  - ${problem}`)].join('\n'));
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Adds what a file named .env in the working folder says to the environment, which comes first; there need be none.
 * Throws a ConfigError where it cannot be read.
 */
export const loadEnvFile = (): void => {
  const text = textOf('.env');
  if (text === null) return;
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
};

/** Null: there is no such file. Not by Node's own way, to which a mark of byte order is a part of the first name. */
const textOf = (path: string): string | null => {
  try {
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
    if (!text.includes('\0')) return text;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new ConfigError([`${path} must be a file that this process can read (${message}).`]);
  }
  throw new ConfigError([`${path} must be a text in UTF-8, which it is not: save it as that.`]);
};

/**
 * Reads the variables of `schema` and throws one ConfigError for all that is wrong. Empty counts as unset, which is
 * what compose files make of a variable that nobody gave. `crossChecks` looks at variables that depend on each other.
 */
export const readEnvironment = <T>(
  env: Environment,
  schema: z.ZodType<T>,
  crossChecks: (given: Environment) => string[] = () => [],
): T => {
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
};

/** A text that may be absent; null then. */
export const optionalText = (maxLength = 1000) =>
  z
    .string()
    .max(maxLength, `at most ${maxLength} characters long`)
    .optional()
    .transform((value) => value ?? null);

/** A whole number in decimal digits. */
export const wholeNumber = (min: number, max: number, fallback: number) =>
  number(/^\d{1,10}$/, `a whole number from ${min} to ${max}`, min, max, fallback);

/** A whole number that may be absent; null then. */
export const optionalWholeNumber = (min: number, max: number) =>
  digits(/^\d{1,10}$/, `a whole number from ${min} to ${max}`, min, max)
    .optional()
    .transform((value) => value ?? null);

/** The name of a time zone; UTC when absent. */
export const timeZone = () =>
  z
    .string()
    .refine(isTimeZone, 'the name of a time zone, such as Europe/Madrid or Asia/Taipei')
    .optional()
    .default('UTC');

const isTimeZone = (name: string): boolean => {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

/** A number that may have decimals, such as 0.5. */
export const decimalNumber = (min: number, max: number, fallback: number) =>
  number(/^\d{1,10}(\.\d{1,6})?$/, `a number from ${min} to ${max}`, min, max, fallback);

const number = (form: RegExp, expected: string, min: number, max: number, fallback: number) =>
  digits(form, expected, min, max).optional().default(fallback);

const digits = (form: RegExp, expected: string, min: number, max: number) =>
  z
    .string()
    .refine((text) => form.test(text) && Number(text) >= min && Number(text) <= max, expected)
    .transform(Number);

/** An http or https address without its last slash; null when absent. */
export const httpUrl = () =>
  z
    .string()
    .refine(isHttpUrl, 'an address that begins with http:// or https://')
    .optional()
    .transform((value) => value?.replace(/\/+$/, '') ?? null);

const isHttpUrl = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

/** Host names and IP addresses, with or without a port, and CIDR ranges between commas, in lower case; none when absent. */
export const hostList = () =>
  z
    .string()
    .max(10_000, 'at most 10000 characters long')
    .optional()
    .default('')
    .transform(itemsOf)
    .refine((items) => items.every(isHostOrRange), 'hosts or CIDR ranges with commas between them');

/** Keys of skills between commas, with `*` for the rest of one; none when absent. */
export const nameList = () =>
  z.string().max(10_000, 'at most 10000 characters long').optional().default('').transform(itemsOf);

const itemsOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== '');

const isHostOrRange = (text: string): boolean => isHost(text) || isRange(text) || isHostWithPort(text);

const isHost = (text: string): boolean => isIP(text) !== 0 || (isHostName(text) && !/^[\d.]+$/.test(text));

const isHostWithPort = (text: string): boolean => {
  const [, address, name, port] = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const isNamed = address === undefined ? name !== undefined && isHost(name) : isIP(address) === 6;
  return isNamed && Number(port) >= 1 && Number(port) <= 65_535;
};

const isHostName = (text: string): boolean =>
  text.length <= 253 && /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/.test(text);

function isRange(text: string): boolean {
  const [, address, bits] = /^(.+)\/(\d{1,3})$/.exec(text) ?? [];
  if (address === undefined) return false;
  const version = isIP(address);
  return version !== 0 && Number(bits) <= (version === 4 ? 32 : 128);
}
