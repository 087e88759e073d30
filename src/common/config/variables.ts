import { resolve } from 'node:path';

import { z } from 'zod';

import { databaseUrl } from './database-url.js';
import { distribution } from './distribution.js';
import {
  choice,
  decimalNumber,
  httpUrl,
  issuerUrl,
  hostList,
  keyList,
  moduleList,
  nameList,
  optionalText,
  optionalWholeNumber,
  originList,
  pairList,
  roleMap,
  secret,
  text,
  textOrAny,
  timeZone,
  wholeNumber,
} from './environment.js';
import { setting } from './setting.js';

/** What a process does: `api` answers requests, `worker` runs turns, `all` does both. */
const serverRoles = ['all', 'api', 'worker'] as const;
export type ServerRole = (typeof serverRoles)[number];

/** Who may read the schema: everybody, admins, or nobody. */
const introspectionChoices = ['on', 'admins', 'off'] as const;
export type Introspection = (typeof introspectionChoices)[number];

/** The protocols beside GraphQL. */
export const doorNames = ['openai', 'ag-ui', 'ai-sdk', 'mcp'] as const;
export type DoorName = (typeof doorNames)[number];

function onOrOff(fallback: 'on' | 'off') {
  return z
    .enum(['on', 'off'], 'on or off')
    .optional()
    .default(fallback)
    .transform((value) => value === 'on');
}

function path() {
  return optionalText().transform((value) => value && resolve(value));
}

function milliseconds(seconds: z.ZodType<number>) {
  return seconds.transform((value) => Math.round(value * 1000));
}

export const claimDefaults = { company: 'company', role: 'role' };

/** The settings that the server and the terminal client share. */
export const sharedSettings = {
  port: setting('PORT', wholeNumber(0, 65_535, 4000)),
  /** Absolute path of the folder for embedded state and the local secret. */
  dataDir: setting(
    'DATA_DIR',
    z
      .string()
      // A shell expands ~, but from .env it would become the name of a folder.
      .refine((value) => !value.startsWith('~'), 'a path whose ~ is written out')
      .optional()
      .default('.palabre')
      .transform((value) => resolve(value)),
  ),
  auth: {
    /** For HS256. When `jwksUrl` is null too: the secret in `dataDir`. */
    secret: setting('AUTH_SECRET', secret()),
    jwksUrl: setting('AUTH_JWKS_URL', httpUrl()),
    /** Null, as for `audience`: not checked. */
    issuer: setting('AUTH_ISSUER', textOrAny()),
    audience: setting('AUTH_AUDIENCE', textOrAny()),
    maxTokenSeconds: setting(
      'AUTH_MAX_TOKEN_HOURS',
      decimalNumber(0.01, 8760, 24).transform((hours) => Math.round(hours * 3600)),
    ),
    /** The names of the claims for company and role in a provider's tokens, and of roles. Null: ours. */
    claims: {
      company: setting('AUTH_COMPANY_CLAIM', text(200, claimDefaults.company)),
      role: setting('AUTH_ROLE_CLAIM', text(200, claimDefaults.role)),
      roles: setting('AUTH_ROLE_MAP', roleMap()),
    },
  },
};

/** The server's settings. Errors are reported in this order. */
export const settings = {
  ...sharedSettings,
  role: setting('ROLE', choice(serverRoles, 'all')),
  host: setting('HOST', z.string().max(253, 'a host name or an IP address').optional().default('127.0.0.1')),
  publicUrl: setting(
    'PUBLIC_URL',
    // Paths of links are appended to it.
    httpUrl().refine((url) => !/[?#]/.test(url ?? ''), 'an address without ? and #'),
  ),
  logLevel: setting(
    'LOG_LEVEL',
    choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
  ),
  /** An IANA name. Dates shown to people and models are in this time zone. */
  timeZone: setting('TIME_ZONE', timeZone()),
  /** The bearer token of /metrics; null: none is needed. */
  metricsToken: setting(
    'METRICS_TOKEN',
    optionalText().refine(
      (token) => /^[\x20-\x7e]*$/.test(token ?? ''),
      'letters, digits and signs of ASCII: it is sent in a header',
    ),
  ),
  database: {
    /** Null: the embedded database in `dataDir`. */
    url: setting('DATABASE_URL', databaseUrl()),
    /** The most connections of a process, without the four for urgent work and for listening. */
    poolSize: setting('DATABASE_POOL_SIZE', wholeNumber(2, 1000, 10)),
  },
  model: {
    /** The URL of an OpenAI-compatible API; null: the offline model. */
    baseUrl: setting('LLM_BASE_URL', httpUrl()),
    apiKey: setting('LLM_API_KEY', optionalText(10_000)),
    /** Never null when `baseUrl` is set. */
    name: setting('LLM_MODEL', optionalText()),
    fallback: {
      name: setting('LLM_FALLBACK_MODEL', optionalText()),
      baseUrl: setting('LLM_FALLBACK_BASE_URL', httpUrl()),
      apiKey: setting('LLM_FALLBACK_API_KEY', optionalText(10_000)),
    },
    /** The model for titles, summaries and notes. Null: the model that answered. Never set without `baseUrl`. */
    upkeepName: setting('LLM_UPKEEP_MODEL', optionalText()),
    /** Calls to one provider at the same time, in one process. */
    maxConcurrent: setting('LLM_MAX_CONCURRENT', wholeNumber(1, 100_000, 64)),
    /** Overrides the context window of every model; null: the known one of each. */
    contextWindowTokens: setting('LLM_CONTEXT_WINDOW', optionalWholeNumber(1000, 100_000_000)),
    /** Absolute path of a JSON file with facts of models. Null: only the shipped ones. */
    modelsFile: setting('MODELS_FILE', path()),
    /** The protocol for models. `auto`: by known facts and refusals. */
    api: setting('LLM_API', choice(['auto', 'chat', 'responses'], 'auto')),
    firstByteTimeoutMs: setting(
      'LLM_FIRST_BYTE_TIMEOUT_SECONDS',
      milliseconds(decimalNumber(0.05, 3600, 60)),
    ),
    idleTimeoutMs: setting('LLM_IDLE_TIMEOUT_SECONDS', milliseconds(decimalNumber(0.05, 3600, 60))),
    /** 0: without delay. */
    offlineTokensPerSecond: setting('OFFLINE_MODEL_TOKENS_PER_SECOND', decimalNumber(0, 100_000, 150)),
  },
  embedding: {
    baseUrl: setting('EMBEDDING_BASE_URL', httpUrl()),
    apiKey: setting('EMBEDDING_API_KEY', optionalText(10_000)),
    model: setting('EMBEDDING_MODEL', optionalText(200)),
    /** The length of vectors, up to pgvector's limit. Null: the model's default. */
    dimensions: setting('EMBEDDING_DIMENSIONS', optionalWholeNumber(2, 16_000)),
  },
  documents: {
    /** The largest size of one document. */
    maxBytes: setting('DOCUMENT_MAX_BYTES', wholeNumber(1, 2_000_000_000, 52_428_800)),
    /** Limits for all documents of a member or company together. */
    member: {
      maxDocuments: setting('MAX_DOCUMENTS_PER_MEMBER', wholeNumber(0, 2_000_000_000, 10_000)),
      maxBytes: setting('MAX_DOCUMENT_BYTES_PER_MEMBER', wholeNumber(0, 1e15, 10_000_000_000)),
    },
    company: {
      maxDocuments: setting('MAX_DOCUMENTS_PER_COMPANY', wholeNumber(0, 2_000_000_000, 100_000)),
      maxBytes: setting('MAX_DOCUMENT_BYTES_PER_COMPANY', wholeNumber(0, 1e15, 100_000_000_000)),
    },
    /** How long reading one document may take. It is read in a process of its own. */
    timeoutMs: setting('DOCUMENT_TIMEOUT_SECONDS', milliseconds(wholeNumber(1, 3600, 120))),
    /** Node takes about 60 without any document. */
    memoryMegabytes: setting('DOCUMENT_MEMORY_MB', wholeNumber(256, 65_536, 768)),
  },
  turns: {
    /** Turns at the same time, in one process. */
    maxConcurrent: setting('MAX_TURNS', wholeNumber(1, 10_000, 50)),
    /** How long a process keeps its turn after its last heartbeat: one comes every 5 seconds, and one may be lost. */
    leaseSeconds: setting('LEASE_SECONDS', wholeNumber(10, 600, 20)),
    /** How long running turns have to end when the process stops. The rest are handed over to other processes. */
    shutdownGraceSeconds: setting('SHUTDOWN_GRACE_SECONDS', wholeNumber(0, 600, 10)),
    /** How long the events of an ended turn are kept, from its question; 0: for ever. */
    eventRetentionDays: setting('EVENT_RETENTION_DAYS', wholeNumber(0, 3650, 30)),
    /** How long a person has to decide on a skill call. Without a decision it is refused. */
    approvalExpiryHours: setting('APPROVAL_EXPIRY_HOURS', decimalNumber(0.01, 8760, 24)),
    /** Background turns at the same time, in one process. */
    maxBackground: setting('MAX_BACKGROUND_TURNS', wholeNumber(1, 10_000, 20)),
  },
  conversations: { titles: setting('CONVERSATION_TITLES', choice(['model', 'question'], 'model')) },
  search: { url: setting('SEARCH_URL', httpUrl()) },
  /** Hosts and CIDR ranges that outbound requests may reach in addition to public ones. */
  outbound: { allow: setting('OUTBOUND_ALLOW', hostList()) },
  /** Encrypts companies' secrets; null: the key is derived from the secret that signs tokens. */
  encryptionKey: setting('ENCRYPTION_KEY', secret()),
  /** Earlier encryption keys, which can still decrypt. */
  oldEncryptionKeys: setting('ENCRYPTION_KEYS_OLD', keyList(32)),
  skills: {
    /** Absolute path of a folder with SKILL.md packs in addition to those that ship; null: none. */
    packsDir: setting('SKILLS_DIR', path()),
    /** Keys of skills, or categories as `name/*`, that are off in every company until an admin switches them on. */
    off: setting('SKILLS_OFF', nameList()),
    /** Absolute path of a JSON file with the operator's own MCP servers; null: none. */
    mcpServersFile: setting('MCP_SERVERS_FILE', path()),
    /** Keys of skills that the door `mcp` offers as tools if they change nothing. */
    asTools: setting('MCP_SKILLS', moduleList([])),
  },
  /** Package names or module paths of plugins. */
  plugins: setting('PLUGINS', moduleList(distribution.plugins)),
  storage: {
    s3: {
      bucket: setting('S3_BUCKET', optionalText(63)),
      /** The URL of an S3-compatible service; null: Amazon S3. */
      endpoint: setting('S3_ENDPOINT', httpUrl()),
      region: setting('S3_REGION', text(100, 'us-east-1')),
      /** Both null: the machine's credentials, such as those of a role. */
      accessKeyId: setting('S3_ACCESS_KEY_ID', optionalText()),
      secretAccessKey: setting('S3_SECRET_ACCESS_KEY', optionalText()),
      /** The prefix of all keys, without slashes around it; empty: none. */
      prefix: setting(
        'S3_PREFIX',
        text(500, '').transform((value) => value.replaceAll(/^\/+|\/+$/g, '')),
      ),
    },
  },
  /** Limits of one member. A company may have a multiple of them, so that one member cannot use up all of it. */
  limits: {
    operationsPerMinute: setting('MAX_OPERATIONS_PER_MINUTE', wholeNumber(1, 100_000_000, 1_200)),
    /** Time on the main thread for a member's operations, in one process. */
    threadMsPerMinute: setting('MAX_THREAD_MS_PER_MINUTE', wholeNumber(1, 100_000_000, 6_000)),
    /** Open WebSockets, in one process. */
    sockets: setting('MAX_SOCKETS', wholeNumber(1, 1_000_000, 250)),
    /** Running subscriptions, in one process. */
    subscriptions: setting('MAX_SUBSCRIPTIONS', wholeNumber(1, 1_000_000, 10_000)),
    /** Waiting or running turns, in the whole installation. */
    unfinishedTurns: setting('MAX_TURNS_PER_MEMBER', wholeNumber(1, 1_000_000, 500)),
  },
  schedules: {
    /** The most schedules of a member, without ended ones. */
    maxPerMember: setting('MAX_SCHEDULES_PER_MEMBER', wholeNumber(0, 100_000, 100)),
    /** The least time between two runs of one schedule. */
    leastMinutes: setting('SCHEDULE_LEAST_MINUTES', wholeNumber(1, 1_440, 15)),
    /** A schedule is paused after this many consecutive failures. */
    maxFailures: setting('SCHEDULE_MAX_FAILURES', wholeNumber(1, 1_000, 5)),
  },
  http: {
    /** Open connections of all clients. Further ones are closed at once. */
    maxConnections: setting('MAX_CONNECTIONS', wholeNumber(1, 1_000_000, 10_000)),
    /** The origins whose pages may read the API's answers; `*`: all. */
    corsOrigins: setting('CORS_ORIGINS', originList()),
    trustedDocuments: {
      /** Operations by hash: refused, allowed, or the only ones that run. */
      mode: setting('TRUSTED_DOCUMENTS', choice(['off', 'known', 'only'], 'off')),
      /** Absolute paths of manifests of operations that clients may name by hash. */
      files: setting(
        'TRUSTED_DOCUMENTS_FILES',
        moduleList([]).transform((paths) => paths.map((each) => resolve(each))),
      ),
    },
    /** Whether the console is served at /. */
    hasConsole: setting('CONSOLE', onOrOff('on')),
    /** Whether the schema is a subgraph for a router of Apollo Federation. */
    isSubgraph: setting('FEDERATION', onOrOff('off')),
    introspection: setting(
      'INTROSPECTION',
      z.enum(introspectionChoices, `one of ${introspectionChoices.join(', ')}`).optional(),
    ),
    doors: setting(
      'DOORS',
      moduleList(null).refine(
        (names) => names?.every((name) => name === 'all' || doorNames.some((door) => door === name)) ?? true,
        `all, none, or some of ${doorNames.join(', ')} with commas between them`,
      ),
    ),
  },
  /** The provider for signing in to the console. */
  oidc: {
    issuer: setting('AUTH_OIDC_ISSUER', issuerUrl()),
    clientId: setting('AUTH_OIDC_CLIENT_ID', optionalText()),
    /** Null: a public client, protected by PKCE only. */
    clientSecret: setting('AUTH_OIDC_CLIENT_SECRET', optionalText(10_000)),
    scope: setting(
      'AUTH_OIDC_SCOPE',
      z
        .string()
        .max(1000, 'at most 1000 characters long')
        .regex(/^openid( |$)/, 'names with blanks between them, the first of which is openid')
        .optional()
        .default('openid profile email'),
    ),
    organisation: setting('AUTH_OIDC_NAME', optionalText(100)),
  },
  /** OpenTelemetry's own: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/. */
  tracing: {
    isOff: setting(
      'OTEL_SDK_DISABLED',
      choice(['true', 'false'], 'false').transform((value) => value === 'true'),
    ),
    serviceName: setting('OTEL_SERVICE_NAME', optionalText()),
    attributes: setting('OTEL_RESOURCE_ATTRIBUTES', pairList()),
    url: setting('OTEL_EXPORTER_OTLP_ENDPOINT', httpUrl()),
    headers: setting('OTEL_EXPORTER_OTLP_HEADERS', pairList()),
    protocol: setting('OTEL_EXPORTER_OTLP_PROTOCOL', choice(['http/protobuf'], 'http/protobuf')),
    traces: {
      url: setting('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', httpUrl()),
      exporter: setting('OTEL_TRACES_EXPORTER', choice(['otlp', 'none'], 'otlp')),
    },
    metrics: {
      url: setting('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', httpUrl()),
      exporter: setting('OTEL_METRICS_EXPORTER', choice(['otlp', 'none'], 'otlp')),
    },
    sampler: {
      name: setting(
        'OTEL_TRACES_SAMPLER',
        choice(
          [
            'always_on',
            'always_off',
            'traceidratio',
            'parentbased_always_on',
            'parentbased_always_off',
            'parentbased_traceidratio',
          ],
          'parentbased_always_on',
        ),
      ),
      ratio: setting('OTEL_TRACES_SAMPLER_ARG', decimalNumber(0, 1, 1)),
    },
    metricIntervalMs: setting('OTEL_METRIC_EXPORT_INTERVAL', wholeNumber(1_000, 3_600_000, 60_000)),
    /** Message texts may be exported too. */
    capturesContent: setting(
      'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT',
      choice(['true', 'false'], 'false').transform((value) => value === 'true'),
    ),
  },
};
