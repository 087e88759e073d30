import { resolve } from 'node:path';

import { z } from 'zod';

import {
  decimalNumber,
  type Environment,
  httpUrl,
  issuerUrl,
  moduleList,
  optionalText,
  wholeNumber,
  optionalWholeNumber,
  originList,
} from './environment.js';

const MIN_SECRET_CHARACTERS = 32;

const memberRoles = ['MEMBER', 'ADMIN', 'OPERATOR'] as const;
type MemberRole = (typeof memberRoles)[number];

/** A text; null when absent or `*`, which accepts any. */
function textOrAny() {
  return optionalText().transform((value) => (value === '*' ? null : value));
}

/** Our roles by an identity provider's names: `name=ROLE` separated by commas; null when absent. */
function roleMap() {
  return z
    .string()
    .max(10_000, 'at most 10000 characters long')
    .optional()
    .transform((value, context): ReadonlyMap<string, MemberRole> | null => {
      if (value === undefined) return null;
      const pairs = value.split(',').map((pair) => /^\s*(.*\S)\s*=\s*(\w+)\s*$/.exec(pair));
      const roles = pairs.map((pair) => [pair?.[1], memberRoles.find((role) => role === pair?.[2])] as const);
      const known = roles.flatMap(([name, role]) => (name && role ? [[name, role] as const] : []));
      if (known.length === roles.length) return new Map(known);
      context.addIssue(
        `pairs of name=ROLE with commas between them, where ROLE is ${memberRoles.join(', ')}`,
      );
      return z.NEVER;
    });
}

const PROVIDER_DEFAULTS = { AUTH_COMPANY_CLAIM: 'company', AUTH_ROLE_CLAIM: 'role', AUTH_ROLE_MAP: '' };

/** The variables that the server and the terminal client share. */
export const sharedVariables = {
  PORT: wholeNumber(0, 65_535, 4000),
  DATA_DIR: z
    .string()
    // A shell expands ~, but from .env it would become the name of a folder.
    .refine((path) => !path.startsWith('~'), 'a path whose ~ is written out')
    .optional()
    .default('.palabre')
    .transform((path) => resolve(path)),
  AUTH_SECRET: z
    .string()
    .min(MIN_SECRET_CHARACTERS, `at least ${MIN_SECRET_CHARACTERS} characters long`)
    .optional()
    .transform((value) => value ?? null),
  AUTH_JWKS_URL: httpUrl(),
  AUTH_ISSUER: textOrAny(),
  AUTH_AUDIENCE: textOrAny(),
  AUTH_MAX_TOKEN_HOURS: decimalNumber(0.01, 8760, 24),
  AUTH_COMPANY_CLAIM: z
    .string()
    .max(200, 'at most 200 characters long')
    .optional()
    .default(PROVIDER_DEFAULTS.AUTH_COMPANY_CLAIM),
  AUTH_ROLE_CLAIM: z
    .string()
    .max(200, 'at most 200 characters long')
    .optional()
    .default(PROVIDER_DEFAULTS.AUTH_ROLE_CLAIM),
  AUTH_ROLE_MAP: roleMap(),
};

type AuthVariables = z.infer<z.ZodObject<typeof sharedVariables>>;

export function toAuthConfig(variables: AuthVariables) {
  return {
    /** For HS256. When `jwksUrl` is null too: the secret in `dataDir`. */
    secret: variables.AUTH_SECRET,
    jwksUrl: variables.AUTH_JWKS_URL,
    /** Null, as for `audience`: any is accepted. */
    issuer: variables.AUTH_ISSUER,
    audience: variables.AUTH_AUDIENCE,
    maxTokenSeconds: Math.round(variables.AUTH_MAX_TOKEN_HOURS * 3600),
    /** The claims of company and role in a provider's tokens, and its names for our roles; null: the same as ours. */
    claims: {
      company: variables.AUTH_COMPANY_CLAIM,
      role: variables.AUTH_ROLE_CLAIM,
      roles: variables.AUTH_ROLE_MAP,
    },
  };
}

export type AuthConfig = ReturnType<typeof toAuthConfig>;

export function checkAuth(given: Environment): string[] {
  return given.AUTH_SECRET && given.AUTH_JWKS_URL ? ['Set AUTH_SECRET or AUTH_JWKS_URL, not both.'] : [];
}

/** The provider that people sign in to the console by. */
export const oidcVariables = {
  AUTH_OIDC_ISSUER: issuerUrl(),
  AUTH_OIDC_CLIENT_ID: optionalText(),
  AUTH_OIDC_CLIENT_SECRET: optionalText(10_000),
  AUTH_OIDC_SCOPE: z
    .string()
    .max(1000, 'at most 1000 characters long')
    .regex(/^openid( |$)/, 'names with blanks between them, the first of which is openid')
    .optional()
    .default('openid profile email'),
  AUTH_OIDC_NAME: optionalText(100),
};

type OidcVariables = z.infer<z.ZodObject<typeof oidcVariables>>;

export function checkOidc(given: Environment): string[] {
  if (given.AUTH_OIDC_ISSUER) {
    if (given.AUTH_OIDC_CLIENT_ID) return [];
    return ['AUTH_OIDC_CLIENT_ID must be what the provider calls Palabre, as AUTH_OIDC_ISSUER is set.'];
  }
  const owner = ['AUTH_OIDC_CLIENT_ID', 'AUTH_OIDC_CLIENT_SECRET', 'AUTH_OIDC_NAME'].find(
    (name) => given[name],
  );
  return owner ? [`AUTH_OIDC_ISSUER must be set, as ${owner} is set.`] : [];
}

export function toOidcConfig(given: OidcVariables) {
  const { AUTH_OIDC_ISSUER: issuer, AUTH_OIDC_CLIENT_ID: clientId } = given;
  if (issuer === null || clientId === null) return null;
  return {
    issuer,
    clientId,
    /** Null: a public client, which PKCE alone protects. */
    clientSecret: given.AUTH_OIDC_CLIENT_SECRET,
    scope: given.AUTH_OIDC_SCOPE,
    /** Whose provider it is, as people are told. */
    organisation: given.AUTH_OIDC_NAME ?? new URL(issuer).host,
  };
}

/** A provider signs tokens for other applications with the same keys, so issuer and audience must be set. */
export function checkProvider(given: Environment): string[] {
  if (given.AUTH_JWKS_URL) {
    return [
      ['AUTH_ISSUER', 'the `iss` of your identity provider’s tokens'],
      ['AUTH_AUDIENCE', 'the `aud` that its tokens for Palabre have'],
    ].flatMap(([name = '', what = '']) =>
      given[name] ? [] : [`${name} must be ${what}, as AUTH_JWKS_URL is set; or * to take any.`],
    );
  }
  if (given.AUTH_OIDC_ISSUER) return [];
  const owner = Object.entries(PROVIDER_DEFAULTS).find(
    ([name, usual]) => (given[name] || usual) !== usual,
  )?.[0];
  return owner
    ? [`AUTH_JWKS_URL must be set, as ${owner} is set: it is about the tokens of a provider.`]
    : [];
}

/** Limits for all documents of a member or company together. */
export interface DocumentLimits {
  readonly maxDocuments: number;
  readonly maxBytes: number;
}

export const documentVariables = {
  DOCUMENT_MAX_BYTES: wholeNumber(1, 2_000_000_000, 52_428_800),
  MAX_DOCUMENTS_PER_MEMBER: wholeNumber(0, 2_000_000_000, 10_000),
  MAX_DOCUMENTS_PER_COMPANY: wholeNumber(0, 2_000_000_000, 100_000),
  MAX_DOCUMENT_BYTES_PER_MEMBER: wholeNumber(0, 1e15, 10_000_000_000),
  MAX_DOCUMENT_BYTES_PER_COMPANY: wholeNumber(0, 1e15, 100_000_000_000),
  DOCUMENT_TIMEOUT_SECONDS: wholeNumber(1, 3600, 120),
  // Node takes about 60 without any document.
  DOCUMENT_MEMORY_MB: wholeNumber(256, 65_536, 768),
};

type DocumentVariables = Record<keyof typeof documentVariables, number>;

export function toDocumentsConfig(given: DocumentVariables) {
  return {
    /** The largest size of one document. */
    maxBytes: given.DOCUMENT_MAX_BYTES,
    member: { maxDocuments: given.MAX_DOCUMENTS_PER_MEMBER, maxBytes: given.MAX_DOCUMENT_BYTES_PER_MEMBER },
    company: {
      maxDocuments: given.MAX_DOCUMENTS_PER_COMPANY,
      maxBytes: given.MAX_DOCUMENT_BYTES_PER_COMPANY,
    },
    /** How long reading one document may take. It is read in a process of its own. */
    timeoutMs: given.DOCUMENT_TIMEOUT_SECONDS * 1000,
    memoryMegabytes: given.DOCUMENT_MEMORY_MB,
  };
}

export const embeddingVariables = {
  EMBEDDING_BASE_URL: httpUrl(),
  EMBEDDING_API_KEY: optionalText(10_000),
  EMBEDDING_MODEL: optionalText(200),
  // The longest vector that pgvector stores.
  EMBEDDING_DIMENSIONS: optionalWholeNumber(2, 16_000),
};

export function checkEmbedding(given: Environment): string[] {
  const owner = ['EMBEDDING_BASE_URL', 'EMBEDDING_API_KEY', 'EMBEDDING_DIMENSIONS'].find(
    (name) => given[name],
  );
  if (owner && !given.EMBEDDING_MODEL) return [`EMBEDDING_MODEL must be set, as ${owner} is set.`];
  const isNowhere = given.EMBEDDING_MODEL && !given.EMBEDDING_BASE_URL && !given.LLM_BASE_URL;
  return isNowhere ? ['EMBEDDING_BASE_URL (or LLM_BASE_URL) must be set, as EMBEDDING_MODEL is set.'] : [];
}

type EmbeddingVariables = z.infer<z.ZodObject<typeof embeddingVariables>> &
  Record<'LLM_BASE_URL' | 'LLM_API_KEY', string | null>;

/** The embedding model for search by meaning. `dimensions`: the length of the vectors; null: the model's default. */
export function toEmbeddingConfig(given: EmbeddingVariables) {
  const { EMBEDDING_MODEL: model, EMBEDDING_BASE_URL: otherUrl, LLM_BASE_URL: sameUrl } = given;
  const baseUrl = otherUrl ?? sameUrl;
  if (model === null || baseUrl === null) return null;
  // One provider's key is not sent to another.
  const inherited = baseUrl === sameUrl ? given.LLM_API_KEY : null;
  const apiKey = given.EMBEDDING_API_KEY ?? inherited;
  return { baseUrl, apiKey, model, dimensions: given.EMBEDDING_DIMENSIONS };
}

export type EmbeddingConfig = NonNullable<ReturnType<typeof toEmbeddingConfig>>;

/** Operations by their hash: refused, allowed, or the only ones that are carried out. */
const documentTrusts = ['off', 'known', 'only'] as const;

/** Who is shown the schema: whoever asks, admins, or nobody. */
const introspectionChoices = ['on', 'admins', 'off'] as const;
export type Introspection = (typeof introspectionChoices)[number];

/** The protocols beside GraphQL. */
export const doorNames = ['openai', 'ag-ui', 'ai-sdk', 'mcp'] as const;
export type DoorName = (typeof doorNames)[number];

export const limitVariables = {
  MAX_OPERATIONS_PER_MINUTE: wholeNumber(1, 100_000_000, 1_200),
  MAX_THREAD_MS_PER_MINUTE: wholeNumber(1, 100_000_000, 6_000),
  MAX_SOCKETS: wholeNumber(1, 1_000_000, 250),
  MAX_SUBSCRIPTIONS: wholeNumber(1, 1_000_000, 10_000),
  MAX_TURNS_PER_MEMBER: wholeNumber(1, 1_000_000, 500),
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000, 10_000),
  MAX_SCHEDULES_PER_MEMBER: wholeNumber(0, 100_000, 100),
  SCHEDULE_LEAST_MINUTES: wholeNumber(1, 1_440, 15),
  SCHEDULE_MAX_FAILURES: wholeNumber(1, 1_000, 5),
  CORS_ORIGINS: originList(),
  TRUSTED_DOCUMENTS: z
    .enum(documentTrusts, `one of ${documentTrusts.join(', ')}`)
    .optional()
    .default('off'),
  TRUSTED_DOCUMENTS_FILES: moduleList([]).transform((paths) => paths.map((path) => resolve(path))),
  CONSOLE: z.enum(['on', 'off'], 'on or off').optional().default('on'),
  FEDERATION: z.enum(['on', 'off'], 'on or off').optional().default('off'),
  INTROSPECTION: z.enum(introspectionChoices, `one of ${introspectionChoices.join(', ')}`).optional(),
  DOORS: moduleList(null).refine(
    (names) => names?.every((name) => name === 'all' || doorNames.some((door) => door === name)) ?? true,
    `all, none, or some of ${doorNames.join(', ')} with commas between them`,
  ),
};

type LimitVariables = z.infer<z.ZodObject<typeof limitVariables>>;

/** Limits of one member. A company may have a multiple of them, so that one member cannot use up all of it. */
export function toLimitsConfig(given: LimitVariables) {
  return {
    operationsPerMinute: given.MAX_OPERATIONS_PER_MINUTE,
    /** Time on the main thread for a member's operations, in one process. */
    threadMsPerMinute: given.MAX_THREAD_MS_PER_MINUTE,
    /** Open WebSockets, in one process. */
    sockets: given.MAX_SOCKETS,
    /** Running subscriptions, in one process. */
    subscriptions: given.MAX_SUBSCRIPTIONS,
    /** Waiting or running turns, in the whole installation. */
    unfinishedTurns: given.MAX_TURNS_PER_MEMBER,
  };
}

export function toSchedulesConfig(given: LimitVariables) {
  return {
    /** Of one member, without those that have ended. */
    maxPerMember: given.MAX_SCHEDULES_PER_MEMBER,
    /** The least time between two runs of one schedule. */
    leastMinutes: given.SCHEDULE_LEAST_MINUTES,
    /** A schedule is paused after so many turns in a row that failed. */
    maxFailures: given.SCHEDULE_MAX_FAILURES,
  };
}

export function toHttpConfig(given: LimitVariables & { DATABASE_URL: string | null }) {
  const doors = given.DOORS ?? (given.DATABASE_URL === null ? ['all'] : []);
  return {
    /** Open connections of all clients. Further ones are closed at once. */
    maxConnections: given.MAX_CONNECTIONS,
    /** The origins whose pages may read the API's answers; `*`: all. */
    corsOrigins: given.CORS_ORIGINS,
    /** Absolute paths of manifests of operations that clients may name by hash. */
    trustedDocuments: { mode: given.TRUSTED_DOCUMENTS, files: given.TRUSTED_DOCUMENTS_FILES },
    /** Whether the console is served at /. */
    hasConsole: given.CONSOLE === 'on',
    /** Whether the schema is a subgraph for a router of Apollo Federation. */
    isSubgraph: given.FEDERATION === 'on',
    introspection: given.INTROSPECTION ?? (given.DATABASE_URL === null ? 'on' : 'admins'),
    /** Those that are open. */
    doors: doorNames.filter((door) => doors.includes('all') || doors.includes(door)),
  };
}
