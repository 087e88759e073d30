import { z } from 'zod';

import { checkAuth } from './read-config.js';
import { type Environment, httpUrl, optionalText, readEnvironment, text } from './environment.js';
import { schemaOf, setting, type ValuesOf, valuesOf } from './setting.js';
import { sharedSettings } from './variables.js';

/** The settings of the terminal client. Mistakes in settings of the server do not stop it. */
const settings = {
  ...sharedSettings,
  serverUrl: setting('PALABRE_URL', httpUrl()),
  /** Null: the client signs its own token, with the server's secret. */
  token: setting('PALABRE_TOKEN', optionalText(10_000)),
  companySlug: setting('PALABRE_COMPANY', text(100, 'demo')),
  /** The user asked for output without colours (https://no-color.org). */
  plain: setting(
    'NO_COLOR',
    z
      .string()
      .optional()
      .transform((value) => value !== undefined),
  ),
};

/** `serverUrl`: without a slash at the end. */
export type ClientConfig = ValuesOf<typeof settings> & { readonly serverUrl: string };

/** Reads and checks the terminal client's settings. Throws one ConfigError that lists everything that is wrong. */
export function readClientConfig(env: Environment = process.env): ClientConfig {
  const values = valuesOf(settings, readEnvironment(env, schemaOf(settings), checkAuth));
  return { ...values, serverUrl: values.serverUrl ?? `http://localhost:${values.port}` };
}
