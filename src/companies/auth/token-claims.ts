import { z } from 'zod';
import { plainLine } from '@palabre/text';

import { type Role, roles } from './viewer.js';

/** The names of our claims and roles in an identity provider's tokens. */
export interface ClaimNames {
  /** The name of a claim, or its path, such as `realm_access.roles`. */
  company: string;
  role: string;
  /** Our role for each of the provider's names. `*` is the role for any other name, and for no name. Null: ours. */
  roles: ReadonlyMap<string, Role> | null;
}

export const ourClaims: ClaimNames = { company: 'company', role: 'role', roles: null };

/** A token's checked statements about its bearer. */
export interface Claims {
  subject: string;
  companySlug: string;
  role: Role;
  name: string;
  email: string | null;
  /** Null: the credential does not expire. Tokens always do. */
  expiresAt: Date | null;
  /** When the browser session began. Absent for a token. */
  sessionBegan?: Date;
}

/** Times are seconds since 1970. */
type ParsedClaims = Omit<Claims, 'expiresAt' | 'sessionBegan'> & {
  issuedAt: number | null;
  expiresAt: number;
};

const MAX_DATE_SECONDS = 8_640_000_000_000;

/** Subjects that the repositories of members and API keys use for rows without a person. No token may claim one. */
const RESERVED_SUBJECT = /^(api-key|erased|revoked)\s/i;

// PostgreSQL stores no NUL. Nor do the other control characters belong in a name.
function text(maxLength: number) {
  return z
    .string()
    .trim()
    .max(maxLength)
    .regex(/^\P{Cc}*$/u);
}

/** PostgreSQL stores all lone surrogates as one and the same, which would make one member of two subjects. */
function identifier(maxLength: number) {
  return text(maxLength)
    .min(1)
    .refine((value) => value.isWellFormed());
}

/** A provider may have cut it in the middle of a character. */
function shownText(maxLength: number) {
  return text(maxLength)
    .nullish()
    .transform((value) => absentIfEmpty(plainLine((value ?? '').toWellFormed())));
}

function absentIfEmpty(value: string | null | undefined): string | null {
  return value || null;
}

const ClaimsSchema = z.object({
  sub: identifier(255).refine((subject) => !RESERVED_SUBJECT.test(subject)),
  company: identifier(100),
  role: z.enum(roles),
  name: shownText(200),
  email: shownText(320),
  iat: z.number().nullish(),
  exp: z.number().max(MAX_DATE_SECONDS),
});

/** The claims of a payload, or the names of missing and unusable ones, as in the token. */
export function readClaims(payload: Record<string, unknown>, names: ClaimNames): ParsedClaims | string[] {
  const { sub, name, email, iat, exp } = payload;
  const company = unwrapSingle(findClaim(payload, names.company));
  const role = roleOf(findClaim(payload, names.role), names.roles);
  const parsed = ClaimsSchema.safeParse({ sub, company, role, name, email, iat, exp });
  if (!parsed.success) {
    const claims = new Set(parsed.error.issues.map((issue) => String(issue.path[0])));
    const calledBy: Record<string, string> = { company: names.company, role: names.role };
    return [...claims].map((claim) => calledBy[claim] ?? claim);
  }
  const said = parsed.data;
  return {
    subject: said.sub,
    companySlug: said.company,
    role: said.role,
    name: said.name ?? said.email ?? (plainLine(said.sub) || said.sub),
    email: said.email,
    issuedAt: said.iat ?? null,
    expiresAt: said.exp,
  };
}

/** Tries the whole name first, which may have dots, as in `https://example.org/roles`, then the path. */
function findClaim(payload: Record<string, unknown>, path: string): unknown {
  if (Object.hasOwn(payload, path)) return payload[path];
  return path.split('.').reduce<unknown>((value, step) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    return isObject ? Reflect.get(value, step) : undefined;
  }, payload);
}

/** Some providers send a list of one. */
function unwrapSingle(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

const ownNames: ReadonlyMap<string, Role> = new Map(roles.map((role) => [role, role]));

/** The highest role that the claim names; it is a string or a list of strings. Null: it names no known role. */
function roleOf(claim: unknown, calledBy: ClaimNames['roles']): Role | null {
  const given: unknown[] = [claim ?? []].flat();
  const names = given.filter((name) => typeof name === 'string' && name !== '*');
  const known = new Set(names.map((name) => (calledBy ?? ownNames).get(String(name))));
  const highest = roles.findLast((role) => known.has(role));
  if (highest) return highest;
  if (calledBy !== null) return calledBy.get('*') ?? null;
  return given.length === 0 ? 'MEMBER' : null;
}
