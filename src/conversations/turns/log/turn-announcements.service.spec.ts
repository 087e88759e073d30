import fc from 'fast-check';

import { newId } from '../../../common/ids.js';
import { createLogger } from '../../../common/process/logger.js';
import type { Database } from '../../../platform/database/database.js';
import { Transaction } from '../../../platform/database/transaction.js';
import { Listeners } from '../../../platform/pubsub/in-process-pub-sub.js';
import { type Listening, MAX_PAYLOAD_BYTES, PubSub } from '../../../platform/pubsub/pub-sub.js';
import { noUsage, type TurnEvent, type TurnEventBody } from '../turn-event.js';
import { TurnAnnouncements } from './turn-announcements.service.js';
import type { Append, LogPage, LogRequest, Position, TurnEventRepository } from './turn-event.repository.js';
import { TurnEvents } from './turn-events.js';
import { TurnFeed } from './turn-feed.js';

const COMPANY = '8b0c1f7e-6f2a-4d7c-9d0e-2b8a4f1c3d5e';

const logger = createLogger({ level: 'silent', pretty: false });

const end: TurnEventBody = {
  type: 'turn-done',
  status: 'COMPLETED',
  finishReason: 'ANSWERED',
  messageId: null,
  usage: noUsage,
  error: null,
};

/** One end of a line between processes. Hears its own hints at once, and others' when delivered. */
class ScriptedPubSub extends PubSub {
  /** Others' hints that are not delivered yet. */
  readonly coming: { topic: string; payload: string }[] = [];
  others: ScriptedPubSub[] = [];
  private readonly topics = new Listeners(logger);
  private readonly gaps = new Listeners(logger);

  override async publish(tx: Transaction, topic: string, payload: string): Promise<void> {
    tx.afterCommit(() => this.topics.tell(topic, payload));
    await this.publishToOthers(tx, topic, payload);
  }

  override async publishToOthers(tx: Transaction, topic: string, payload: string): Promise<void> {
    if (Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES) throw new Error('This hint is too long.');
    tx.afterCommit(() => {
      for (const other of this.others) other.coming.push({ topic, payload });
    });
  }

  override subscribe(topic: string, listener: (payload: string) => void): () => void {
    return this.topics.add(topic, listener);
  }

  override onGap(listener: () => void): () => void {
    return this.gaps.add('gap', listener);
  }

  override get listening(): Listening {
    return { state: 'ok' };
  }

  deliver(): void {
    for (const { topic, payload } of this.coming.splice(0)) this.topics.tell(topic, payload);
  }

  /** Loses undelivered hints, which is noticed. */
  lose(): void {
    this.coming.length = 0;
    this.gaps.tell('gap', '');
  }
}

/** A process that reads the common logs. */
class Process {
  readonly feed = new TurnFeed();
  readonly pubSub = new ScriptedPubSub();
  /** The number of turns in each statement for all listeners. */
  readonly statements: number[] = [];
  /** The number of single reads by listeners. */
  reads = 0;
  before: () => Promise<unknown> = () => Promise.resolve();
  after: () => Promise<unknown> = () => Promise.resolve();
  readonly announcements: TurnAnnouncements;

  constructor(private readonly logs: Map<string, TurnEvent[]>) {
    const database: Pick<Database, 'systemTransaction'> = {
      systemTransaction: (work) => work(new Transaction(COMPANY, {} as never)),
    };
    const rows: Pick<TurnEventRepository, 'readMany'> = {
      readMany: (_tx, positions, limit) => this.readMany(positions, limit),
    };
    this.announcements = new TurnAnnouncements(
      database as Database,
      rows as TurnEventRepository,
      this.feed,
      this.pubSub,
      logger,
    );
    this.announcements.onApplicationBootstrap();
  }

  /** Commits `bodies` to logs like TurnLog: announces them, then shows them here. */
  async store(turnIds: readonly string[], ...bodies: readonly TurnEventBody[]): Promise<void> {
    const tx = new Transaction(COMPANY, {} as never);
    const parts: Append[] = turnIds.map((turnId) => ({
      claim: { companyId: COMPANY, turnId, attempt: 1 },
      before: this.logOf(turnId).length,
      entries: bodies as Append['entries'],
      calls: [],
    }));
    await this.announcements.announce(tx, parts);
    for (const { claim, before } of parts) {
      const events = bodies.map((body, index) => eventOf(claim.turnId, before + index + 1, body));
      this.logOf(claim.turnId).push(...events);
      tx.afterCommit(() => this.feed.publish(claim.turnId, events));
    }
    tx.runAfterCommit();
  }

  follow(turnId: string): TurnEvents {
    return new TurnEvents(this, this.feed, { companyId: COMPANY, turnId }, 0);
  }

  async read({ turnId, after }: LogRequest, limit: number): Promise<LogPage> {
    this.reads += 1;
    await this.before();
    const log = this.logs.get(turnId);
    const all = log ?? [];
    const state = !log ? 'gone' : all.at(-1)?.type === 'turn-done' ? 'ended' : 'open';
    const events = all.filter(({ sequence }) => sequence > after).slice(0, limit);
    const page: LogPage = { events, state, lastSequence: all.length };
    await this.after();
    return page;
  }

  private async readMany(positions: readonly Position[], limit: number): Promise<TurnEvent[]> {
    this.statements.push(positions.length);
    await this.before();
    const events = positions.flatMap(({ turnId, after }) =>
      this.logOf(turnId)
        .filter(({ sequence }) => sequence > after)
        .slice(0, limit),
    );
    await this.after();
    return events;
  }

  private logOf(turnId: string): TurnEvent[] {
    return this.logs.get(turnId) ?? [];
  }
}

function eventOf(turnId: string, sequence: number, body: TurnEventBody): TurnEvent {
  return {
    turnId,
    sequence,
    at: new Date(0),
    ...body,
  };
}

function text(words: string): TurnEventBody {
  return { type: 'text-delta', text: words };
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('TurnAnnouncements', () => {
  let logs: Map<string, TurnEvent[]>;
  let here: Process;
  let there: Process;

  const start = (): void => {
    logs = new Map();
    [here, there] = [new Process(logs), new Process(logs)];
    here.pubSub.others = [there.pubSub];
    there.pubSub.others = [here.pubSub];
  };

  beforeEach(start);

  const newTurn = (): string => {
    const turnId = newId();
    logs.set(turnId, []);
    return turnId;
  };

  /** A listener that has seen the first event and waits for the second, which is promised. */
  const waiting = async (turnId: string): Promise<{ next: ReturnType<TurnEvents['next']> }> => {
    await there.store([turnId], text('first'));
    here.pubSub.deliver();
    const events = there.follow(turnId);
    await events.next();
    const next = events.next();
    await settled();
    there.reads = 0;
    return { next };
  };

  const value = (turnId: string, sequence: number): object => ({
    done: false,
    value: logs.get(turnId)?.[sequence - 1],
  });

  it('shows listeners what another process has stored', async () => {
    const turnId = newTurn();
    const { next } = await waiting(turnId);
    await here.store([turnId], text('second'));
    there.pubSub.deliver();
    expect(await next).toEqual(value(turnId, 2));
    expect({ statements: there.statements, reads: there.reads }).toEqual({ statements: [1], reads: 0 });
  });

  it('does not read what this process has stored itself', async () => {
    const turnId = newTurn();
    const { next } = await waiting(turnId);
    await there.store([turnId], text('second'));
    expect(await next).toEqual(value(turnId, 2));
    await settled();
    expect({ statements: there.statements, reads: there.reads }).toEqual({ statements: [], reads: 0 });
  });

  it('reads for all turns of one round in one statement', async () => {
    const turnIds = Array.from({ length: 400 }, newTurn);
    const nexts: ReturnType<TurnEvents['next']>[] = [];
    for (const turnId of turnIds) nexts.push((await waiting(turnId)).next);
    await here.store(turnIds, text('second'));
    expect(there.pubSub.coming.length).toBeGreaterThan(1);
    there.pubSub.deliver();
    expect(await Promise.all(nexts)).toEqual(turnIds.map((turnId) => value(turnId, 2)));
    expect({ statements: there.statements, reads: there.reads }).toEqual({ statements: [400], reads: 0 });
  });

  it('costs nothing where nobody listens', async () => {
    const turnId = newTurn();
    await here.store([turnId, newTurn()], text('first'), text('second'));
    there.pubSub.deliver();
    await settled();
    expect({ statements: there.statements, reads: there.reads }).toEqual({ statements: [], reads: 0 });
    expect(there.feed.size).toBe(0);
  });

  it('leaves a turn of which nothing is at hand to its listeners', async () => {
    const turnId = newTurn();
    const events = there.follow(turnId);
    const next = events.next();
    await settled();
    await here.store([turnId], text('first'));
    there.pubSub.deliver();
    expect(await next).toEqual(value(turnId, 1));
    expect(there.statements).toEqual([]);
  });

  it('takes what is announced while it reads into the next round', async () => {
    const turnIds = [newTurn(), newTurn()];
    const nexts = (await Promise.all(turnIds.map(waiting))).map(({ next }) => next);
    const answer = Promise.withResolvers<void>();
    there.after = () => answer.promise;
    for (const turnId of turnIds) {
      await here.store([turnId], text('second'));
      there.pubSub.deliver();
      await settled();
    }
    expect(there.statements).toEqual([1]);
    answer.resolve();
    expect(await Promise.all(nexts)).toEqual(turnIds.map((turnId) => value(turnId, 2)));
    expect(there.statements).toEqual([1, 1]);
  });

  it('goes by the latest of several hints, in whatever order they come', async () => {
    const turnId = newTurn();
    const { next } = await waiting(turnId);
    await here.store([turnId], text('second'), text('third'));
    there.pubSub.coming.push({ topic: 'turn.events', payload: `${turnId}:2` });
    there.pubSub.deliver();
    there.feed.publish(turnId, logs.get(turnId)?.slice(1, 2) ?? []);
    expect(await next).toEqual(value(turnId, 2));
    await settled();
    expect(there.feed.next(turnId, 2)).toBe(logs.get(turnId)?.[2]);
  });

  it('has listeners look for themselves when hints may have been lost', async () => {
    const turnId = newTurn();
    const { next } = await waiting(turnId);
    await here.store([turnId], text('second'));
    there.pubSub.lose();
    expect(await next).toEqual(value(turnId, 2));
  });

  it('has them look for themselves when it cannot read, and goes on reading', async () => {
    const turnIds = [newTurn(), newTurn()];
    const nexts = (await Promise.all(turnIds.map(waiting))).map(({ next }) => next);
    const fail = (): Promise<never> => {
      there.before = () => Promise.resolve();
      return Promise.reject(new Error('The statement failed.'));
    };
    there.before = fail;
    for (const turnId of turnIds) {
      await here.store([turnId], text('second'));
      there.pubSub.deliver();
      await settled();
    }
    expect(await Promise.all(nexts)).toEqual(turnIds.map((turnId) => value(turnId, 2)));
    expect({ statements: there.statements, reads: there.reads }).toEqual({ statements: [1, 1], reads: 1 });
  });

  it('has them look for themselves when there is more than it reads at once', async () => {
    const turnId = newTurn();
    const { next } = await waiting(turnId);
    const many = Array.from({ length: 300 }, () => text('x'));
    await here.store([turnId], ...many, end);
    there.pubSub.deliver();
    expect(await next).toEqual(value(turnId, 2));
    expect(await Array.fromAsync(there.follow(turnId))).toEqual(logs.get(turnId));
  });

  it('has them find out that the turn was removed together with what was announced', async () => {
    const turnId = newTurn();
    const { next } = await waiting(turnId);
    await here.store([turnId], end);
    logs.delete(turnId);
    there.pubSub.deliver();
    await expect(next).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each(['', 'x', COMPANY, `${COMPANY}:x`, `${COMPANY}:99999999999`, `${COMPANY}:1:2`])(
    'survives a hint that says %p',
    async (payload) => {
      const turnId = newTurn();
      const { next } = await waiting(turnId);
      there.pubSub.coming.push({ topic: 'turn.events', payload });
      await here.store([turnId], text('second'));
      there.pubSub.deliver();
      expect(await next).toEqual(value(turnId, 2));
    },
  );

  it('hears nothing more once the process stops', async () => {
    const turnId = newTurn();
    await waiting(turnId);
    there.announcements.onApplicationShutdown();
    await here.store([turnId], text('second'));
    there.pubSub.deliver();
    await settled();
    expect(there.statements).toEqual([]);
  });

  it('shows everybody everything, however commits, hints, their loss and reads fall together', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), commits, lastCommit, async (scheduler, all, last) => {
        start();
        const turnIds = [newTurn(), newTurn()];
        for (const process of [here, there]) {
          process.before = () => scheduler.schedule(Promise.resolve(), 'the log is read');
          process.after = () => scheduler.schedule(Promise.resolve(), 'the log answers');
        }
        void scheduler.scheduleSequence(
          [...all, last].map((one) => ({ label: 'commit', builder: () => take(one, turnIds, scheduler) })),
        );
        let ended = 0;
        const seen = turnIds.flatMap((turnId) =>
          [here, there, there].map(async (process) => {
            await scheduler.schedule(Promise.resolve(), 'subscribe');
            const events = await Array.fromAsync(process.follow(turnId));
            ended += 1;
            return { turnId, events };
          }),
        );
        do {
          await scheduler.waitIdle();
          await settled();
        } while (scheduler.count() > 0);
        expect(ended).toBe(seen.length);
        for (const { turnId, events } of await Promise.all(seen)) expect(events).toEqual(logs.get(turnId));
      }),
      { numRuns: 300 },
    );
  });

  /** Commits now. Hints arrive, or their loss is noticed, at any later time. */
  const take = async (
    { turns, bodies, by, isLost }: Commit,
    turnIds: string[],
    scheduler: fc.Scheduler,
  ): Promise<void> => {
    const [process, other] = by === 'here' ? [here, there] : [there, here];
    const told = turnIds.filter((_turnId, index) => turns.includes(index));
    await process.store(told, ...bodies);
    void scheduler
      .schedule(Promise.resolve(), 'news')
      .then(() => (isLost ? other.pubSub.lose() : other.pubSub.deliver()));
  };
});

interface Commit {
  turns: number[];
  bodies: TurnEventBody[];
  by: 'here' | 'there';
  isLost: boolean;
}

function commitOf(
  turns: fc.Arbitrary<number[]>,
  bodies: fc.Arbitrary<TurnEventBody[]>,
): fc.Arbitrary<Commit> {
  return fc.record({ turns, bodies, by: fc.constantFrom('here', 'there'), isLost: fc.boolean() });
}

const texts = fc
  .oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.constant(270))
  .map((count) => Array.from({ length: count }, () => text('x')));

const commits = fc.array(commitOf(fc.constantFrom([0], [1], [0, 1]), texts), { maxLength: 6 });

const lastCommit = commitOf(fc.constant([0, 1]), fc.constant([end]));
