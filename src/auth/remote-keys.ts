import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type ExportedJWKSCache,
  jwksCache,
  type JWTVerifyGetKey,
} from 'jose';

import { DomainError } from '../common/errors/domain-error.js';

const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 5000;
const COOLDOWN_MS = 30_000;
/** How long the keys last read count while the provider's address is away. Long enough for an outage to be mended. */
const KEPT_MS = 6 * 3_600_000;

/**
 * The keys of an identity provider, read from its address when they are needed. Who holds a token of a key that is known
 * does not notice when that address is away for a while. Rejects with UNAVAILABLE when a key cannot be had.
 */
export const remoteKeys = (url: URL): JWTVerifyGetKey => {
  const lastRead: Partial<ExportedJWKSCache> = {};
  const remote = createRemoteJWKSet(url, {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    [customFetch]: fetchLimited,
    [jwksCache]: lastRead as ExportedJWKSCache,
  });
  let failure: { error: unknown; at: number } | null = null;
  const failed = (error: unknown): void => {
    failure = { error, at: Date.now() };
  };
  // Nobody waits for it: a provider that hangs would hold up every request.
  const tryAgain = (): void => {
    failed(failure?.error);
    remote.reload().then(() => (failure = null), failed);
  };

  return async (header, token) => {
    if (failure !== null && keptKeys(lastRead)) {
      if (Date.now() >= failure.at + COOLDOWN_MS) tryAgain();
    } else {
      try {
        const key = await remote(header, token);
        failure = null;
        return key;
      } catch (error) {
        if (isTokensFault(error)) throw error;
        failed(error);
      }
    }
    try {
      const kept = keptKeys(lastRead);
      if (kept) return await kept(header, token);
    } catch (error) {
      // A key that is not among them may be a new one.
      if (isTokensFault(error) && !(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    const message = 'The identity provider does not answer as it should. Try again in a moment.';
    throw new DomainError('UNAVAILABLE', message, {}, { cause: failure?.error });
  };
};

const keptKeys = ({ jwks, uat }: Partial<ExportedJWKSCache>): JWTVerifyGetKey | null =>
  jwks && uat !== undefined && Date.now() < uat + KEPT_MS ? createLocalJWKSet(jwks) : null;

const isTokensFault = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported;

const fetchLimited = async (url: string, options: RequestInit): Promise<Response> => {
  const response = await fetch(url, options);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error(`The key set is larger than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), { status: response.status });
};
