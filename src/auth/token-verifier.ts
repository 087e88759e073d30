import { errors, type JWTVerifyOptions, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';

import { DomainError } from '../common/errors/domain-error.js';
import { plainLine } from '../common/text/plain-line.js';
import { remoteKeys } from './remote-keys.js';

export const tokenRoles = ['MEMBER', 'ADMIN', 'OPERATOR'] as const;
export type TokenRole = (typeof tokenRoles)[number];

/** What a token says about its bearer, checked. */
export interface Claims {
  subject: string;
  companySlug: string;
  role: TokenRole;
  name: string;
  email: string | null;
  /** null for a credential that does not expire. A token always does. */
  expiresAt: Date | null;
}

export type TokenKey = { secret: string } | { jwksUrl: string };

export interface TokenExpectations {
  issuer?: string | null;
  audience?: string | null;
}

const MAX_TOKEN_CHARACTERS = 8192;
const MAX_DATE_SECONDS = 8_640_000_000_000;
/** Identity providers' clocks run a little ahead; our own does not run ahead of itself. */
const JWKS_CLOCK_TOLERANCE_SECONDS = 5;

const REMEMBERED = 10_000;
const REMEMBERED_FOR_MS = 60_000;

/** Tells whether a bearer token is genuine and in force, and what it says. */
export class TokenVerifier {
  private readonly key: Uint8Array | JWTVerifyGetKey;
  private readonly options: JWTVerifyOptions;
  /** Spares the signature's check for whoever asks again at once; a key that is withdrawn counts a minute longer. */
  private readonly verified = new Map<string, { claims: Claims; until: number }>();

  constructor(key: TokenKey, { issuer, audience }: TokenExpectations = {}) {
    const remote = 'jwksUrl' in key;
    this.key = remote ? remoteKeys(new URL(key.jwksUrl)) : new TextEncoder().encode(key.secret);
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
    if (token.length > MAX_TOKEN_CHARACTERS) throw refused('The token is not valid.');
    const known = this.verified.get(token);
    if (known && known.until > Date.now()) return known.claims;
    const claims = await this.check(token);
    if (this.verified.size >= REMEMBERED) this.verified.clear();
    const until = Math.min(Date.now() + REMEMBERED_FOR_MS, claims.expiresAt?.getTime() ?? Infinity);
    this.verified.set(token, { claims, until });
    return claims;
  }

  private async check(token: string): Promise<Claims> {
    try {
      // Two calls, because jose tells a fixed key from a function by overload.
      const { payload } =
        typeof this.key === 'function'
          ? await jwtVerify(token, this.key, this.options)
          : await jwtVerify(token, this.key, this.options);
      return toClaims(payload);
    } catch (error) {
      if (error instanceof DomainError) throw error;
      if (error instanceof errors.JWTExpired) throw refused('The token has expired.', error);
      if (error instanceof errors.JOSEError) throw refused('The token is not valid.', error);
      throw error;
    }
  }
}

const refused = (message: string, cause?: Error): DomainError =>
  new DomainError('UNAUTHENTICATED', message, {}, { cause });

// PostgreSQL stores no NUL, and none of the rest belongs in a name.
const text = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength)
    .regex(/^\P{Cc}*$/u);
const absentIfEmpty = (value: string | null | undefined): string | null => value || null;

const Payload = z.object({
  sub: text(255).min(1),
  company: text(100).min(1),
  role: z.enum(tokenRoles).default('MEMBER'),
  name: text(200)
    .nullish()
    .transform((name) => absentIfEmpty(plainLine(name ?? ''))),
  email: text(320).nullish().transform(absentIfEmpty),
  exp: z.number().max(MAX_DATE_SECONDS),
});

const toClaims = (payload: unknown): Claims => {
  const parsed = Payload.safeParse(payload);
  if (!parsed.success) {
    const claims = [...new Set(parsed.error.issues.map((issue) => issue.path.join('.')))].join(', ');
    throw refused(`The token's claims are absent or not usable: ${claims}.`, parsed.error);
  }
  const { sub, company, role, name, email, exp } = parsed.data;
  return {
    subject: sub,
    companySlug: company,
    role,
    name: name ?? email ?? sub,
    email,
    expiresAt: new Date(exp * 1000),
  };
};
