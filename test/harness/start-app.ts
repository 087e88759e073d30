import { signToken } from '../../src/auth/token-signer.js';
import type { Role } from '../../src/auth/viewer.js';
import type { Clock } from '../../src/common/clock.js';
import { newId } from '../../src/common/ids.js';
import type { JsonObject } from '../../src/common/json.js';
import { createLogger } from '../../src/common/process/logger.js';
import { createCompany } from '../../src/companies/create-company.js';
import { readConfig } from '../../src/config/config.js';
import type { Database } from '../../src/database/database.js';
import type { Script } from '../../src/llm/scripted-chat-model.js';
import {
  type EmbeddingScript,
  type ProviderReply,
  type ScriptedProvider,
  startScriptedProvider,
} from '../../src/llm/scripted-provider.js';
import { type Server, startServer } from '../../src/server.js';
import { MemoryFileStorage } from '../../src/storage/memory-file-storage.js';
import { TestClient } from './test-client.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

export const SECRET = 'a secret for tests that is long enough';

export interface Person {
  company?: string;
  sub?: string;
  role?: Role;
  ttlSeconds?: number;
}

export interface AppOptions {
  /** In the place of the machine's. */
  clock?: Clock;
  /** What is stored outlives the server, so that it can be started again. */
  isLasting?: boolean;
  /** Search by meaning is on, by an embedder that answers so. */
  embeddings?: EmbeddingScript;
}

/** The whole product on a port of its own, with a database of its own and a scripted model behind real HTTP. */
export class TestApp implements AsyncDisposable {
  private readonly clients: TestClient[] = [];

  constructor(
    public server: Server,
    readonly provider: ScriptedProvider,
    /** What is uploaded and written; it outlives a restart. */
    readonly storage: MemoryFileStorage,
    private readonly testDatabase: TestDatabase,
    private readonly start: (env?: Record<string, string>) => Promise<Server>,
  ) {}

  get url(): string {
    return this.server.url;
  }

  get database(): Database {
    return this.server.resources.database;
  }

  /** Somebody who uses the API; without more, an admin of the company demo. */
  async client({
    company = 'demo',
    sub = 'ada',
    role = 'ADMIN',
    ttlSeconds = 3600,
  }: Person = {}): Promise<TestClient> {
    return this.clientWith(await signToken(SECRET, { sub, company, role, name: sub }, ttlSeconds));
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
    await this.server.close();
    this.server = await this.start(env);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
    await this.server.close();
    await this.provider.close();
    await this.testDatabase[Symbol.asyncDispose]();
  }
}

/** Starts the product with a model that plays `script`. `env` overrides settings. */
export const startApp = async (
  script: Script<JsonObject, ProviderReply>,
  env: Record<string, string> = {},
  { clock, isLasting = false, embeddings }: AppOptions = {},
): Promise<TestApp> => {
  const provider = await startScriptedProvider(script, embeddings);
  const testDatabase = await createTestDatabase({ isLasting });
  const settings = {
    PORT: '0',
    AUTH_SECRET: SECRET,
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
    });
  return new TestApp(await start(), provider, storage, testDatabase, start);
};

/** Starts the product as it is without settings: the offline model answers, without pauses. */
export const startOfflineApp = (): Promise<TestApp> =>
  startApp([], { LLM_BASE_URL: '', LLM_MODEL: '', OFFLINE_MODEL_TOKENS_PER_SECOND: '0' });
