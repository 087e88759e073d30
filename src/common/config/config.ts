import { resolve } from 'node:path';
import { z } from 'zod';

import { databaseUrl } from './database-url.js';
import { distribution } from './distribution.js';
import { checkTracing, toTracingConfig, tracingVariables } from './tracing-config.js';
import {
  checkAuth,
  checkEmbedding,
  checkOidc,
  checkProvider,
  documentVariables,
  embeddingVariables,
  limitVariables,
  oidcVariables,
  sharedVariables,
  toAuthConfig,
  toDocumentsConfig,
  toEmbeddingConfig,
  toHttpConfig,
  toLimitsConfig,
  toOidcConfig,
  toSchedulesConfig,
} from './variables.js';
import {
  decimalNumber,
  type Environment,
  hostList,
  httpUrl,
  keyList,
  moduleList,
  nameList,
  optionalText,
  optionalWholeNumber,
  readEnvironment,
  timeZone,
  wholeNumber,
} from './environment.js';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** What a process does: `api` answers requests, `worker` runs turns, `all` does both. */
const serverRoles = ['all', 'api', 'worker'] as const;
export type ServerRole = (typeof serverRoles)[number];

const titleSources = ['model', 'question'] as const;

/** The protocols that models may be asked in; `auto`: by what is known of them, and what providers refuse. */
const modelProtocols = ['auto', 'chat', 'responses'] as const;

const Variables = z.object({
  ...sharedVariables,
  ROLE: z
    .enum(serverRoles, `one of ${serverRoles.join(', ')}`)
    .optional()
    .default('all'),
  HOST: z.string().max(253, 'a host name or an IP address').optional().default('127.0.0.1'),
  // Paths of links are appended to it.
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
  // One connection is reserved for urgent work.
  DATABASE_POOL_SIZE: wholeNumber(2, 1000, 10),
  LLM_BASE_URL: httpUrl(),
  LLM_API_KEY: optionalText(10_000),
  LLM_MODEL: optionalText(),
  LLM_FALLBACK_MODEL: optionalText(),
  LLM_FALLBACK_BASE_URL: httpUrl(),
  LLM_FALLBACK_API_KEY: optionalText(10_000),
  LLM_UPKEEP_MODEL: optionalText(),
  LLM_MAX_CONCURRENT: wholeNumber(1, 100_000, 64),
  LLM_CONTEXT_WINDOW: optionalWholeNumber(1000, 100_000_000),
  MODELS_FILE: optionalText().transform((path) => path && resolve(path)),
  LLM_API: z
    .enum(modelProtocols, `one of ${modelProtocols.join(', ')}`)
    .optional()
    .default('auto'),
  LLM_FIRST_BYTE_TIMEOUT_SECONDS: decimalNumber(0.05, 3600, 60),
  LLM_IDLE_TIMEOUT_SECONDS: decimalNumber(0.05, 3600, 60),
  OFFLINE_MODEL_TOKENS_PER_SECOND: decimalNumber(0, 100_000, 150),
  ...embeddingVariables,
  ...documentVariables,
  MAX_TURNS: wholeNumber(1, 10_000, 50),
  // A heartbeat comes every 5 seconds, and one may be lost.
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
  ENCRYPTION_KEYS_OLD: keyList(32),
  SKILLS_DIR: optionalText().transform((path) => path && resolve(path)),
  SKILLS_OFF: nameList(),
  MCP_SERVERS_FILE: optionalText().transform((path) => path && resolve(path)),
  MCP_SKILLS: moduleList([]),
  PLUGINS: moduleList(distribution.plugins),
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
  ...limitVariables,
  ...oidcVariables,
  ...tracingVariables,
});

/** Reads and checks the server's settings. Throws one ConfigError that lists everything that is wrong. */
export function readConfig(env: Environment = process.env): Config {
  return toConfig(
    readEnvironment(env, Variables, (given) => [
      ...checkAuth(given),
      ...checkProvider(given),
      ...checkOidc(given),
      ...checkModel(given),
      ...checkFallback(given),
      ...checkEmbedding(given),
      ...checkRole(given),
      ...checkStorage(given),
      ...checkTrustedDocuments(given),
      ...checkTracing(given),
    ]),
  );
}

function checkModel(given: Environment): string[] {
  if (given.LLM_PRICES_FILE)
    return ['MODELS_FILE must be set in place of LLM_PRICES_FILE, with the same file.'];
  if (given.LLM_BASE_URL) {
    if (given.LLM_MODEL) return [];
    return ['LLM_MODEL must be the name of a model that LLM_BASE_URL serves, as LLM_BASE_URL is set.'];
  }
  // Without LLM_BASE_URL the offline model would answer, which nobody who sets these wants.
  const owner = ['LLM_MODEL', 'LLM_API_KEY', 'LLM_UPKEEP_MODEL'].find((name) => given[name]);
  return owner
    ? [`LLM_BASE_URL must be set, as ${owner} is set: to https://api.openai.com/v1, for one.`]
    : [];
}

function checkFallback(given: Environment): string[] {
  const owner = ['LLM_FALLBACK_BASE_URL', 'LLM_FALLBACK_API_KEY'].find((name) => given[name]);
  if (owner && !given.LLM_FALLBACK_MODEL) return [`LLM_FALLBACK_MODEL must be set, as ${owner} is set.`];
  if (!given.LLM_FALLBACK_MODEL) return [];
  // The provider of a request is found by the name of the model.
  const isSame = given.LLM_FALLBACK_MODEL === given.LLM_MODEL;
  if (isSame) return ['LLM_FALLBACK_MODEL must be another model than LLM_MODEL.'];
  return given.LLM_BASE_URL ? [] : ['LLM_BASE_URL must be set, as LLM_FALLBACK_MODEL is set.'];
}

function checkRole(given: Environment): string[] {
  return (given.ROLE === 'api' || given.ROLE === 'worker') && !given.DATABASE_URL
    ? [`DATABASE_URL must be set, as ROLE is ${given.ROLE}: the embedded database is one process’s.`]
    : [];
}

function checkStorage(given: Environment): string[] {
  const owner = ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].find((name) => given[name]);
  if (owner && !given.S3_BUCKET) return [`S3_BUCKET must be set, as ${owner} is set.`];
  const isHalf = Boolean(given.S3_ACCESS_KEY_ID) !== Boolean(given.S3_SECRET_ACCESS_KEY);
  return isHalf ? ['Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or neither of them.'] : [];
}

function checkTrustedDocuments(given: Environment): string[] {
  const isOff = (given.TRUSTED_DOCUMENTS ?? 'off') === 'off';
  if (isOff === !given.TRUSTED_DOCUMENTS_FILES) return [];
  return [
    isOff
      ? 'TRUSTED_DOCUMENTS must be known or only, as TRUSTED_DOCUMENTS_FILES is set.'
      : `TRUSTED_DOCUMENTS_FILES must name at least one manifest, as TRUSTED_DOCUMENTS is ${given.TRUSTED_DOCUMENTS}.`,
  ];
}

type Variables = z.infer<typeof Variables>;

type Settings = Readonly<ReturnType<typeof toConfig>>;

/** The server's settings, checked. The class is both the type and the injection token. */
// oxlint-disable-next-line typescript/no-extraneous-class, typescript/no-unsafe-declaration-merging -- toConfig makes them.
export abstract class Config {}
export interface Config extends Settings {}

export type { DoorName, Introspection } from './variables.js';
export type OidcConfig = NonNullable<Config['oidc']>;
export type ModelConfig = Config['model'];
export type { TracingConfig } from './tracing-config.js';
export type StorageConfig = Config['storage'];
export type S3Config = NonNullable<StorageConfig['s3']>;

function toConfig(variables: Variables) {
  return {
    role: variables.ROLE,
    port: variables.PORT,
    host: variables.HOST,
    /** Absolute path of the folder for embedded state and the local secret. */
    dataDir: variables.DATA_DIR,
    /** The URL at which clients reach this server, without a slash at the end; null: localhost, with the port it picks. */
    publicUrl: variables.PUBLIC_URL ?? (variables.PORT === 0 ? null : `http://localhost:${variables.PORT}`),
    logLevel: variables.LOG_LEVEL,
    /** An IANA name. Dates shown to people and models are in this time zone. */
    timeZone: variables.TIME_ZONE,
    /** The bearer token of /metrics; null: none is needed. */
    metricsToken: variables.METRICS_TOKEN,
    /** Where traces, and metrics of models, are sent; null: nowhere. */
    tracing: toTracingConfig(variables),
    database: {
      /** Null: the embedded database in `dataDir`. */
      url: variables.DATABASE_URL,
      /** Connections of one process, without the one that listens. */
      poolSize: variables.DATABASE_POOL_SIZE,
    },
    model: toModelConfig(variables),
    /** Null: search by words only. */
    embedding: toEmbeddingConfig(variables),
    auth: toAuthConfig(variables),
    /** The provider that people sign in to the console by; null: they have tokens. */
    oidc: toOidcConfig(variables),
    turns: {
      /** Turns at the same time, in one process. */
      maxConcurrent: variables.MAX_TURNS,
      /** How long a process keeps its turn after its last heartbeat. */
      leaseSeconds: variables.LEASE_SECONDS,
      /** How long running turns have to end when the process stops. The rest are handed over to other processes. */
      shutdownGraceSeconds: variables.SHUTDOWN_GRACE_SECONDS,
      /** How long the events of an ended turn are kept, from its question; 0: for ever. */
      eventRetentionDays: variables.EVENT_RETENTION_DAYS,
      /** How long a person has to decide on a skill call. Without a decision it is refused. */
      approvalExpiryHours: variables.APPROVAL_EXPIRY_HOURS,
      /** Background turns at the same time, in one process. */
      maxBackground: variables.MAX_BACKGROUND_TURNS,
    },
    conversations: { titles: variables.CONVERSATION_TITLES },
    search: { url: variables.SEARCH_URL },
    /** Hosts and CIDR ranges that outbound requests may reach in addition to public ones. */
    outbound: { allow: variables.OUTBOUND_ALLOW },
    documents: toDocumentsConfig(variables),
    limits: toLimitsConfig(variables),
    schedules: toSchedulesConfig(variables),
    http: toHttpConfig(variables),
    skills: {
      /** Absolute path of a folder with SKILL.md packs in addition to those that ship; null: none. */
      packsDir: variables.SKILLS_DIR,
      /** Absolute path of a JSON file with the operator's own MCP servers; null: none. */
      mcpServersFile: variables.MCP_SERVERS_FILE,
      /** Keys of skills that the door `mcp` offers as tools, where they change nothing. */
      asTools: variables.MCP_SKILLS,
      /** Keys of skills, or categories as `name/*`, that are off in every company until an admin switches them on. */
      off: variables.SKILLS_OFF,
    },
    /** Package names or module paths of plugins. */
    plugins: variables.PLUGINS,
    storage: toStorageConfig(variables),
    /** Encrypts companies' secrets; null: the key is derived from the secret that signs tokens. */
    encryptionKey: variables.ENCRYPTION_KEY,
    /** Earlier encryption keys, which can still decrypt. */
    oldEncryptionKeys: variables.ENCRYPTION_KEYS_OLD,
  };
}

function toModelConfig(variables: Variables) {
  return {
    /** The URL of an OpenAI-compatible API; null: the offline model. */
    baseUrl: variables.LLM_BASE_URL,
    apiKey: variables.LLM_API_KEY,
    /** Never null when `baseUrl` is set. */
    name: variables.LLM_MODEL,
    firstByteTimeoutMs: Math.round(variables.LLM_FIRST_BYTE_TIMEOUT_SECONDS * 1000),
    idleTimeoutMs: Math.round(variables.LLM_IDLE_TIMEOUT_SECONDS * 1000),
    /** Used while the model cannot be reached; null: none. Never set without `baseUrl`. */
    fallback: fallbackOf(variables),
    /** Names, sums up and notes, which nobody waits for; null: the model that answered does. Never set without `baseUrl`. */
    upkeepName: variables.LLM_UPKEEP_MODEL,
    /** Calls to one provider at the same time, in one process. */
    maxConcurrent: variables.LLM_MAX_CONCURRENT,
    /** Overrides the context window of every model; null: the known one of each. */
    contextWindowTokens: variables.LLM_CONTEXT_WINDOW,
    /** Absolute path of a JSON file with what is known of models; null: only what ships. */
    modelsFile: variables.MODELS_FILE,
    api: variables.LLM_API,
    /** 0: without delay. */
    offlineTokensPerSecond: variables.OFFLINE_MODEL_TOKENS_PER_SECOND,
  };
}

function toStorageConfig(variables: Variables) {
  const { S3_BUCKET: bucket } = variables;
  // Null: the folder `files` in the data folder.
  if (bucket === null) return { s3: null };
  return {
    s3: {
      bucket,
      /** The URL of an S3-compatible service; null: Amazon S3. */
      endpoint: variables.S3_ENDPOINT,
      region: variables.S3_REGION,
      /** Both null: the machine's credentials, such as those of a role. */
      accessKeyId: variables.S3_ACCESS_KEY_ID,
      secretAccessKey: variables.S3_SECRET_ACCESS_KEY,
      /** The prefix of all keys, without slashes around it; empty: none. */
      prefix: variables.S3_PREFIX,
    },
  };
}

function fallbackOf(variables: Variables) {
  const { LLM_FALLBACK_MODEL: name, LLM_FALLBACK_BASE_URL: otherUrl, LLM_BASE_URL: sameUrl } = variables;
  const baseUrl = otherUrl ?? sameUrl;
  if (name === null || baseUrl === null) return null;
  // One provider's key is not sent to another.
  const inherited = baseUrl === sameUrl ? variables.LLM_API_KEY : null;
  return { name, baseUrl, apiKey: variables.LLM_FALLBACK_API_KEY ?? inherited };
}
