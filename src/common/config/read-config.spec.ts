import { resolve } from 'node:path';

import { readConfig } from './read-config.js';
import { ConfigError, type Environment } from './environment.js';

function problemsOf(env: Environment): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('readConfig', () => {
  it('gives everything a default that needs nothing from outside', () => {
    expect(readConfig({})).toEqual({
      role: 'all',
      port: 4000,
      host: '127.0.0.1',
      dataDir: resolve('.palabre'),
      publicUrl: 'http://localhost:4000',
      logLevel: 'info',
      timeZone: 'UTC',
      metricsToken: null,
      tracing: null,
      database: { url: null, poolSize: 10 },
      model: {
        baseUrl: null,
        apiKey: null,
        name: null,
        firstByteTimeoutMs: 60_000,
        idleTimeoutMs: 60_000,
        fallback: null,
        upkeepName: null,
        maxConcurrent: 64,
        contextWindowTokens: null,
        modelsFile: null,
        api: 'auto',
        offlineTokensPerSecond: 150,
      },
      embedding: null,
      auth: {
        secret: null,
        jwksUrl: null,
        issuer: null,
        audience: null,
        maxTokenSeconds: 86_400,
        claims: { company: 'company', role: 'role', roles: null },
      },
      oidc: null,
      turns: {
        maxConcurrent: 50,
        leaseSeconds: 20,
        shutdownGraceSeconds: 10,
        eventRetentionDays: 30,
        approvalExpiryHours: 24,
        maxBackground: 20,
      },
      conversations: { titles: 'model' },
      search: { url: null },
      outbound: { allow: [] },
      skills: { packsDir: null, mcpServersFile: null, asTools: [], off: [] },
      plugins: ['@palabre/green'],
      storage: { s3: null },
      encryptionKey: null,
      oldEncryptionKeys: [],
      documents: {
        maxBytes: 52_428_800,
        member: { maxDocuments: 10_000, maxBytes: 10_000_000_000 },
        company: { maxDocuments: 100_000, maxBytes: 100_000_000_000 },
        timeoutMs: 120_000,
        memoryMegabytes: 768,
      },
      limits: {
        operationsPerMinute: 1_200,
        threadMsPerMinute: 6_000,
        sockets: 250,
        subscriptions: 10_000,
        unfinishedTurns: 500,
      },
      schedules: { maxPerMember: 100, leastMinutes: 15, maxFailures: 5 },
      http: {
        maxConnections: 10_000,
        corsOrigins: '*',
        hasConsole: true,
        isSubgraph: false,
        introspection: 'on',
        doors: ['openai', 'ag-ui', 'ai-sdk', 'mcp'],
        trustedDocuments: { mode: 'off', files: [] },
      },
    });
  });

  it('reads every variable', () => {
    const config = readConfig({
      ROLE: 'worker',
      PORT: '5005',
      HOST: '0.0.0.0',
      DATA_DIR: '/var/lib/palabre',
      PUBLIC_URL: 'https://palabre.example.org/',
      LOG_LEVEL: 'silent',
      TIME_ZONE: 'Asia/Taipei',
      METRICS_TOKEN: 'm'.repeat(20),
      DATABASE_URL: 'postgresql://palabre:p%40ss@db/palabre?sslmode=require',
      DATABASE_POOL_SIZE: '25',
      LLM_BASE_URL: 'http://localhost:11434/v1/',
      LLM_API_KEY: 'sk-1',
      LLM_MODEL: 'qwen3:8b',
      LLM_FALLBACK_MODEL: 'mistral-small-latest',
      LLM_FALLBACK_BASE_URL: 'https://api.mistral.ai/v1/',
      LLM_FALLBACK_API_KEY: 'sk-2',
      LLM_UPKEEP_MODEL: 'qwen3:1.7b',
      LLM_MAX_CONCURRENT: '8',
      LLM_CONTEXT_WINDOW: '32768',
      MODELS_FILE: 'models.json',
      LLM_API: 'responses',
      LLM_FIRST_BYTE_TIMEOUT_SECONDS: '0.25',
      LLM_IDLE_TIMEOUT_SECONDS: '90',
      OFFLINE_MODEL_TOKENS_PER_SECOND: '0',
      EMBEDDING_MODEL: 'bge-m3',
      EMBEDDING_BASE_URL: 'http://tei:8080/v1/',
      EMBEDDING_API_KEY: 'sk-3',
      EMBEDDING_DIMENSIONS: '512',
      AUTH_SECRET: 's'.repeat(32),
      AUTH_ISSUER: 'https://id.example.org',
      AUTH_AUDIENCE: 'palabre',
      AUTH_MAX_TOKEN_HOURS: '8',
      MAX_TURNS: '3',
      LEASE_SECONDS: '30',
      SHUTDOWN_GRACE_SECONDS: '25',
      EVENT_RETENTION_DAYS: '7',
      APPROVAL_EXPIRY_HOURS: '0.5',
      MAX_BACKGROUND_TURNS: '4',
      CONVERSATION_TITLES: 'question',
      SEARCH_URL: 'http://searxng:8080/',
      OUTBOUND_ALLOW: 'ERP.internal, erp:8443,[fd00::1]:80,10.0.0.0/8,fd00::/8',
      ENCRYPTION_KEY: 'k'.repeat(32),
      ENCRYPTION_KEYS_OLD: `${'o'.repeat(32)} ${'p'.repeat(40)}`,
      SKILLS_DIR: 'packs',
      SKILLS_OFF: 'read_webpage, Escrituras/*,',
      MCP_SERVERS_FILE: 'mcp.json',
      MCP_SKILLS: 'get_company_profile, erp__getStock',
      PLUGINS: '@palabre/green, ./Own/plugin.js',
      S3_BUCKET: 'palabre',
      S3_ENDPOINT: 'http://minio:9000/',
      S3_REGION: 'af-south-1',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'key',
      S3_PREFIX: '/one/two/',
      DOCUMENT_MAX_BYTES: '1000',
      MAX_DOCUMENTS_PER_MEMBER: '5',
      MAX_DOCUMENTS_PER_COMPANY: '50',
      MAX_DOCUMENT_BYTES_PER_MEMBER: '5000',
      MAX_DOCUMENT_BYTES_PER_COMPANY: '50000',
      DOCUMENT_TIMEOUT_SECONDS: '30',
      DOCUMENT_MEMORY_MB: '512',
      MAX_OPERATIONS_PER_MINUTE: '600',
      MAX_THREAD_MS_PER_MINUTE: '900',
      MAX_SOCKETS: '30',
      MAX_SUBSCRIPTIONS: '100',
      MAX_TURNS_PER_MEMBER: '20',
      MAX_SCHEDULES_PER_MEMBER: '7',
      SCHEDULE_LEAST_MINUTES: '5',
      SCHEDULE_MAX_FAILURES: '3',
      MAX_CONNECTIONS: '500',
      CORS_ORIGINS: 'https://app.example.org, http://localhost:3000',
      CONSOLE: 'off',
      DOORS: 'mcp,openai',
      FEDERATION: 'on',
      INTROSPECTION: 'off',
      AUTH_OIDC_ISSUER: 'https://acme.example.org/',
      AUTH_OIDC_CLIENT_ID: 'palabre',
      AUTH_OIDC_CLIENT_SECRET: 'sk-4',
      AUTH_OIDC_SCOPE: 'openid roles',
      AUTH_OIDC_NAME: 'Acme',
    });
    expect(config).toEqual({
      role: 'worker',
      port: 5005,
      host: '0.0.0.0',
      dataDir: '/var/lib/palabre',
      publicUrl: 'https://palabre.example.org',
      logLevel: 'silent',
      timeZone: 'Asia/Taipei',
      metricsToken: 'm'.repeat(20),
      tracing: null,
      database: { url: 'postgresql://palabre:p%40ss@db/palabre?sslmode=require', poolSize: 25 },
      model: {
        baseUrl: 'http://localhost:11434/v1',
        apiKey: 'sk-1',
        name: 'qwen3:8b',
        firstByteTimeoutMs: 250,
        idleTimeoutMs: 90_000,
        fallback: { name: 'mistral-small-latest', baseUrl: 'https://api.mistral.ai/v1', apiKey: 'sk-2' },
        upkeepName: 'qwen3:1.7b',
        maxConcurrent: 8,
        contextWindowTokens: 32_768,
        modelsFile: resolve('models.json'),
        api: 'responses',
        offlineTokensPerSecond: 0,
      },
      embedding: { model: 'bge-m3', baseUrl: 'http://tei:8080/v1', apiKey: 'sk-3', dimensions: 512 },
      auth: {
        secret: 's'.repeat(32),
        jwksUrl: null,
        issuer: 'https://id.example.org',
        audience: 'palabre',
        maxTokenSeconds: 28_800,
        claims: { company: 'company', role: 'role', roles: null },
      },
      oidc: {
        issuer: 'https://acme.example.org/',
        clientId: 'palabre',
        clientSecret: 'sk-4',
        scope: 'openid roles',
        organisation: 'Acme',
      },
      turns: {
        maxConcurrent: 3,
        leaseSeconds: 30,
        shutdownGraceSeconds: 25,
        eventRetentionDays: 7,
        approvalExpiryHours: 0.5,
        maxBackground: 4,
      },
      conversations: { titles: 'question' },
      search: { url: 'http://searxng:8080' },
      outbound: { allow: ['erp.internal', 'erp:8443', '[fd00::1]:80', '10.0.0.0/8', 'fd00::/8'] },
      skills: {
        packsDir: resolve('packs'),
        mcpServersFile: resolve('mcp.json'),
        asTools: ['get_company_profile', 'erp__getStock'],
        off: ['read_webpage', 'escrituras/*'],
      },
      plugins: ['@palabre/green', './Own/plugin.js'],
      storage: {
        s3: {
          bucket: 'palabre',
          endpoint: 'http://minio:9000',
          region: 'af-south-1',
          accessKeyId: 'id',
          secretAccessKey: 'key',
          prefix: 'one/two',
        },
      },
      encryptionKey: 'k'.repeat(32),
      oldEncryptionKeys: ['o'.repeat(32), 'p'.repeat(40)],
      documents: {
        maxBytes: 1000,
        member: { maxDocuments: 5, maxBytes: 5000 },
        company: { maxDocuments: 50, maxBytes: 50_000 },
        timeoutMs: 30_000,
        memoryMegabytes: 512,
      },
      limits: {
        operationsPerMinute: 600,
        threadMsPerMinute: 900,
        sockets: 30,
        subscriptions: 100,
        unfinishedTurns: 20,
      },
      schedules: { maxPerMember: 7, leastMinutes: 5, maxFailures: 3 },
      http: {
        maxConnections: 500,
        corsOrigins: ['https://app.example.org', 'http://localhost:3000'],
        hasConsole: false,
        isSubgraph: true,
        introspection: 'off',
        doors: ['openai', 'mcp'],
        trustedDocuments: { mode: 'off', files: [] },
      },
    });
  });

  it('opens no door, and shows nobody the schema, with a database of its own until it is told to', () => {
    const { http } = readConfig({
      DATABASE_URL: 'postgres://localhost/palabre',
      AUTH_SECRET: 'x'.repeat(32),
    });
    expect(http).toMatchObject({ introspection: 'off', doors: [] });
  });

  it('takes empty and blank variables for unset ones', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ', LLM_BASE_URL: '', AUTH_SECRET: '' })).toEqual(
      readConfig({}),
    );
  });

  it('derives the public address from the port, and leaves it open while that is', () => {
    expect(readConfig({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
    expect(readConfig({ PORT: '0' }).publicUrl).toBeNull();
    expect(readConfig({ PORT: '0', PUBLIC_URL: 'https://a.example' }).publicUrl).toBe('https://a.example');
  });

  it('reports all mistakes at once, those between variables too', () => {
    expect(
      problemsOf({
        PORT: '70000',
        LOG_LEVEL: 'loud',
        DATABASE_URL: 'mysql://db',
        LLM_BASE_URL: 'ftp://models',
        LLM_IDLE_TIMEOUT_SECONDS: '-1',
        AUTH_SECRET: 'short',
        AUTH_JWKS_URL: 'https://id.example.org/jwks',
        AUTH_ISSUER: '*',
        AUTH_ROLE_MAP: 'staff=BOSS',
        MAX_TURNS: '0x10',
      }),
    ).toEqual([
      'PORT must be a whole number from 0 to 65535.',
      'AUTH_SECRET must be at least 32 characters long.',
      'AUTH_ROLE_MAP must be pairs of name=ROLE with commas between them, where ROLE is MEMBER, ADMIN, OPERATOR.',
      'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent.',
      'DATABASE_URL must be an address that begins with postgres:// or postgresql://.',
      'LLM_BASE_URL must be an address that begins with http:// or https://.',
      'LLM_IDLE_TIMEOUT_SECONDS must be a number from 0.05 to 3600.',
      'MAX_TURNS must be a whole number from 1 to 10000.',
      'Set AUTH_SECRET or AUTH_JWKS_URL, not both.',
      'AUTH_AUDIENCE must be the `aud` that its tokens for Palabre have, as AUTH_JWKS_URL is set; or * to take any.',
      'LLM_MODEL must be the name of a model that LLM_BASE_URL serves, as LLM_BASE_URL is set.',
    ]);
  });

  it('never repeats a value, so that a secret in the wrong variable stays out of the logs', () => {
    const secret = 'hunter2-hunter2';
    const names = ['PORT', 'DATABASE_URL', 'LLM_BASE_URL', 'AUTH_SECRET', 'AUTH_JWKS_URL', 'LOG_LEVEL'];
    const problems = problemsOf(Object.fromEntries(names.map((name) => [name, secret])));
    expect(problems.length).toBeGreaterThanOrEqual(names.length);
    expect(new ConfigError(problems).message).not.toContain(secret);
  });

  it.each([
    [{ DATA_DIR: '~/palabre' }, 'DATA_DIR must be a path whose ~ is written out.'],
    [{ PUBLIC_URL: 'https://a.example/?x=1' }, 'PUBLIC_URL must be an address without ? and #.'],
    [
      { METRICS_TOKEN: 'clé' },
      'METRICS_TOKEN must be letters, digits and signs of ASCII: it is sent in a header.',
    ],
  ])('refuses %j, which would be taken otherwise than it is meant', (env, problem) =>
    expect(problemsOf(env)).toEqual([problem]),
  );

  it.each(['Taipei', 'Mars/Olympus', 'GMT+8', '8'])('knows no time zone %s', (name) =>
    expect(problemsOf({ TIME_ZONE: name })).toEqual([
      'TIME_ZONE must be the name of a time zone, such as Europe/Madrid or Asia/Taipei.',
    ]),
  );

  it('shares the work among processes only where they can share a database', () => {
    expect(problemsOf({ ROLE: 'api' })).toEqual([
      expect.stringMatching(/^DATABASE_URL must be set, as ROLE is api/),
    ]);
    expect(problemsOf({ ROLE: 'worker' })).toHaveLength(1);
    expect(problemsOf({ ROLE: 'all' })).toEqual([]);
    expect(problemsOf({ ROLE: 'king' })).toEqual(['ROLE must be one of all, api, worker.']);
    expect(problemsOf({ DATABASE_POOL_SIZE: '1' })).toEqual([
      'DATABASE_POOL_SIZE must be a whole number from 2 to 1000.',
    ]);
  });

  it('shows the key of one provider to no other', () => {
    const env = {
      LLM_BASE_URL: 'http://one/v1',
      LLM_API_KEY: 'sk-1',
      LLM_MODEL: 'm',
      LLM_FALLBACK_MODEL: 'f',
    };
    const same = { name: 'f', baseUrl: 'http://one/v1', apiKey: 'sk-1' };
    expect(readConfig(env).model.fallback).toEqual(same);
    expect(readConfig({ ...env, LLM_FALLBACK_API_KEY: 'sk-2' }).model.fallback).toEqual({
      ...same,
      apiKey: 'sk-2',
    });
    expect(readConfig({ ...env, LLM_FALLBACK_BASE_URL: 'http://two/v1' }).model.fallback).toEqual({
      name: 'f',
      baseUrl: 'http://two/v1',
      apiKey: null,
    });
  });

  it('takes the embedder to be where the model is, with its key, and shows that key to no other', () => {
    const env = { LLM_BASE_URL: 'http://one/v1', LLM_API_KEY: 'sk-1', LLM_MODEL: 'm', EMBEDDING_MODEL: 'e' };
    const same = { model: 'e', baseUrl: 'http://one/v1', apiKey: 'sk-1', dimensions: null };
    expect(readConfig(env).embedding).toEqual(same);
    const other = { ...same, baseUrl: 'http://two/v1', apiKey: null };
    expect(readConfig({ ...env, EMBEDDING_BASE_URL: 'http://two/v1' }).embedding).toEqual(other);
    expect(readConfig({ EMBEDDING_BASE_URL: 'http://two/v1', EMBEDDING_MODEL: 'e' }).embedding).toEqual(
      other,
    );
    expect(readConfig({ ...env, EMBEDDING_API_KEY: 'sk-3' }).embedding).toEqual({ ...same, apiKey: 'sk-3' });
  });

  it('wants an embedder whole', () => {
    expect(problemsOf({ EMBEDDING_MODEL: 'e' })).toEqual([
      'EMBEDDING_BASE_URL (or LLM_BASE_URL) must be set, as EMBEDDING_MODEL is set.',
    ]);
    expect(problemsOf({ EMBEDDING_DIMENSIONS: '512' })).toEqual([
      'EMBEDDING_MODEL must be set, as EMBEDDING_DIMENSIONS is set.',
    ]);
    expect(
      problemsOf({ EMBEDDING_BASE_URL: 'http://e/v1', EMBEDDING_MODEL: 'e', EMBEDDING_DIMENSIONS: '0' }),
    ).toEqual(['EMBEDDING_DIMENSIONS must be a whole number from 2 to 16000.']);
  });

  it('wants a bucket for its address and its keys, and both halves of a key', () => {
    expect(problemsOf({ S3_ENDPOINT: 'http://minio:9000' })).toEqual([
      'S3_BUCKET must be set, as S3_ENDPOINT is set.',
    ]);
    expect(problemsOf({ S3_BUCKET: 'palabre', S3_ACCESS_KEY_ID: 'id' })).toEqual([
      'Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or neither of them.',
    ]);
    expect(problemsOf({ S3_BUCKET: 'palabre' })).toEqual([]);
    expect(problemsOf({ ENCRYPTION_KEYS_OLD: `${'o'.repeat(32)} short` })).toEqual([
      'ENCRYPTION_KEYS_OLD must be keys of at least 32 characters each, with blanks between them.',
    ]);
    expect(problemsOf({ ENCRYPTION_KEY: 'short' })).toEqual([
      'ENCRYPTION_KEY must be at least 32 characters long.',
    ]);
  });

  it('does not take a model without its API for the offline one', () => {
    expect(problemsOf({ LLM_MODEL: 'm', LLM_API_KEY: 'sk-1' })).toEqual([
      'LLM_BASE_URL must be set, as LLM_MODEL is set: to https://api.openai.com/v1, for one.',
    ]);
    const embedder = { EMBEDDING_BASE_URL: 'http://e/v1', EMBEDDING_MODEL: 'e' };
    expect(problemsOf({ LLM_API_KEY: 'sk-1', ...embedder })).toEqual([
      expect.stringMatching(/^LLM_BASE_URL must be set, as LLM_API_KEY is set/),
    ]);
  });

  it('wants a provider for the model that does upkeep', () => {
    expect(problemsOf({ LLM_UPKEEP_MODEL: 'u' })).toEqual([
      expect.stringMatching(/^LLM_BASE_URL must be set, as LLM_UPKEEP_MODEL is set/),
    ]);
  });

  it('wants a fallback model whole', () => {
    expect(problemsOf({ LLM_FALLBACK_MODEL: 'f' })).toEqual([
      'LLM_BASE_URL must be set, as LLM_FALLBACK_MODEL is set.',
    ]);
    expect(problemsOf({ LLM_FALLBACK_BASE_URL: 'http://two/v1' })).toEqual([
      'LLM_FALLBACK_MODEL must be set, as LLM_FALLBACK_BASE_URL is set.',
    ]);
    expect(problemsOf({ LLM_BASE_URL: 'http://one/v1', LLM_MODEL: 'm', LLM_FALLBACK_MODEL: 'm' })).toEqual([
      'LLM_FALLBACK_MODEL must be another model than LLM_MODEL.',
    ]);
  });

  it.each([
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.999',
    'http://erp',
    'erp:0',
    'erp:65536',
    'fd00::1]:80',
    'erp:80:80',
    'a b',
    '*.erp',
    'erp/8',
    '-erp',
    'a,,b c',
  ])('lets no request out to %s', (text) =>
    expect(problemsOf({ OUTBOUND_ALLOW: text })).toEqual([
      'OUTBOUND_ALLOW must be hosts or CIDR ranges with commas between them.',
    ]),
  );

  it.each([
    'postgres://localhost/palabre',
    'postgresql:///palabre?host=/run/postgresql',
    'postgres://u:p@/db',
  ])('accepts %s', (url) => expect(readConfig({ DATABASE_URL: url }).database.url).toBe(url));
});

describe('CORS_ORIGINS', () => {
  it.each([
    ['', '*'],
    ['*', '*'],
    ['none', []],
    ['https://App.example.org,http://localhost:3000', ['https://app.example.org', 'http://localhost:3000']],
  ])('may be %j', (text, origins) =>
    expect(readConfig({ CORS_ORIGINS: text }).http.corsOrigins).toEqual(origins),
  );

  it.each(['app.example.org', 'https://app.example.org/', 'https://app.example.org:443', '*, https://a.b'])(
    'opens the API to no such pages as %s',
    (text) =>
      expect(problemsOf({ CORS_ORIGINS: text })).toEqual([
        'CORS_ORIGINS must be *, none, or origins as https://app.example.org with commas between them.',
      ]),
  );
});

describe('DATABASE_URL', () => {
  it.each([
    'postgres://u:hun/ter2@127.0.0.1:5432/x',
    'postgres://u:p%zz@127.0.0.1/x',
    'postgres://u:p@ss#word@127.0.0.1/x',
    'postgres://u:p@127.0.0.1:99999/x',
    'postgres://u:p@127.0.0.1/%zz',
  ])('%s is refused, with what is to be encoded in it', (url) => {
    expect(problemsOf({ DATABASE_URL: url })).toEqual([
      expect.stringMatching(/^DATABASE_URL must be an address that can be read: .*percent-encoded/),
    ]);
  });
});
