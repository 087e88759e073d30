import {
  errors,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
  type JWTVerifyGetKey,
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  type ExportedJWKSCache,
  jwksCache,
} from 'jose';

import { DomainError } from '../../common/errors/domain-error.js';
import { type ClaimNames, type Claims, ourClaims, readClaims } from './token-claims.js';

export type TokenKey = { secret: string } | { jwksUrl: string };

interface TokenExpectations {
  issuer?: string | null;
  audience?: string | null;
  claims?: ClaimNames;
  /** The longest lifetime of a token, from its `iat` and from now. */
  maxTokenSeconds?: number;
}

export const MAX_TOKEN_CHARACTERS = 8192;
const DAY_SECONDS = 86_400;
/** Identity providers' clocks may run a little ahead. Tokens that we sign ourselves need no tolerance. */
const JWKS_CLOCK_TOLERANCE_SECONDS = 5;

const MAX_CACHED = 10_000;
const CACHED_FOR_MS = 60_000;

/** Checks the signature, lifetime and claims of bearer tokens. */
export class TokenVerifier {
  private readonly key: Uint8Array | JWTVerifyGetKey;
  private readonly options: JWTVerifyOptions;
  /** Saves checking a signature again. The price: a withdrawn key is accepted for another minute. */
  private readonly verified = new Map<string, { claims: Claims; until: number }>();
  /** Running checks: a front end may open many connections with one token at once. */
  private readonly checking = new Map<string, Promise<Claims>>();

  private readonly claims: ClaimNames;
  private readonly maxTokenSeconds: number;

  constructor(
    key: TokenKey,
    { issuer, audience, claims = ourClaims, maxTokenSeconds = DAY_SECONDS }: TokenExpectations = {},
  ) {
    this.maxTokenSeconds = maxTokenSeconds;
    const remote = 'jwksUrl' in key;
    // Our own tokens have our claim names, whatever a provider's are.
    this.claims = remote ? claims : ourClaims;
    this.key = remote ? remoteKeySet(new URL(key.jwksUrl)) : new TextEncoder().encode(key.secret);
    this.options = {
      algorithms: remote ? ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'] : ['HS256'],
      clockTolerance: remote ? JWKS_CLOCK_TOLERANCE_SECONDS : 0,
      requiredClaims: ['exp'],
      ...(issuer ? { issuer } : {}),
      ...(audience ? { audience } : {}),
    };
  }

  /** Rejects with UNAUTHENTICATED, or with UNAVAILABLE when the identity provider's keys cannot be had. */
  async verify(token: string): Promise<Claims> {
    if (token.length > MAX_TOKEN_CHARACTERS)
      throw refused(`The token is too long: it may have at most ${MAX_TOKEN_CHARACTERS} characters.`);
    const known = this.verified.get(token);
    if (known && known.until > Date.now()) return known.claims;
    const checking = this.checking.get(token) ?? this.checkOnce(token);
    this.checking.set(token, checking);
    return checking;
  }

  private async checkOnce(token: string): Promise<Claims> {
    const claims = await this.check(token).finally(() => this.checking.delete(token));
    if (this.verified.size >= MAX_CACHED) this.verified.clear();
    const until = Math.min(Date.now() + CACHED_FOR_MS, claims.expiresAt?.getTime() ?? Infinity);
    this.verified.set(token, { claims, until });
    return claims;
  }

  private async check(token: string): Promise<Claims> {
    try {
      // Two calls, because jose has an overload each for keys and for functions.
      const { payload } =
        typeof this.key === 'function'
          ? await jwtVerify(token, this.key, this.options)
          : await jwtVerify(token, this.key, this.options);
      return this.read(payload);
    } catch (error) {
      if (error instanceof DomainError) throw error;
      if (error instanceof errors.JWTExpired) throw refused('The token has expired.', error);
      if (error instanceof errors.JOSEError) throw refused('The token is not valid.', error);
      throw error;
    }
  }

  private read(payload: JWTPayload): Claims {
    const read = readClaims(payload, this.claims);
    if (Array.isArray(read))
      throw refused(`The token's claims are absent or not usable: ${read.join(', ')}.`);
    const { issuedAt, expiresAt, ...claims } = read;
    const now = Date.now() / 1000;
    const tolerance = this.options.clockTolerance === undefined ? 0 : Number(this.options.clockTolerance);
    const seconds = Math.max(expiresAt - (issuedAt ?? now), expiresAt - now - tolerance);
    if (seconds > this.maxTokenSeconds) {
      const hours = this.maxTokenSeconds / 3600;
      throw refused(
        `The token lasts too long: at most ${hours} hours are allowed. Get one that ends sooner.`,
      );
    }
    return { ...claims, expiresAt: new Date(expiresAt * 1000) };
  }
}

function refused(message: string, cause?: Error): DomainError {
  return new DomainError('UNAUTHENTICATED', message, {}, { cause });
}

const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 5000;
const COOLDOWN_MS = 30_000;
const MIN_RSA_BITS = 2048;
/** How long cached keys are used while the provider cannot be reached: long enough to mend an outage. */
const CACHED_KEYS_MS = 6 * 3_600_000;

/**
 * The keys of an identity provider, fetched when needed. During an outage of the provider, tokens of cached keys are
 * still accepted. Rejects with UNAVAILABLE when a key cannot be fetched.
 */
export function remoteKeySet(url: URL): JWTVerifyGetKey {
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
  // Not awaited: a provider that hangs would delay every request.
  const reloadInBackground = (): void => {
    failed(failure?.error);
    remote.reload().then(() => (failure = null), failed);
  };

  return async (header, token) => {
    if (failure !== null && cachedKeys(lastRead)) {
      if (Date.now() >= failure.at + COOLDOWN_MS) reloadInBackground();
    } else {
      try {
        const key = await remote(header, token);
        failure = null;
        return requireStrongKey(key);
      } catch (error) {
        if (isTokenError(error)) throw error;
        failed(error);
      }
    }
    try {
      const kept = cachedKeys(lastRead);
      if (kept) return requireStrongKey(await kept(header, token));
    } catch (error) {
      // A key that is not cached may be a new one.
      if (isTokenError(error) && !(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    const message = 'The keys of the identity provider cannot be read. Try again in a moment.';
    throw new DomainError('UNAVAILABLE', message, {}, { cause: failure?.error });
  };
}

function cachedKeys({ jwks, uat }: Partial<ExportedJWKSCache>): JWTVerifyGetKey | null {
  return jwks && uat !== undefined && Date.now() < uat + CACHED_KEYS_MS ? createLocalJWKSet(jwks) : null;
}

/** jose throws a TypeError for weaker keys while checking a signature, which would look like a fault of ours. */
function requireStrongKey<Key extends object>(key: Key): Key {
  const algorithm: unknown = Reflect.get(key, 'algorithm');
  const bits: unknown =
    typeof algorithm === 'object' && algorithm !== null ? Reflect.get(algorithm, 'modulusLength') : null;
  if (typeof bits !== 'number' || bits >= MIN_RSA_BITS) return key;
  throw new errors.JOSENotSupported(
    `The key of the identity provider has ${bits} bits, fewer than ${MIN_RSA_BITS}.`,
  );
}

function isTokenError(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  );
}

async function fetchLimited(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error(`The key set is larger than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), { status: response.status });
}
