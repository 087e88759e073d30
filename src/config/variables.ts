import { resolve } from 'node:path';
import { z } from 'zod';

import { type Environment, httpUrl, optionalText, wholeNumber } from './environment.js';

const MIN_SECRET_CHARACTERS = 32;

/** The variables that the server and the terminal client share. */
export const sharedVariables = {
  PORT: wholeNumber(0, 65_535, 4000),
  DATA_DIR: z
    .string()
    // A shell expands it; from .env and the like it would be the name of a folder.
    .refine((path) => !path.startsWith('~'), 'a path whose ~ is written out')
    .optional()
    .default('.palabre')
    .transform((path) => resolve(path)),
  AUTH_SECRET: z
    .string()
    .min(MIN_SECRET_CHARACTERS, `at least ${MIN_SECRET_CHARACTERS} characters long`)
    .optional()
    .transform((value) => value ?? null),
  AUTH_JWKS_URL: httpUrl(),
  AUTH_ISSUER: optionalText(),
  AUTH_AUDIENCE: optionalText(),
};

export const checkAuth = (given: Environment): string[] =>
  given.AUTH_SECRET && given.AUTH_JWKS_URL ? ['Set AUTH_SECRET or AUTH_JWKS_URL, not both.'] : [];
