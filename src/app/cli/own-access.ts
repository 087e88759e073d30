import {
  type AskSettings,
  type GivenServer,
  type ServerAccess,
  type UploadSettings,
  UsageError,
} from '@palabre/cli';

import { localSecret } from '../../companies/auth/local-secret.js';
import { signToken } from '../../companies/auth/token-signer.js';
import { type ClientConfig, readClientConfig } from '../../common/config/client-config.js';
import { distribution } from '../../common/config/distribution.js';
import { ConfigError, type Environment, loadEnvFile } from '../../common/config/environment.js';

const TTL_SECONDS = 3600;
const DEMO_EMAIL = 'demo@example.org';

/** Loads .env. Throws UsageError. */
export function loadSettings(): void {
  orUsageError(loadEnvFile);
}

/**
 * The server of this installation's settings, with PALABRE_TOKEN, or as an admin of the company that PALABRE_COMPANY
 * names. Throws UsageError.
 */
function ownAccess({ url, token }: GivenServer, env: Environment = process.env): ServerAccess {
  return orUsageError(() => {
    const given = {
      ...(url !== undefined && { PALABRE_URL: url }),
      ...(token !== undefined && { PALABRE_TOKEN: token }),
    };
    const config = readClientConfig({ ...env, ...given });
    return {
      url: config.serverUrl,
      token: tokenSource(config),
      plain: config.plain,
      refusalHint: config.token ? null : ownTokenHint(config.companySlug),
    };
  });
}

function orUsageError<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message, { cause: error }) : error;
  }
}

/** PALABRE_TOKEN, or a new one for each connection, signed with the server's secret for an admin of the company. */
function tokenSource({ token, auth, companySlug: company, dataDir }: ClientConfig): () => Promise<string> {
  if (token) return async () => token;
  if (auth.jwksUrl) {
    throw new ConfigError([
      'PALABRE_TOKEN must be a token of your identity provider, as AUTH_JWKS_URL is set.',
    ]);
  }
  return async () => {
    const secret = auth.secret ?? (await localSecret(dataDir));
    const claims = { sub: DEMO_EMAIL, company, role: 'ADMIN', name: 'Demo', email: DEMO_EMAIL } as const;
    return signToken(secret, claims, Math.min(TTL_SECONDS, auth.maxTokenSeconds), auth);
  };
}

/** What to do when the server refuses a token that was signed here. */
function ownTokenHint(company: string): string {
  return (
    `The token was made here, for the company ${company}, as PALABRE_TOKEN is not set. Give this command the server's own\n` +
    'DATA_DIR or AUTH_SECRET, and PALABRE_COMPANY if it has no such company; or a token as PALABRE_TOKEN\n' +
    '(where the server runs: npm run -s palabre -- token --help).\n'
  );
}

export const ownAsk: AskSettings = {
  name: 'ask',
  typed: 'npm run -s ask --',
  access: ownAccess,
  defaultAssistant: distribution.assistant,
  environment: `  PALABRE_URL      where the server is (default: http://localhost:PORT)
  PALABRE_TOKEN    a bearer token (default: one for demo@example.org, an admin, signed with AUTH_SECRET or the secret
                   in DATA_DIR)
  PALABRE_COMPANY  the company of that default token (default: demo)`,
};

export const ownUpload: UploadSettings = {
  name: 'upload',
  access: ownAccess,
  environment: 'PALABRE_URL, PALABRE_TOKEN and PALABRE_COMPANY as\nfor ask.',
};
