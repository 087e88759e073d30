import { z } from 'zod';

import type { AuthConfig } from './config.js';
import { type Environment, httpUrl, optionalText, readEnvironment } from './environment.js';
import { checkAuth, sharedVariables } from './variables.js';

/** What the terminal client needs to know; a mistake in a setting of the server alone does not stop it. */
export interface ClientConfig {
  /** Of the server, without a slash at the end. */
  readonly serverUrl: string;
  /** null: the client makes its own token, with the server's secret. */
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
export const readClientConfig = (env: Environment = process.env): ClientConfig => {
  const variables = readEnvironment(env, Variables, checkAuth);
  return {
    serverUrl: variables.PALABRE_URL ?? `http://localhost:${variables.PORT}`,
    token: variables.PALABRE_TOKEN,
    companySlug: variables.PALABRE_COMPANY ?? 'demo',
    dataDir: variables.DATA_DIR,
    auth: {
      secret: variables.AUTH_SECRET,
      jwksUrl: variables.AUTH_JWKS_URL,
      issuer: variables.AUTH_ISSUER,
      audience: variables.AUTH_AUDIENCE,
    },
    plain: variables.NO_COLOR !== undefined,
  };
};
