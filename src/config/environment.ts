import { existsSync } from 'node:fs';

import { z } from 'zod';

/** The environment cannot be used. The message names every variable that is wrong and never holds a value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(['The environment is not usable:', ...problems.map((problem) => `  - ${problem}`)].join('\n'));
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Adds what a file named .env in the working folder says to the environment, which comes first; there need be none. */
export const loadEnvFile = (): void => {
  // Not by Node's own option: it remarks on every start that there is no such file.
  if (existsSync('.env')) process.loadEnvFile('.env');
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

/** A number that may have decimals, such as 0.5. */
export const decimalNumber = (min: number, max: number, fallback: number) =>
  number(/^\d{1,10}(\.\d{1,6})?$/, `a number from ${min} to ${max}`, min, max, fallback);

const number = (form: RegExp, expected: string, min: number, max: number, fallback: number) =>
  z
    .string()
    .refine((text) => form.test(text) && Number(text) >= min && Number(text) <= max, expected)
    .transform(Number)
    .optional()
    .default(fallback);

/** An http or https address without its last slash; null when absent. */
export const httpUrl = () =>
  z
    .string()
    .refine(isHttpUrl, 'an address that begins with http:// or https://')
    .optional()
    .transform((value) => value?.replace(/\/+$/, '') ?? null);

const isHttpUrl = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
