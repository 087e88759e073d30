import { createPalabre, type Palabre } from '@palabre/client';

import { localSecret } from '../../companies/auth/local-secret.js';
import { signToken } from '../../companies/auth/token-signer.js';
import type { ClientConfig } from '../../common/config/client-config.js';
import { ConfigError } from '../../common/config/environment.js';

const TTL_SECONDS = 3600;
const DEMO_EMAIL = 'demo@example.org';

/** With the client's pauses about a minute: a server that restarts is back by then. */
const MAX_RETRIES = 12;

/** A client of the server that the settings name. */
export function clientOf(
  config: ClientConfig,
  onConnectionChange: (isConnected: boolean) => void = () => undefined,
): Palabre {
  const { serverUrl: url } = config;
  return createPalabre({ url, token: tokenSource(config), maxRetries: MAX_RETRIES, onConnectionChange });
}

/**
 * Gives the token of the terminal client: PALABRE_TOKEN, or a new one for each connection, signed with the server's
 * secret for an admin of the company.
 */
function tokenSource(config: ClientConfig): () => Promise<string> {
  const { token, auth, companySlug: company, dataDir } = config;
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
