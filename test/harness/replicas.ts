import type { ScriptedProvider } from '@palabre/llm-client/scripted-provider.double.js';

import { signToken } from '../../src/companies/auth/token-signer.js';
import { CuttableProxy } from './cuttable-proxy.js';
import { freePort } from './free-port.js';
import { type Finished, ServerProcess, type Settings } from './server-process.js';
import { SECRET } from './start-app.js';
import { TestClient } from './test-client.js';

export interface ReplicaSettings {
  databaseUrl: string;
  provider: ScriptedProvider;
  settings?: Settings;
}

/** A server's place in an installation: it may die and come back, its address stays, behind a network that fails. */
export class Replica implements AsyncDisposable {
  private process: ServerProcess | null = null;
  private readonly clients: TestClient[] = [];

  private constructor(
    private readonly settings: Settings,
    /** Past the network that can be cut. */
    readonly directUrl: string,
    readonly network: CuttableProxy,
  ) {}

  /** Starts a server whose model is the scripted provider. */
  static async start({ databaseUrl, provider, settings = {} }: ReplicaSettings): Promise<Replica> {
    const port = await freePort();
    const directUrl = `http://127.0.0.1:${port}`;
    const replica = new Replica(
      {
        PORT: String(port),
        DATABASE_URL: databaseUrl,
        // Files that run at the same time start several each, and PostgreSQL has 100 connections for all.
        DATABASE_POOL_SIZE: '5',
        LLM_BASE_URL: provider.baseUrl,
        LLM_MODEL: 'scripted',
        CONVERSATION_TITLES: 'question',
        LEASE_SECONDS: '10',
        ...settings,
      },
      directUrl,
      await CuttableProxy.to(directUrl),
    );
    await replica.up();
    return replica;
  }

  /** Starts it again after its end. */
  async up(): Promise<void> {
    this.process = await ServerProcess.start(this.settings);
  }

  /** Ends the process, and tells how it ended. */
  async down(signal: NodeJS.Signals): Promise<Finished> {
    if (!this.process) throw new Error('The replica is down already.');
    const finished = await this.process.kill(signal);
    this.process = null;
    return finished;
  }

  /** Has the process stand still, or go on. */
  stand(signal: 'SIGSTOP' | 'SIGCONT'): void {
    void this.process?.kill(signal);
  }

  /** What the process has said so far. */
  get output(): string {
    return this.process?.output ?? '';
  }

  get isUp(): boolean {
    return this.process !== null;
  }

  /** Somebody who uses the API of this replica; without a name, an admin of the company demo. */
  async client(sub = 'ada'): Promise<TestClient> {
    const claims = { sub, company: 'demo', role: 'ADMIN' as const, name: sub };
    const client = new TestClient(this.network.url, await signToken(SECRET, claims, 3600));
    this.clients.push(client);
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
    await this.network[Symbol.asyncDispose]();
    await this.process?.kill('SIGKILL');
  }
}
