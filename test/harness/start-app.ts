import type { Script } from '@palabre/llm-client/scripted-chat-model.double.js';
import {
  type EmbeddingScript,
  type ProviderReply,
  type ScriptedProvider,
  startScriptedProvider,
} from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { signToken } from '../../src/companies/auth/token-signer.js';
import type { Role } from '../../src/companies/auth/viewer.js';
import type { Clock } from '../../src/common/clock.js';
import { newId } from '../../src/common/ids.js';
import { createLogger } from '../../src/common/process/logger.js';
import { createCompany } from '../../src/companies/create-company.js';
import { readConfig } from '../../src/common/config/read-config.js';
import type { Database } from '../../src/platform/database/database.js';
import { type Server, startServer } from '../../src/app/server.js';
import { MemoryFileStorage } from '../../src/platform/storage/memory-file-storage.double.js';
import type { Tracing } from '../../src/platform/tracing/tracing.js';
import { TestClient } from './test-client.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

export const SECRET = 'a secret for tests that is long enough';

/** What a test does within a minute is no person's. */
export const AMPLE_LIMITS = {
  MAX_OPERATIONS_PER_MINUTE: '1000000',
  MAX_THREAD_MS_PER_MINUTE: '1000000',
  MAX_SOCKETS: '10000',
};

export interface Person {
  company?: string;
  sub?: string;
  role?: Role;
  email?: string;
  ttlSeconds?: number;
}

export interface AppOptions {
  /** In the place of the machine's. */
  clock?: Clock;
  /** What is stored outlives the server, so that it can be started again. */
  isLasting?: boolean;
  /** On a server: the database is opened by a role that owns it and is no superuser. */
  hasPlainOwner?: boolean;
  /** Search by meaning is on, by an embedder that answers so. */
  embeddings?: EmbeddingScript;
  /** Takes what is traced; it outlives a restart. */
  tracing?: Tracing;
}

/** The whole product on a port of its own, with a database of its own and a scripted model behind real HTTP. */
export class TestApp implements AsyncDisposable {
  private readonly clients: TestClient[] = [];

  constructor(
    public server: Server,
    readonly provider: ScriptedProvider,
    /** What is uploaded and written; it outlives a restart. */
    readonly storage: MemoryFileStorage,
    private readonly owned: {
      database: TestDatabase;
      start: (env?: Record<string, string>) => Promise<Server>;
    } | null,
    /** The slug of the company that is meant where none is named. */
    readonly home = 'demo',
  ) {}

  get url(): string {
    return this.server.url;
  }

  get database(): Database {
    return this.server.resources.database;
  }

  /** Somebody who uses the API; without more, an admin of the home company. */
  async client({
    company = this.home,
    sub = 'ada',
    role = 'ADMIN',
    email,
    ttlSeconds = 3600,
  }: Person = {}): Promise<TestClient> {
    const claims = { sub, company, role, name: sub, ...(email !== undefined && { email }) };
    return this.clientWith(await signToken(SECRET, claims, ttlSeconds));
  }

  clientWith(token: string | null): TestClient {
    const client = new TestClient(this.url, token);
    this.clients.push(client);
    return client;
  }

  /** Another company, by its slug. */
  async company(): Promise<string> {
    const slug = `c-${newId()}`;
    await createCompany(this.database, { slug, name: slug });
    return slug;
  }

  /**
   * Stops the server in good order and starts it again, at another address: clients from before are of no use then.
   * `env` overrides settings from then on.
   */
  async restart(env?: Record<string, string>): Promise<void> {
    if (!this.owned) throw new Error('Other tests use this server too: start one with startApp.');
    await this.server.close();
    this.server = await this.owned.start(env);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
    if (!this.owned) return this.provider.play([]);
    await this.server.close();
    await this.provider.close();
    await this.owned.database[Symbol.asyncDispose]();
  }
}

/** Starts the product with a model that plays `script`. `env` overrides settings. */
export async function startApp(
  script: Script<JsonObject, ProviderReply>,
  env: Record<string, string> = {},
  { clock, isLasting = false, hasPlainOwner = false, embeddings, tracing }: AppOptions = {},
): Promise<TestApp> {
  const provider = await startScriptedProvider(script, embeddings);
  const testDatabase = await createTestDatabase({ isLasting, hasPlainOwner });
  const settings = {
    PORT: '0',
    AUTH_SECRET: SECRET,
    ...AMPLE_LIMITS,
    LLM_BASE_URL: provider.baseUrl,
    LLM_MODEL: 'scripted',
    // The model would be asked for a title besides, in no order that a script could foresee.
    CONVERSATION_TITLES: 'question',
    ...(embeddings && { EMBEDDING_MODEL: 'scripted-embedder' }),
    ...env,
  };
  const logger = createLogger({
    level: (process.env.TEST_LOG_LEVEL as 'info' | undefined) ?? 'silent',
    pretty: false,
  });
  const { location } = testDatabase;
  const storage = new MemoryFileStorage();
  const start = (changes: Record<string, string> = {}): Promise<Server> =>
    startServer(readConfig({ ...settings, ...changes }), logger, {
      location,
      storage,
      ...(clock && { clock }),
      ...(tracing && { tracing }),
    });
  return new TestApp(await start(), provider, storage, { database: testDatabase, start });
}

let shared: Promise<TestApp> | null = null;

/**
 * The product with default settings, with a company of its own and a model that plays `script`. All test files of a
 * worker, which come one after the other, have one server in common; it ends with the worker.
 */
export async function shareApp(script: Script<JsonObject, ProviderReply>): Promise<TestApp> {
  const { server, provider, storage } = await (shared ??= startApp([]));
  provider.play(script);
  const slug = `c-${newId()}`;
  await createCompany(server.resources.database, { slug, name: 'Demo' });
  return new TestApp(server, provider, storage, null, slug);
}

/** Starts the product as it is without settings: the offline model answers, without pauses. */
export function startOfflineApp(): Promise<TestApp> {
  return startApp([], { LLM_BASE_URL: '', LLM_MODEL: '', OFFLINE_MODEL_TOKENS_PER_SECOND: '0' });
}
