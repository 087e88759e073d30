import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';
import { startScriptedProvider } from '@palabre/llm-client/scripted-provider.double.js';

import { hasOwnPostgres, OwnPostgres } from '../harness/own-postgres.js';
import { PausableProxy } from '../harness/pausable-proxy.js';
import { Replica } from '../harness/replicas.js';
import { createTestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';
import { Witness } from '../harness/witness.js';
import type { MoodyModel } from './moody-model.js';
import type { Options, Trouble, TroubleKind } from './plan.js';
import type { Progress } from './progress.js';

/** After a silence. */
const SECONDS_TO_FLOW = 20;

/** A replica with its way to the database, which can fall silent. */
interface Place {
  replica: Replica;
  wayToDatabase: PausableProxy;
}

/** Everything that can fail: replicas, their networks, and the database if it is our own. */
export class Installation implements AsyncDisposable {
  readonly happened: Record<TroubleKind, number> = { kill: 0, stop: 0, cut: 0, pause: 0, restart: 0 };
  /** From the end of a silence until all was well again. */
  longestRecoveryMs = 0;
  private isOver = false;
  /** Whether the database is, or cannot be reached. */
  private isAway = false;
  /** How often it was. */
  private absences = 0;
  /** Servers that are being started again. */
  private readonly comingBack: Promise<void>[] = [];

  private constructor(
    private readonly resources: AsyncDisposableStack,
    private readonly databaseUrl: string,
    private readonly postgres: OwnPostgres | null,
    readonly witness: Witness,
    private readonly places: readonly Place[],
  ) {}

  get replicas(): Replica[] {
    return this.places.map(({ replica }) => replica);
  }

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
    const places: Place[] = [];
    for (let count = 0; count < options.replicas; count += 1) {
      const wayToDatabase = resources.use(await PausableProxy.to(databaseUrl));
      const replica = await Replica.start({ databaseUrl: wayToDatabase.url, provider, settings });
      places.push({ replica: resources.use(replica), wayToDatabase });
    }
    return new Installation(resources, databaseUrl, postgres, witness, places);
  }

  /** Has all troubles befall it, each when it is its time; then all servers are back. */
  async suffer(troubles: readonly Trouble[], progress: Progress): Promise<void> {
    for (const trouble of troubles) {
      await progress.reach(trouble.onceEnded);
      await sleep(trouble.afterMs);
      if (this.isOver) break;
      await this.befall(trouble);
      this.happened[trouble.kind] += 1;
    }
    await Promise.all(this.comingBack);
  }

  /** Nothing more befalls it. */
  rest(): void {
    this.isOver = true;
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

  private async befall(trouble: Trouble): Promise<void> {
    const { kind, downMs } = trouble;
    if (kind === 'restart') return this.restartDatabase();
    const place = await this.somewhereUp(trouble.replica);
    const { replica } = place;
    if (kind === 'pause') return this.fallSilent(trouble.isEverywhere ? this.places : [place], trouble);
    if (kind === 'cut') return replica.network.cut();
    const { code, output } = await replica.down(kind === 'kill' ? 'SIGKILL' : 'SIGTERM');
    if (kind === 'stop' && code !== 0) throw new Error(`A stopped server ended with ${code}:\n${output}`);
    const comingBack = this.comeBack(replica, downMs);
    // Whether it succeeds is asked in the end.
    comingBack.catch(() => undefined);
    this.comingBack.push(comingBack);
  }

  /** Where a server runs: at this place, or at the next one. */
  private async somewhereUp(which: number): Promise<Place> {
    const { places } = this;
    const inOrder = places.map((_, index) => places[(which + index) % places.length]);
    const up = inOrder.find((place) => place?.replica.isUp);
    if (up) return up;
    await Promise.all(this.comingBack);
    return this.somewhereUp(which);
  }

  /** Has the database away for a moment; in good order or by a crash, in turns. */
  private async restartDatabase(): Promise<void> {
    const { postgres } = this;
    if (!postgres) throw new Error('The PostgreSQL is not ours to restart.');
    await this.whileAway(async () => {
      await postgres.down(this.happened.restart % 2 === 0 ? 'immediate' : 'fast');
      await sleep(1_000);
      await postgres.up();
    });
  }

  /** Holds back for a while what goes between servers and database, the connections open; then events flow again. */
  private async fallSilent(places: readonly Place[], { silentMs, isLost }: Trouble): Promise<void> {
    await this.whileAway(async () => {
      for (const { wayToDatabase } of places) wayToDatabase.pause();
      await sleep(silentMs);
      for (const { wayToDatabase } of places) {
        if (isLost) wayToDatabase.recover();
        else wayToDatabase.resume();
      }
    });
    const since = new Date();
    await Promise.all([
      this.flowsSince(since.toISOString()),
      ...places.map(({ replica }) => this.isReady(replica)),
    ]);
    this.longestRecoveryMs = Math.max(this.longestRecoveryMs, Date.now() - since.getTime());
  }

  private async whileAway(trouble: () => Promise<void>): Promise<void> {
    this.absences += 1;
    this.isAway = true;
    await trouble();
    this.isAway = false;
  }

  /** Resolves when an event was stored that is later than `since`, or there is nothing to tell any more. */
  private async flowsSince(since: string): Promise<void> {
    const sql = `SELECT EXISTS (SELECT FROM turn_event WHERE at > '${since}')
      OR NOT EXISTS (SELECT FROM turn WHERE finished_at IS NULL) AS flows`;
    await inTime(
      async () => (await this.query<{ flows: boolean }>(sql))[0]?.flows === true,
      'No event flows',
    );
  }

  /** Resolves when the server says so, or is not there to say it. */
  private async isReady({ directUrl, isUp }: Replica): Promise<void> {
    if (!isUp) return;
    await inTime(
      async () => (await fetch(`${directUrl}/health/ready`)).status === 200,
      `The server at ${directUrl} is not ready`,
    );
  }

  /** A server does not start while the database is away: it is started until it does. */
  private async comeBack(replica: Replica, downMs: number): Promise<void> {
    await sleep(downMs);
    for (;;) {
      const { absences, isAway } = this;
      try {
        return await replica.up();
      } catch (error) {
        if (!isAway && absences === this.absences) throw error;
      }
    }
  }
}

/** Resolves once it is so; rejects with `complaint` when it is not in the time that there is after a silence. */
async function inTime(isSo: () => Promise<boolean>, complaint: string): Promise<void> {
  const deadline = performance.now() + SECONDS_TO_FLOW * 1000;
  while (!(await isSo())) {
    if (performance.now() > deadline) {
      throw new Error(`${complaint}, though the network has been well for ${SECONDS_TO_FLOW} s.`);
    }
    await sleep(100);
  }
}

/** Without one of our own, a database on the server that the tests use, which we do not restart. */
async function otherDatabase(resources: AsyncDisposableStack): Promise<string> {
  if (testDatabaseUrl === null)
    throw new Error('Chaos needs a PostgreSQL: install one or set TEST_DATABASE_URL.');
  process.stdout.write('PostgreSQL is not restarted: its own programs are not on this machine.\n');
  const { url } = resources.use(await createTestDatabase()).location.database;
  return url ?? '';
}
