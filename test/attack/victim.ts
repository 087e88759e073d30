import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import pg from 'pg';

import { entities } from '../../src/app/entities.js';
import { signToken } from '../../src/companies/auth/token-signer.js';
import { createCompany } from '../../src/companies/create-company.js';
import { newId } from '../../src/common/ids.js';
import { type OpenDatabase, openDatabase } from '../../src/platform/database/open-database.js';
import { ServerProcess } from '../harness/server-process.js';
import { SECRET } from '../harness/start-app.js';
import { TestClient } from '../harness/test-client.js';
import { createTestDatabase } from '../harness/test-database.js';

/** As an operator has them who sets nothing. */
const DEFAULT_LIMITS = { MAX_OPERATIONS_PER_MINUTE: '', MAX_THREAD_MS_PER_MINUTE: '', MAX_SOCKETS: '' };

/** Of /proc/…/stat, everywhere that Linux runs. */
const TICK_MS = 10;

/** Of the server itself, of its programs that have ended, of this process, and of all together with the database. */
export interface ProcessorTime {
  server: number;
  programs: number;
  attacker: number;
  machine: number;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

interface Model {
  worker: Worker;
  url: string;
}

async function startModel(resources: AsyncDisposableStack): Promise<Model> {
  const worker = new Worker(new URL('model-thread.js', import.meta.url));
  resources.defer(async () => void (await worker.terminate()));
  const [port] = (await once(worker, 'message')) as [number];
  return { worker, url: `http://127.0.0.1:${port}/v1` };
}

/** A server as it is installed, on a PostgreSQL, with companies as many as one likes. */
export class Victim implements AsyncDisposable {
  private isAlive = true;
  /** Whose token was made last. */
  private companyId = '';

  private constructor(
    private readonly resources: AsyncDisposableStack,
    private readonly server: ServerProcess,
    private readonly database: OpenDatabase,
    private readonly owner: pg.Client,
    private readonly model: Worker,
    /** The address of a model that only those ask who do nothing wrong. */
    private readonly quietModel: string,
  ) {
    void server.finished.then(() => (this.isAlive = false));
  }

  /** `reachable`: a host that it may reach although it is not public. */
  static async start(reachable: string, isProfiled: boolean): Promise<Victim> {
    const resources = new AsyncDisposableStack();
    const { location } = resources.use(await createTestDatabase());
    const model = await startModel(resources);
    const quietModel = await startModel(resources);
    const settings = {
      ...DEFAULT_LIMITS,
      DATABASE_URL: location.database.url ?? '',
      // Whoever attacks sees as much as there is to see.
      INTROSPECTION: 'on',
      DOORS: 'all',
      LLM_BASE_URL: model.url,
      LLM_MODEL: 'scripted',
      OUTBOUND_ALLOW: `${reachable},${new URL(quietModel.url).host}`,
      ...(isProfiled && { NODE_OPTIONS: '--inspect=127.0.0.1:0' }),
    };
    const server = resources.use(await ServerProcess.start(settings));
    const database = await openDatabase(location, entities);
    resources.defer(() => database.close());
    const owner = new pg.Client({ connectionString: settings.DATABASE_URL });
    resources.defer(() => owner.end());
    await owner.connect();
    return new Victim(resources, server, database, owner, model.worker, quietModel.url);
  }

  get url(): string {
    return this.server.url;
  }

  /** Where a debugger may speak with it, if it is profiled. */
  get debuggerUrl(): string {
    return /ws:\/\/\S+/.exec(this.server.output)?.[0] ?? '';
  }

  /** How it ended; null: it lives. */
  async death(): Promise<string | null> {
    if (this.isAlive) return null;
    const { code, signal, output } = await this.server.finished;
    return `It ended with ${code ?? signal}:\n${output}`;
  }

  /** Of an admin of a company that nobody else is in. */
  async token(): Promise<string> {
    const slug = `c-${newId()}`;
    ({ id: this.companyId } = await createCompany(this.database.database, { slug, name: slug }));
    return signToken(SECRET, { sub: 'ada', company: slug, role: 'ADMIN', name: 'Ada' }, 3600);
  }

  /** Of somebody whose model has nothing else to do, as a provider has room for all who ask it. */
  async honestToken(): Promise<string> {
    const token = await this.token();
    const client = new TestClient(this.url, token);
    const input = { key: 'quiet', baseUrl: this.quietModel, api: 'CHAT' };
    await client.get('mutation ($input: SetProviderInput!) { setProvider(input: $input) { id } }', { input });
    await client.get(
      'mutation { updateAssistant(key: "mefali", input: { model: "quiet/scripted" }) { key } }',
    );
    return token;
  }

  /**
   * Ends the turns and the reading that the last attacker left behind, lest they be taken for what the next one does.
   * Resolves with how many there still are after `forMs`.
   */
  async calmDown(forMs: number): Promise<number> {
    const until = performance.now() + forMs;
    this.model.postMessage(true, []);
    let left = await this.unfinished();
    while (left > 0 && performance.now() < until) {
      await sleep(100);
      left = await this.unfinished();
    }
    this.model.postMessage(false, []);
    // As autovacuum does, which may be off where tests are run: questions are slow after some thousands without it.
    await this.owner.query('VACUUM (ANALYZE)');
    return left;
  }

  private async unfinished(): Promise<number> {
    const [row] = await this.database.database.read(this.companyId, (tx) =>
      tx.query<{ count: number }>(
        `SELECT (SELECT count(*) FROM turn WHERE status IN ('QUEUED', 'RUNNING', 'IN_BACKGROUND'))::int
           + (SELECT count(*) FROM document_content WHERE status IN ('PENDING', 'PROCESSING'))::int AS count`,
      ),
    );
    return row?.count ?? 0;
  }

  /** The most memory since the last call, in MB; null where the system does not tell. */
  async peakMemory(): Promise<number | null> {
    const folder = `/proc/${this.server.pid}`;
    try {
      const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(await readFile(`${folder}/status`, 'utf8')) ?? [];
      await writeFile(`${folder}/clear_refs`, '5');
      return Math.round(Number(kilobytes) / 1024);
    } catch {
      return null;
    }
  }

  /** The time that processors have spent so far, in milliseconds; what the system does not tell is 0. */
  async processorTime(): Promise<ProcessorTime> {
    const stat = await readFile(`/proc/${this.server.pid}/stat`, 'utf8').catch(() => '');
    // Behind the name of the program, which may hold blanks.
    const ticks = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [own = 0, ownInSystem = 0, programs = 0, programsInSystem = 0] = ticks.slice(11);
    const { user, system } = process.cpuUsage();
    return {
      server: (own + ownInSystem) * TICK_MS,
      programs: (programs + programsInSystem) * TICK_MS,
      attacker: (user + system) / 1000,
      machine: sum(cpus().map(({ times }) => times.user + times.nice + times.sys + times.irq)),
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.resources.disposeAsync();
  }
}
