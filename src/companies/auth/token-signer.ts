import { SignJWT } from 'jose';

import type { Role } from './viewer.js';

interface TokenClaims {
  sub: string;
  /** The company's slug. */
  company: string;
  role: Role;
  name?: string | undefined;
  email?: string | undefined;
}

/** An HS256 token that a TokenVerifier with the same secret, issuer and audience accepts for `ttlSeconds`. */
export async function signToken(
  secret: string,
  claims: TokenClaims,
  ttlSeconds: number,
  { issuer, audience }: { issuer?: string | null; audience?: string | null } = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const token = new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(now)
    .setExpirationTime(now + ttlSeconds);
  if (issuer) token.setIssuer(issuer);
  if (audience) token.setAudience(audience);
  return token.sign(new TextEncoder().encode(secret));
}
