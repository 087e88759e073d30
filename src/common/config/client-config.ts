import { z } from 'zod';

import { type Environment, httpUrl, optionalText, readEnvironment } from './environment.js';
import { type AuthConfig, checkAuth, sharedVariables, toAuthConfig } from './variables.js';

/** The settings of the terminal client. Mistakes in settings of the server do not stop it. */
export interface ClientConfig {
  /** Without a slash at the end. */
  readonly serverUrl: string;
  /** Null: the client signs its own token, with the server's secret. */
  readonly token: string | null;
  readonly companySlug: string;
  readonly dataDir: string;
  readonly auth: AuthConfig;
  /** The user asked for output without colours (https://no-color.org). */
  readonly plain: boolean;
}

const Variables = z.object({
  ...sharedVariables,
  PALABRE_URL: httpUrl(),
  PALABRE_TOKEN: optionalText(10_000),
  PALABRE_COMPANY: optionalText(100),
  NO_COLOR: z.string().optional(),
});

/** Reads and checks the terminal client's settings. Throws one ConfigError that lists everything that is wrong. */
export function readClientConfig(env: Environment = process.env): ClientConfig {
  const variables = readEnvironment(env, Variables, checkAuth);
  return {
    serverUrl: variables.PALABRE_URL ?? `http://localhost:${variables.PORT}`,
    token: variables.PALABRE_TOKEN,
    companySlug: variables.PALABRE_COMPANY ?? 'demo',
    dataDir: variables.DATA_DIR,
    auth: toAuthConfig(variables),
    plain: variables.NO_COLOR !== undefined,
  };
}
