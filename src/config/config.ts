import { resolve } from 'node:path';
import { z } from 'zod';

import { databaseUrl } from './database-url.js';
import { type DocumentsConfig, documentVariables, toDocumentsConfig } from './documents.js';
import { checkEmbedding, type EmbeddingConfig, embeddingVariables, toEmbeddingConfig } from './embedding.js';
import {
  decimalNumber,
  type Environment,
  hostList,
  httpUrl,
  nameList,
  optionalText,
  optionalWholeNumber,
  readEnvironment,
  timeZone,
  wholeNumber,
} from './environment.js';
import { checkAuth, sharedVariables } from './variables.js';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** What a process does: `api` answers requests, `worker` runs turns, `all` does both. */
export const serverRoles = ['all', 'api', 'worker'] as const;
export type ServerRole = (typeof serverRoles)[number];

/** Where the title of a conversation comes from: the model, or the question that began it. */
export const titleSources = ['model', 'question'] as const;
export type TitleSource = (typeof titleSources)[number];

/** What the operator has decided, checked. The class is both the type and the injection token. */
export abstract class Config {
  abstract readonly role: ServerRole;
  abstract readonly port: number;
  abstract readonly host: string;
  /** Absolute path of the folder for embedded state and the local secret. */
  abstract readonly dataDir: string;
  /** Where clients reach this server, without a slash at the end; null: on the port of this machine that it picks. */
  abstract readonly publicUrl: string | null;
  abstract readonly logLevel: LogLevel;
  /** IANA's name of the one whose days people and models are told of. */
  abstract readonly timeZone: string;
  /** What /metrics asks for; null: nothing. */
  abstract readonly metricsToken: string | null;
  abstract readonly database: DatabaseConfig;
  abstract readonly model: ModelConfig;
  /** null: what is searched is compared by its words alone. */
  abstract readonly embedding: EmbeddingConfig | null;
  abstract readonly auth: AuthConfig;
  abstract readonly turns: {
    /** Turns that one process runs at the same time. */
    readonly maxConcurrent: number;
    /** How long the process that runs a turn has it to itself after its last sign of life. */
    readonly leaseSeconds: number;
    /** How long turns under way have to end when the process stops; the others are handed over then. */
    readonly shutdownGraceSeconds: number;
    /** For how long after a question the events of its turn are kept, once it has ended; 0: for ever. */
    readonly eventRetentionDays: number;
    /** How long a person has to decide on a skill call; no decision is a refusal. */
    readonly approvalExpiryHours: number;
    /** Turns that one process goes on with in the background at the same time. */
    readonly maxBackground: number;
  };
  abstract readonly conversations: { readonly titles: TitleSource };
  /** A SearXNG; null: no search of the web. */
  abstract readonly search: { readonly url: string | null };
  /** Hosts and CIDR ranges that requests to the outside may reach besides public ones. */
  abstract readonly outbound: { readonly allow: readonly string[] };
  abstract readonly documents: DocumentsConfig;
  abstract readonly limits: LimitsConfig;
  abstract readonly skills: SkillsConfig;
  abstract readonly storage: StorageConfig;
  /** What secrets of companies are encrypted with; null: derived from the secret that tokens are signed with. */
  abstract readonly encryptionKey: string | null;
}

export interface SkillsConfig {
  /** Absolute path of a folder with SKILL.md packs besides those that ship; null: none. */
  readonly packsDir: string | null;
  /** Absolute path of a JSON file with the operator's own MCP servers; null: none. */
  readonly mcpServersFile: string | null;
  /** Keys of skills, and categories as `name/*`, that a company has switched off to begin with. */
  readonly off: readonly string[];
}

export interface StorageConfig {
  /** null: the folder `files` in the data folder. */
  readonly s3: S3Config | null;
}

export interface S3Config {
  readonly bucket: string;
  /** Of an S3-compatible service; null: Amazon's own. */
  readonly endpoint: string | null;
  readonly region: string;
  /** null, both: as the machine says, such as by a role. */
  readonly accessKeyId: string | null;
  readonly secretAccessKey: string | null;
  /** Where in the bucket Palabre's files are, without slashes around it; empty: at its top. */
  readonly prefix: string;
}

/** What one member may have; a company may have a multiple of it, so that one member leaves room for the others. */
export interface LimitsConfig {
  readonly operationsPerMinute: number;
  /** Under way at the same time, in one process. */
  readonly subscriptions: number;
  /** Waiting or under way, in the whole installation. */
  readonly unfinishedTurns: number;
}

export interface DatabaseConfig {
  /** null: the embedded database in `dataDir`. */
  readonly url: string | null;
  /** Connections of one process, besides the one that listens. */
  readonly poolSize: number;
}

export interface ModelConfig {
  /** Of an OpenAI-compatible API; null: the offline model. */
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  /** Never null when `baseUrl` is set. */
  readonly name: string | null;
  readonly firstByteTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** Used while the model is away; null: none. Never set without `baseUrl`. */
  readonly fallback: FallbackModelConfig | null;
  /** Calls under way at the same time at one provider, in one process. */
  readonly maxConcurrent: number;
  /** Of every model; null: what is known of each. */
  readonly contextWindowTokens: number | null;
  /** Absolute path of a JSON file with prices; null: the shipped ones alone. */
  readonly pricesFile: string | null;
  /** 0: without pauses. */
  readonly offlineTokensPerSecond: number;
}

export interface FallbackModelConfig {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string | null;
}

export interface AuthConfig {
  /** For HS256; null together with `jwksUrl`: the secret in `dataDir`. */
  readonly secret: string | null;
  readonly jwksUrl: string | null;
  readonly issuer: string | null;
  readonly audience: string | null;
}

const pathOf = (path: string | null): string | null => (path === null ? null : resolve(path));

const Variables = z.object({
  ...sharedVariables,
  ROLE: z
    .enum(serverRoles, `one of ${serverRoles.join(', ')}`)
    .optional()
    .default('all'),
  HOST: z.string().max(253, 'a host name or an IP address').optional().default('127.0.0.1'),
  // Paths of links are put behind it.
  PUBLIC_URL: httpUrl().refine((url) => !/[?#]/.test(url ?? ''), 'an address without ? and #'),
  LOG_LEVEL: z
    .enum(logLevels, `one of ${logLevels.join(', ')}`)
    .optional()
    .default('info'),
  TIME_ZONE: timeZone(),
  METRICS_TOKEN: optionalText().refine(
    (token) => /^[\x20-\x7e]*$/.test(token ?? ''),
    'letters, digits and signs of ASCII: it is sent in a header',
  ),
  DATABASE_URL: databaseUrl(),
  // One is kept for what must not wait.
  DATABASE_POOL_SIZE: wholeNumber(2, 1000, 10),
  LLM_BASE_URL: httpUrl(),
  LLM_API_KEY: optionalText(10_000),
  LLM_MODEL: optionalText(),
  LLM_FALLBACK_MODEL: optionalText(),
  LLM_FALLBACK_BASE_URL: httpUrl(),
  LLM_FALLBACK_API_KEY: optionalText(10_000),
  LLM_MAX_CONCURRENT: wholeNumber(1, 100_000, 64),
  LLM_CONTEXT_WINDOW: optionalWholeNumber(1000, 100_000_000),
  LLM_PRICES_FILE: optionalText().transform(pathOf),
  LLM_FIRST_BYTE_TIMEOUT_SECONDS: decimalNumber(0.05, 3600, 60),
  LLM_IDLE_TIMEOUT_SECONDS: decimalNumber(0.05, 3600, 60),
  OFFLINE_MODEL_TOKENS_PER_SECOND: decimalNumber(0, 100_000, 150),
  ...embeddingVariables,
  ...documentVariables,
  MAX_TURNS: wholeNumber(1, 10_000, 50),
  // A sign of life comes every 5 seconds: one of them may be lost.
  LEASE_SECONDS: wholeNumber(10, 600, 20),
  SHUTDOWN_GRACE_SECONDS: wholeNumber(0, 600, 10),
  EVENT_RETENTION_DAYS: wholeNumber(0, 3650, 30),
  APPROVAL_EXPIRY_HOURS: decimalNumber(0.01, 8760, 24),
  MAX_BACKGROUND_TURNS: wholeNumber(1, 10_000, 20),
  CONVERSATION_TITLES: z
    .enum(titleSources, `one of ${titleSources.join(', ')}`)
    .optional()
    .default('model'),
  SEARCH_URL: httpUrl(),
  OUTBOUND_ALLOW: hostList(),
  ENCRYPTION_KEY: z
    .string()
    .min(32, 'at least 32 characters long')
    .optional()
    .transform((value) => value ?? null),
  SKILLS_DIR: optionalText().transform(pathOf),
  SKILLS_OFF: nameList(),
  MCP_SERVERS_FILE: optionalText().transform(pathOf),
  S3_BUCKET: optionalText(63),
  S3_ENDPOINT: httpUrl(),
  S3_REGION: z.string().max(100, 'at most 100 characters long').optional().default('us-east-1'),
  S3_ACCESS_KEY_ID: optionalText(),
  S3_SECRET_ACCESS_KEY: optionalText(),
  S3_PREFIX: z
    .string()
    .max(500, 'at most 500 characters long')
    .optional()
    .default('')
    .transform((value) => value.replaceAll(/^\/+|\/+$/g, '')),
  MAX_OPERATIONS_PER_MINUTE: wholeNumber(1, 100_000_000, 12_000),
  MAX_SUBSCRIPTIONS: wholeNumber(1, 1_000_000, 10_000),
  MAX_TURNS_PER_MEMBER: wholeNumber(1, 1_000_000, 500),
});

/** Reads and checks the server's settings. Throws one ConfigError that lists everything that is wrong. */
export const readConfig = (env: Environment = process.env): Config =>
  toConfig(
    readEnvironment(env, Variables, (given) => [
      ...checkAuth(given),
      ...checkModel(given),
      ...checkFallback(given),
      ...checkEmbedding(given),
      ...checkRole(given),
      ...checkStorage(given),
    ]),
  );

const checkModel = (given: Environment): string[] => {
  if (given.LLM_BASE_URL) {
    if (given.LLM_MODEL) return [];
    return ['LLM_MODEL must be the name of a model that LLM_BASE_URL serves, as LLM_BASE_URL is set.'];
  }
  // Or whoever set it would be answered by the offline model. The embedder's key is this one only where its API is.
  const owner = ['LLM_MODEL', 'LLM_API_KEY'].find((name) => given[name]);
  return owner
    ? [`LLM_BASE_URL must be set, as ${owner} is set: to https://api.openai.com/v1, for one.`]
    : [];
};

const checkFallback = (given: Environment): string[] => {
  const owner = ['LLM_FALLBACK_BASE_URL', 'LLM_FALLBACK_API_KEY'].find((name) => given[name]);
  if (owner && !given.LLM_FALLBACK_MODEL) return [`LLM_FALLBACK_MODEL must be set, as ${owner} is set.`];
  if (!given.LLM_FALLBACK_MODEL) return [];
  // Requests find their provider by the name of the model.
  const isSame = given.LLM_FALLBACK_MODEL === given.LLM_MODEL;
  if (isSame) return ['LLM_FALLBACK_MODEL must be another model than LLM_MODEL.'];
  return given.LLM_BASE_URL ? [] : ['LLM_BASE_URL must be set, as LLM_FALLBACK_MODEL is set.'];
};

const checkRole = (given: Environment): string[] =>
  (given.ROLE === 'api' || given.ROLE === 'worker') && !given.DATABASE_URL
    ? [`DATABASE_URL must be set, as ROLE is ${given.ROLE}: the embedded database is one process’s.`]
    : [];

const checkStorage = (given: Environment): string[] => {
  const owner = ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].find((name) => given[name]);
  if (owner && !given.S3_BUCKET) return [`S3_BUCKET must be set, as ${owner} is set.`];
  const isHalf = Boolean(given.S3_ACCESS_KEY_ID) !== Boolean(given.S3_SECRET_ACCESS_KEY);
  return isHalf ? ['Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or neither of them.'] : [];
};

type Variables = z.infer<typeof Variables>;

const toConfig = (variables: Variables): Config => ({
  role: variables.ROLE,
  port: variables.PORT,
  host: variables.HOST,
  dataDir: variables.DATA_DIR,
  publicUrl: variables.PUBLIC_URL ?? (variables.PORT === 0 ? null : `http://localhost:${variables.PORT}`),
  logLevel: variables.LOG_LEVEL,
  timeZone: variables.TIME_ZONE,
  metricsToken: variables.METRICS_TOKEN,
  database: { url: variables.DATABASE_URL, poolSize: variables.DATABASE_POOL_SIZE },
  model: toModelConfig(variables),
  embedding: toEmbeddingConfig(variables),
  auth: {
    secret: variables.AUTH_SECRET,
    jwksUrl: variables.AUTH_JWKS_URL,
    issuer: variables.AUTH_ISSUER,
    audience: variables.AUTH_AUDIENCE,
  },
  turns: {
    maxConcurrent: variables.MAX_TURNS,
    leaseSeconds: variables.LEASE_SECONDS,
    shutdownGraceSeconds: variables.SHUTDOWN_GRACE_SECONDS,
    eventRetentionDays: variables.EVENT_RETENTION_DAYS,
    approvalExpiryHours: variables.APPROVAL_EXPIRY_HOURS,
    maxBackground: variables.MAX_BACKGROUND_TURNS,
  },
  conversations: { titles: variables.CONVERSATION_TITLES },
  search: { url: variables.SEARCH_URL },
  outbound: { allow: variables.OUTBOUND_ALLOW },
  skills: toSkillsConfig(variables),
  storage: { s3: toS3Config(variables) },
  encryptionKey: variables.ENCRYPTION_KEY,
  documents: toDocumentsConfig(variables),
  limits: {
    operationsPerMinute: variables.MAX_OPERATIONS_PER_MINUTE,
    subscriptions: variables.MAX_SUBSCRIPTIONS,
    unfinishedTurns: variables.MAX_TURNS_PER_MEMBER,
  },
});

const toModelConfig = (variables: Variables): ModelConfig => ({
  baseUrl: variables.LLM_BASE_URL,
  apiKey: variables.LLM_API_KEY,
  name: variables.LLM_MODEL,
  firstByteTimeoutMs: Math.round(variables.LLM_FIRST_BYTE_TIMEOUT_SECONDS * 1000),
  idleTimeoutMs: Math.round(variables.LLM_IDLE_TIMEOUT_SECONDS * 1000),
  fallback: fallbackOf(variables),
  maxConcurrent: variables.LLM_MAX_CONCURRENT,
  contextWindowTokens: variables.LLM_CONTEXT_WINDOW,
  pricesFile: variables.LLM_PRICES_FILE,
  offlineTokensPerSecond: variables.OFFLINE_MODEL_TOKENS_PER_SECOND,
});

const toSkillsConfig = (variables: Variables): SkillsConfig => ({
  packsDir: variables.SKILLS_DIR,
  mcpServersFile: variables.MCP_SERVERS_FILE,
  off: variables.SKILLS_OFF,
});

const toS3Config = (variables: Variables): S3Config | null =>
  variables.S3_BUCKET === null
    ? null
    : {
        bucket: variables.S3_BUCKET,
        endpoint: variables.S3_ENDPOINT,
        region: variables.S3_REGION,
        accessKeyId: variables.S3_ACCESS_KEY_ID,
        secretAccessKey: variables.S3_SECRET_ACCESS_KEY,
        prefix: variables.S3_PREFIX,
      };

function fallbackOf(variables: Variables): FallbackModelConfig | null {
  const { LLM_FALLBACK_MODEL: name, LLM_FALLBACK_BASE_URL: otherUrl, LLM_BASE_URL: sameUrl } = variables;
  const baseUrl = otherUrl ?? sameUrl;
  if (name === null || baseUrl === null) return null;
  // One provider's key is not shown to another one.
  const inherited = baseUrl === sameUrl ? variables.LLM_API_KEY : null;
  return { name, baseUrl, apiKey: variables.LLM_FALLBACK_API_KEY ?? inherited };
}
