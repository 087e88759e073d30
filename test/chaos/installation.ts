import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

import { type ScriptedProvider, startScriptedProvider } from '../../src/llm/scripted-provider.js';
import { hasOwnPostgres, OwnPostgres } from '../harness/own-postgres.js';
import { Replica } from '../harness/replicas.js';
import { createTestDatabase, testDatabaseUrl } from '../harness/test-database.js';
import { Witness } from '../harness/witness.js';
import type { MoodyModel } from './moody-model.js';
import type { Options, Trouble } from './plan.js';

/** Everything that can fail: replicas, their networks, and the database if it is our own. */
export class Installation implements AsyncDisposable {
  readonly happened = { kills: 0, stops: 0, cuts: 0, restarts: 0 };
  private isOver = false;
  /** Whether the database is. */
  private isAway = false;
  /** Servers that are being started again. */
  private readonly comingBack: Promise<void>[] = [];

  private constructor(
    private readonly resources: AsyncDisposableStack,
    private readonly databaseUrl: string,
    private readonly postgres: OwnPostgres | null,
    readonly provider: ScriptedProvider,
    readonly witness: Witness,
    readonly replicas: readonly Replica[],
  ) {}

  static async start(options: Options, model: MoodyModel): Promise<Installation> {
    const resources = new AsyncDisposableStack();
    const postgres = hasOwnPostgres ? resources.use(await OwnPostgres.start()) : null;
    const databaseUrl = postgres?.url ?? (await otherDatabase(resources));
    const provider = resources.use(await startScriptedProvider(model.replyTo));
    const witness = resources.use(await Witness.open());
    const settings = {
      ...witness.settings,
      LLM_IDLE_TIMEOUT_SECONDS: '2',
      SHUTDOWN_GRACE_SECONDS: '0',
    };
    const replicas: Replica[] = [];
    for (let count = 0; count < options.replicas; count += 1) {
      replicas.push(resources.use(await Replica.start({ databaseUrl, provider, settings })));
    }
    return new Installation(resources, databaseUrl, postgres, provider, witness, replicas);
  }

  /**
   * Lets one trouble come after the other, again and again, until the time is over or `rest` is called; in the end all
   * servers are back.
   */
  async suffer(troubles: readonly Trouble[], seconds: number): Promise<void> {
    const timer = setTimeout(() => this.rest(), seconds * 1000);
    for (let index = 0; !this.isOver; index += 1) {
      const trouble = troubles[index % troubles.length];
      if (!trouble) return;
      await sleep(trouble.afterMs);
      if (!this.isOver) await this.befall(trouble);
    }
    clearTimeout(timer);
    await Promise.all(this.comingBack);
  }

  rest(): void {
    this.isOver = true;
  }

  /** Has the database away for a moment; in good order or by a crash, in turns. */
  async restartDatabase(): Promise<void> {
    if (!this.postgres) return;
    const mode = this.happened.restarts % 2 === 0 ? 'immediate' : 'fast';
    this.happened.restarts += 1;
    this.isAway = true;
    await this.postgres.down(mode);
    await sleep(1_000);
    await this.postgres.up();
    this.isAway = false;
  }

  /** Rows of a query put to the database past every server. */
  async query<Row extends object>(sql: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.databaseUrl });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.resources.disposeAsync();
  }

  private async befall({ kind, replica: which, downMs }: Trouble): Promise<void> {
    const replica = this.replicas[which % this.replicas.length];
    if (!replica?.isUp) return;
    if (kind === 'cut') {
      replica.network.cut();
      this.happened.cuts += 1;
      return;
    }
    const { code, output } = await replica.down(kind === 'kill' ? 'SIGKILL' : 'SIGTERM');
    this.happened[kind === 'kill' ? 'kills' : 'stops'] += 1;
    if (kind === 'stop' && code !== 0) throw new Error(`A stopped server ended with ${code}:\n${output}`);
    this.comingBack.push(this.comeBack(replica, downMs));
  }

  /** A server does not start while the database is away: it is started until it does. */
  private async comeBack(replica: Replica, downMs: number): Promise<void> {
    await sleep(downMs);
    for (;;) {
      const { restarts } = this.happened;
      const wasAway = this.isAway;
      try {
        return await replica.up();
      } catch (error) {
        if (!wasAway && restarts === this.happened.restarts) throw error;
      }
    }
  }
}

/** Without one of our own, a database on the server that the tests use, which we do not restart. */
const otherDatabase = async (resources: AsyncDisposableStack): Promise<string> => {
  if (testDatabaseUrl === null)
    throw new Error('Chaos needs a PostgreSQL: install one or set TEST_DATABASE_URL.');
  process.stdout.write('PostgreSQL is not restarted: its own programs are not on this machine.\n');
  const { url } = resources.use(await createTestDatabase()).location.database;
  return url ?? '';
};
