import { resolve } from 'node:path';
import { z } from 'zod';

import { databaseUrl } from './database-url.js';
import { distribution } from './distribution.js';
import {
  type DocumentsConfig,
  documentVariables,
  toDocumentsConfig,
  checkEmbedding,
  type EmbeddingConfig,
  embeddingVariables,
  toEmbeddingConfig,
  type HttpConfig,
  type LimitsConfig,
  limitVariables,
  toHttpConfig,
  toLimitsConfig,
  checkAuth,
  checkProvider,
  sharedVariables,
  toAuthConfig,
  type AuthConfig,
} from './variables.js';
import {
  checkFallback,
  checkModel,
  type ModelConfig,
  modelVariables,
  toModelConfig,
} from './model-config.js';
import {
  decimalNumber,
  type Environment,
  hostList,
  httpUrl,
  keyList,
  moduleList,
  nameList,
  optionalText,
  readEnvironment,
  timeZone,
  wholeNumber,
} from './environment.js';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

/** What a process does: `api` answers requests, `worker` runs turns, `all` does both. */
const serverRoles = ['all', 'api', 'worker'] as const;
export type ServerRole = (typeof serverRoles)[number];

/** Where the title of a conversation comes from: the model, or its first question. */
const titleSources = ['model', 'question'] as const;
type TitleSource = (typeof titleSources)[number];

/** The server's settings, checked. The class is both the type and the injection token. */
export abstract class Config {
  abstract readonly role: ServerRole;
  abstract readonly port: number;
  abstract readonly host: string;
  /** Absolute path of the folder for embedded state and the local secret. */
  abstract readonly dataDir: string;
  /** The URL at which clients reach this server, without a slash at the end; null: localhost, with the port it picks. */
  abstract readonly publicUrl: string | null;
  abstract readonly logLevel: LogLevel;
  /** An IANA name. Dates shown to people and models are in this time zone. */
  abstract readonly timeZone: string;
  /** The bearer token of /metrics; null: none is needed. */
  abstract readonly metricsToken: string | null;
  abstract readonly database: DatabaseConfig;
  abstract readonly model: ModelConfig;
  /** Null: search by words only. */
  abstract readonly embedding: EmbeddingConfig | null;
  abstract readonly auth: AuthConfig;
  abstract readonly turns: {
    /** Turns at the same time, in one process. */
    readonly maxConcurrent: number;
    /** How long a process keeps its turn after its last heartbeat. */
    readonly leaseSeconds: number;
    /** How long running turns have to end when the process stops. The rest are handed over to other processes. */
    readonly shutdownGraceSeconds: number;
    /** How long the events of an ended turn are kept, from its question; 0: for ever. */
    readonly eventRetentionDays: number;
    /** How long a person has to decide on a skill call. Without a decision it is refused. */
    readonly approvalExpiryHours: number;
    /** Background turns at the same time, in one process. */
    readonly maxBackground: number;
  };
  abstract readonly conversations: { readonly titles: TitleSource };
  /** The URL of a SearXNG; null: no web search. */
  abstract readonly search: { readonly url: string | null };
  /** Hosts and CIDR ranges that outbound requests may reach in addition to public ones. */
  abstract readonly outbound: { readonly allow: readonly string[] };
  abstract readonly documents: DocumentsConfig;
  abstract readonly limits: LimitsConfig;
  abstract readonly http: HttpConfig;
  abstract readonly skills: SkillsConfig;
  /** Package names or module paths of plugins. */
  abstract readonly plugins: readonly string[];
  abstract readonly storage: StorageConfig;
  /** Encrypts companies' secrets; null: the key is derived from the secret that signs tokens. */
  abstract readonly encryptionKey: string | null;
  /** Earlier encryption keys, which can still decrypt. */
  abstract readonly oldEncryptionKeys: readonly string[];
}

interface SkillsConfig {
  /** Absolute path of a folder with SKILL.md packs in addition to those that ship; null: none. */
  readonly packsDir: string | null;
  /** Absolute path of a JSON file with the operator's own MCP servers; null: none. */
  readonly mcpServersFile: string | null;
  /** Keys of skills, or categories as `name/*`, that are off in every company until an admin switches them on. */
  readonly off: readonly string[];
}

export interface StorageConfig {
  /** Null: the folder `files` in the data folder. */
  readonly s3: S3Config | null;
}

export interface S3Config {
  readonly bucket: string;
  /** The URL of an S3-compatible service; null: Amazon S3. */
  readonly endpoint: string | null;
  readonly region: string;
  /** Both null: the machine's credentials, such as those of a role. */
  readonly accessKeyId: string | null;
  readonly secretAccessKey: string | null;
  /** The prefix of all keys, without slashes around it; empty: none. */
  readonly prefix: string;
}

interface DatabaseConfig {
  /** Null: the embedded database in `dataDir`. */
  readonly url: string | null;
  /** Connections of one process, without the one that listens. */
  readonly poolSize: number;
}

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
  ...modelVariables,
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
});

/** Reads and checks the server's settings. Throws one ConfigError that lists everything that is wrong. */
export function readConfig(env: Environment = process.env): Config {
  return toConfig(
    readEnvironment(env, Variables, (given) => [
      ...checkAuth(given),
      ...checkProvider(given),
      ...checkModel(given),
      ...checkFallback(given),
      ...checkEmbedding(given),
      ...checkRole(given),
      ...checkStorage(given),
    ]),
  );
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

type Variables = z.infer<typeof Variables>;

function toConfig(variables: Variables): Config {
  return {
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
    auth: toAuthConfig(variables),
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
    plugins: variables.PLUGINS,
    storage: { s3: toS3Config(variables) },
    encryptionKey: variables.ENCRYPTION_KEY,
    oldEncryptionKeys: variables.ENCRYPTION_KEYS_OLD,
    documents: toDocumentsConfig(variables),
    limits: toLimitsConfig(variables),
    http: toHttpConfig(variables),
  };
}

function toSkillsConfig(variables: Variables): SkillsConfig {
  return {
    packsDir: variables.SKILLS_DIR,
    mcpServersFile: variables.MCP_SERVERS_FILE,
    off: variables.SKILLS_OFF,
  };
}

function toS3Config(variables: Variables): S3Config | null {
  return variables.S3_BUCKET === null
    ? null
    : {
        bucket: variables.S3_BUCKET,
        endpoint: variables.S3_ENDPOINT,
        region: variables.S3_REGION,
        accessKeyId: variables.S3_ACCESS_KEY_ID,
        secretAccessKey: variables.S3_SECRET_ACCESS_KEY,
        prefix: variables.S3_PREFIX,
      };
}
