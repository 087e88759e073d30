import fc from 'fast-check';

import { DomainError } from '../../../common/errors/domain-error.js';
import { newId } from '../../../common/ids.js';
import { createLogger } from '../../../common/process/logger.js';
import type { Database } from '../../../platform/database/database.js';
import { Transaction } from '../../../platform/database/transaction.js';
import type { Claim } from '../claims/turn-claim.js';
import type { TurnEntry, TurnEvent } from '../turn-event.js';
import type { TurnAnnouncements } from './turn-announcements.service.js';
import type { Append, Standing, TurnEventRepository } from './turn-event.repository.js';
import { TurnFeed } from './turn-feed.js';
import { ClaimLost, TurnLog } from './turn-log.service.js';
import type { TurnRecords } from './turn-records.service.js';
import type { TurnWriter } from './turn-writer.js';
import { loadedEntry as loaded, shownIn as shown, textEntry as text } from './turn-entries.double.js';

/** Retries an unavailable database without pauses. */
class ImpatientTurnLog extends TurnLog {
  protected override pause = async (): Promise<void> => undefined;
}

/** The fault of a transaction: its answer is lost before or after the commit. */
type Fault = 'not stored' | 'stored, and the answer lost';

/** An entry that the database refuses in any transaction. */
const poison = loaded('poison');

const unstorable = new Error('The database cannot take this.');

/** The turns' rows and logs in memory, with the checks that the statements make. */
class Tables {
  readonly turns = new Map<string, { attempt: number; isEnded: boolean; log: TurnEntry[] }>();
  /** The faults of the next transactions. Afterwards there are none. */
  faults: Fault[] = [];
  /** Every commit waits for this. */
  beforeCommit: Promise<void> | null = null;
  /** The number of parts in each appending statement. */
  readonly statements: number[] = [];
  mostAtATime = 0;
  /** Whether the standing of a turn cannot be read. */
  isStandingBroken = false;
  onAttempt: () => void = () => undefined;
  private atATime = 0;
  private readonly staged = new Map<Transaction, (() => void)[]>();

  add(): Claim {
    const claim = { companyId: newId(), turnId: newId(), attempt: 1 };
    this.turns.set(claim.turnId, { attempt: 1, isEnded: false, log: [] });
    return claim;
  }

  logOf({ turnId }: Pick<Claim, 'turnId'>): TurnEntry[] {
    return this.turns.get(turnId)?.log ?? [];
  }

  async run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const tx = new Transaction(newId(), {} as never);
    this.staged.set(tx, []);
    this.onAttempt();
    const result = await work(tx);
    await this.beforeCommit;
    const fault = this.faults.shift();
    if (fault !== 'not stored') for (const change of this.staged.get(tx) ?? []) change();
    if (fault) throw new DomainError('UNAVAILABLE', fault);
    tx.runAfterCommit();
    return result;
  }

  async append(tx: Transaction, appends: readonly Append[]): Promise<Set<string>> {
    this.statements.push(appends.length);
    this.mostAtATime = Math.max(this.mostAtATime, (this.atATime += 1));
    await new Promise((resolve) => setImmediate(resolve));
    this.atATime -= 1;
    if (appends.some(({ entries }) => entries.some((entry) => isPoison(entry)))) throw unstorable;
    const stored = new Set<string>();
    for (const { claim, before, entries } of appends) {
      const turn = this.turns.get(claim.turnId);
      if (!turn || turn.isEnded || turn.attempt !== claim.attempt || turn.log.length !== before) continue;
      stored.add(claim.turnId);
      const copies = structuredClone(entries);
      this.staged.get(tx)?.push(() => turn.log.push(...copies));
    }
    return stored;
  }

  async standing(claim: Claim): Promise<Standing> {
    if (this.isStandingBroken) throw unstorable;
    const turn = this.turns.get(claim.turnId);
    return !turn || turn.isEnded || turn.attempt !== claim.attempt
      ? 'lost'
      : { lastSequence: turn.log.length };
  }
}

function isPoison(entry: TurnEntry): boolean {
  return entry.type === 'skill-loaded' && entry.skill === 'poison';
}

/** A feed that records its events, and errors: unstored and repeated ones. */
class CheckedFeed extends TurnFeed {
  readonly shown = new Map<string, number>();
  readonly wrong: TurnEvent[] = [];

  constructor(private readonly tables: Tables) {
    super();
  }

  override publish(turnId: string, events: readonly TurnEvent[]): void {
    for (const event of events) {
      const { turnId: id, at: _at, sequence, ...body } = event;
      const stored = this.tables.logOf({ turnId })[sequence - 1];
      const isStored = JSON.stringify(stored) === JSON.stringify(body);
      const isNew = sequence > (this.shown.get(turnId) ?? 0);
      if (id !== turnId || !isStored || !isNew) this.wrong.push(event);
      this.shown.set(turnId, sequence);
    }
    super.publish(turnId, events);
  }
}

function start() {
  const tables = new Tables();
  const feed = new CheckedFeed(tables);
  const announced: string[] = [];
  const database: Pick<Database, 'systemTransaction'> = { systemTransaction: (work) => tables.run(work) };
  const rows: Pick<TurnEventRepository, 'append' | 'standing'> = {
    append: (tx, appends) => tables.append(tx, appends),
    standing: (_tx, claim) => tables.standing(claim),
  };
  const kept: string[] = [];
  const records: Pick<TurnRecords, 'applyEntries'> = {
    applyEntries: async (_tx, parts) => void kept.push(...parts.map(({ claim }) => claim.turnId)),
  };
  const announcements: Pick<TurnAnnouncements, 'announce'> = {
    announce: async (tx, parts) =>
      tx.afterCommit(() => announced.push(...parts.map(({ claim }) => claim.turnId))),
  };
  const log = new ImpatientTurnLog(
    database as Database,
    rows as TurnEventRepository,
    records as TurnRecords,
    feed,
    announcements as TurnAnnouncements,
    createLogger({ level: 'silent', pretty: false }),
  );
  const open = (): TurnWriter =>
    log.writer(tables.add(), { memberId: 'awa', lastSequence: 0, createdAt: new Date(0) });
  return { tables, feed, announced, kept, log, open };
}

describe('TurnLog', () => {
  it('stores what several turns have to tell in one statement, and announces it', async () => {
    const { tables, announced, open } = start();
    const writers = [open(), open(), open()];
    await Promise.all(writers.map((writer) => writer.write(text('a'))));
    await Promise.all(writers.map((writer) => writer.stored()));
    expect(writers.map(({ claim }) => tables.logOf(claim))).toEqual([[text('a')], [text('a')], [text('a')]]);
    expect(tables.statements).toEqual([3]);
    expect(announced).toEqual(writers.map(({ claim }) => claim.turnId));
  });

  it('sends the records right behind the events that they go with', async () => {
    const { kept, open } = start();
    const writers = [open(), open()];
    await Promise.all(writers.map((writer) => writer.write(text('a'))));
    await Promise.all(writers.map((writer) => writer.stored()));
    expect(kept).toEqual(writers.map(({ claim }) => claim.turnId));
  });

  it('shows what is stored to those who listen', async () => {
    const { feed, open } = start();
    const writer = open();
    const { companyId, turnId } = writer.claim;
    const heard = Promise.withResolvers<void>();
    feed.listen({ companyId, turnId }, heard.resolve);
    await writer.write(text('a'));
    await heard.promise;
    expect(feed.next(turnId, 0)).toMatchObject({ turnId, sequence: 1, type: 'text-delta', text: 'a' });
  });

  it('shows the asker of a turn that is this process’s what was stored with it', () => {
    const { tables, feed, log } = start();
    const claim = tables.add();
    tables.turns.get(claim.turnId)!.log.push(loaded('s'));
    log.writer(claim, { memberId: 'awa', lastSequence: 1, createdAt: new Date(7) }, [loaded('s')]);
    expect(feed.next(claim.turnId, 0)).toEqual({
      turnId: claim.turnId,
      sequence: 1,
      at: new Date(7),
      ...loaded('s'),
    });
    expect([feed.isAtHand({ ...claim, after: 0 }, 'awa'), feed.wrong]).toEqual([true, []]);
  });

  it('stores again what a database that was away has not stored', async () => {
    const { tables, open } = start();
    tables.faults = ['not stored', 'not stored'];
    const writer = open();
    await writer.write(text('a'));
    await writer.stored();
    expect(tables.logOf(writer.claim)).toEqual([text('a')]);
    expect(tables.statements).toHaveLength(3);
  });

  it('does not store twice what was stored by a commit whose answer was lost, and has it looked for', async () => {
    const { tables, feed, open } = start();
    tables.faults = ['stored, and the answer lost', 'not stored'];
    const [writer, other] = [open(), open()];
    const { companyId, turnId } = writer.claim;
    let calls = 0;
    feed.listen({ companyId, turnId }, () => (calls += 1));
    await Promise.all([writer.write(text('a')), other.write(text('b'))]);
    await Promise.all([writer.stored(), other.stored()]);
    await writer.write(loaded('s'));
    await writer.stored();
    expect(tables.logOf(writer.claim)).toEqual([text('a'), loaded('s')]);
    expect(tables.logOf(other.claim)).toEqual([text('b')]);
    expect({ calls, first: feed.next(turnId, 0), second: feed.next(turnId, 1) }).toMatchObject({
      calls: 2,
      first: 'read-the-log',
      second: { sequence: 2 },
    });
  });

  it('does not let what one turn cannot have stored harm the others', async () => {
    const { tables, open } = start();
    const [poisoned, ...others] = [open(), open(), open()];
    await poisoned.write(text('a'));
    await poisoned.write(poison);
    await Promise.all(others.map((writer) => writer.write(text('b'))));
    await Promise.all(others.map((writer) => writer.stored()));
    await expect(poisoned.stored()).rejects.toBe(unstorable);
    expect(others.map(({ claim }) => tables.logOf(claim))).toEqual([[text('b')], [text('b')]]);
    expect(tables.logOf(poisoned.claim)).toEqual([]);
    expect(await poisoned.close()).toEqual({
      before: 0,
      rest: [{ type: 'text-reset', cause: 'RETRIED' }, text('a')],
      pieces: [1],
      calls: [],
      hasEchoes: false,
    });
  });

  it('does not let a turn whose standing cannot be read harm those that are stored', async () => {
    const { tables, open } = start();
    const [lost, stored] = [open(), open()];
    const row = tables.turns.get(lost.claim.turnId);
    if (row) row.attempt = 2;
    await Promise.all([lost.write(text('a')), stored.write(text('b'))]);
    tables.isStandingBroken = true;
    // Once in vain for both, then separately. By then it can be read again.
    tables.onAttempt = () => (tables.isStandingBroken = tables.statements.length < 2);
    await stored.stored();
    await expect(lost.stored()).rejects.toThrow(ClaimLost);
    expect(tables.logOf(stored.claim)).toEqual([text('b')]);
  });

  it.each([
    ['another attempt has', { attempt: 2 }],
    ['has ended', { isEnded: true }],
  ])('refuses what comes for a turn that %s, and stores the others', async (_what, change) => {
    const { tables, open } = start();
    const [lost, other] = [open(), open()];
    const row = tables.turns.get(lost.claim.turnId);
    if (row) Object.assign(row, change);
    await Promise.all([lost.write(text('a')), other.write(text('b'))]);
    await expect(lost.stored()).rejects.toThrow(ClaimLost);
    await other.stored();
    expect([lost, other].map(({ claim }) => tables.logOf(claim))).toEqual([[], [text('b')]]);
  });

  it('gives up a database that is away once the process stops', async () => {
    const { tables, log, open } = start();
    const [first, second] = [open(), open()];
    tables.faults = Array<Fault>(1_000).fill('not stored');
    tables.onAttempt = () => {
      if (tables.statements.length === 3) log.onApplicationShutdown();
    };
    await Promise.all([first.write(text('a')), second.write(text('b'))]);
    const message = 'The process is stopping.';
    await expect(first.stored()).rejects.toThrow(message);
    await expect(second.stored()).rejects.toThrow(message);
    const late = open();
    await late.write(text('c'));
    await expect(late.stored()).rejects.toThrow(message);
    expect(tables.statements.length).toBeLessThan(10);
  });

  it('shows nothing before it is committed', async () => {
    const { tables, feed, open } = start();
    const writer = open();
    const committed = Promise.withResolvers<void>();
    tables.beforeCommit = committed.promise;
    const stored = writer.write(text('a')).then(() => writer.stored());
    await vi.waitUntil(() => tables.statements.length > 0);
    expect(feed.shown.size).toBe(0);
    committed.resolve();
    await stored;
    expect(feed.shown.get(writer.claim.turnId)).toBe(1);
  });

  describe('as part of a transaction', () => {
    it('stores entries after a number, and shows them once it is committed', async () => {
      const { tables, feed, announced, log } = start();
      const claim = tables.add();
      await tables.run(async (tx) => {
        await log.append(tx, claim, 0, [text('a'), loaded('s')]);
        expect({ shown: feed.shown.size, announced }).toEqual({ shown: 0, announced: [] });
      });
      expect(tables.logOf(claim)).toEqual([text('a'), loaded('s')]);
      expect({ shown: feed.shown.get(claim.turnId), announced }).toEqual({
        shown: 2,
        announced: [claim.turnId],
      });
    });

    it('rejects where the log does not end there, or is another attempt’s', async () => {
      const { tables, log } = start();
      const claim = tables.add();
      const append = (by: Claim, before: number): Promise<void> =>
        tables.run((tx) => log.append(tx, by, before, [text('a')]));
      await expect(append(claim, 1)).rejects.toThrow(ClaimLost);
      await expect(append({ ...claim, attempt: 2 }, 0)).rejects.toThrow(ClaimLost);
      expect(tables.logOf(claim)).toEqual([]);
    });

    it('has those who listen look for what was stored by a commit whose answer was lost', async () => {
      const { tables, feed, log } = start();
      const claim = tables.add();
      tables.faults = ['stored, and the answer lost'];
      let calls = 0;
      feed.listen(claim, () => (calls += 1));
      const append = (): Promise<void> => tables.run((tx) => log.append(tx, claim, 0, [text('a')]));
      await expect(append()).rejects.toThrow(DomainError);
      expect(calls).toBe(0);
      await expect(append()).rejects.toThrow(ClaimLost);
      expect({ calls, next: feed.next(claim.turnId, 0) }).toEqual({ calls: 1, next: 'read-the-log' });
    });

    it('has nothing to do without entries', async () => {
      const { tables, log } = start();
      await tables.run((tx) => log.append(tx, tables.add(), 7, []));
      expect(tables.statements).toEqual([]);
    });
  });

  it('keeps every log whole, whatever comes, and whatever becomes of the commits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const started = start();
        const { tables, feed, log } = started;
        const writers = Array.from({ length: WRITERS }, started.open);
        for (const one of steps) await take(tables, writers, one);
        const closed = await Promise.all(writers.map((one) => one.close()));
        expect(tables.mostAtATime).toBeLessThanOrEqual(1);
        expect(feed.wrong).toEqual([]);
        tables.faults = [];
        for (const [index, { before, rest }] of closed.entries()) {
          const { claim, text: answer } = writers[index] as TurnWriter;
          const last = [...rest.filter((one) => !isPoison(one)), loaded('last')];
          const end = tables.run((tx) => log.append(tx, claim, before, last));
          if (tables.turns.get(claim.turnId)?.attempt !== claim.attempt) {
            await expect(end).rejects.toThrow(ClaimLost);
            continue;
          }
          await end;
          expect(shown(tables.logOf(claim))).toBe(answer);
          expect(feed.shown.get(claim.turnId)).toBe(tables.logOf(claim).length);
        }
      }),
    );
  });
});

const WRITERS = 3;

type Step =
  | { type: 'write'; writer: number; entry: TurnEntry }
  | { type: 'take over'; writer: number }
  | { type: 'fault'; fault: Fault }
  | { type: 'rounds'; count: number };

async function take(tables: Tables, writers: readonly TurnWriter[], one: Step): Promise<void> {
  if (one.type === 'fault') tables.faults.push(one.fault);
  else if (one.type === 'rounds') {
    for (let round = 0; round < one.count; round += 1) await new Promise((resolve) => setImmediate(resolve));
  } else {
    const writer = writers[one.writer];
    const turn = tables.turns.get(writer?.claim.turnId ?? '');
    if (one.type === 'take over' && turn) turn.attempt = 2;
    // A refused writer is refused again.
    else if (one.type === 'write') await writer?.write(structuredClone(one.entry)).catch(() => undefined);
  }
}

const writer = fc.nat({ max: WRITERS - 1 });

const entry = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: 'grapheme', maxLength: 5 }).map(text) },
  { weight: 4, arbitrary: fc.constantFrom(loaded('one'), loaded('two')) },
  { weight: 2, arbitrary: fc.constant<TurnEntry>({ type: 'text-reset', cause: 'PREAMBLE' }) },
  { weight: 1, arbitrary: fc.constant(poison) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ type: fc.constant('write' as const), writer, entry }) },
  { weight: 8, arbitrary: fc.constantFrom(1, 2, 5, 20).map((count): Step => ({ type: 'rounds', count })) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom<Fault>('not stored', 'stored, and the answer lost')
      .map((fault): Step => ({ type: 'fault', fault })),
  },
  { weight: 1, arbitrary: writer.map((one): Step => ({ type: 'take over', writer: one })) },
);
