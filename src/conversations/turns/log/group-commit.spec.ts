import fc from 'fast-check';
import type { ChatMessage } from '@palabre/llm-client';

import { newId } from '../../../common/ids.js';
import { type MadeModelCall, nothingUsed } from '../model-calls/model-call.js';
import type { TurnEntry } from '../turn-event.js';
import type { Append } from './turn-event.repository.js';
import { GroupCommit, TurnWriter } from './turn-writer.js';
import { loadedEntry as loaded, shownIn as shown, textEntry as text } from './turn-entries.double.js';

type Outcome = { error: unknown } | null;

function found(result: string): TurnEntry {
  return {
    type: 'skill-finished',
    callId: 'a call',
    skill: 's',
    callStatus: 'SUCCEEDED',
    resultPreview: '',
    durationMs: 1,
    result,
  };
}

const call: MadeModelCall = {
  purpose: 'ANSWER',
  model: 'm',
  provider: 'INSTALLATION',
  messages: [],
  tools: [],
  hasSummary: false,
  usage: nothingUsed,
  costUsd: null,
  outcome: 'stop',
  durationMs: 1,
  at: new Date(0),
};

const refused = new Error('this turn is lost');

/** Turns with logs, whose common commits are answered by hand. */
class Turns {
  readonly writers: TurnWriter[];
  readonly logs: TurnEntry[][];
  /** Commit by commit, the entries to store of each turn, or null. */
  readonly commits: (readonly TurnEntry[] | null)[][] = [];
  /** The most concurrent commits, and works between them. */
  mostAtATime = 0;
  readonly group = new GroupCommit((parts) => this.store(parts));
  private atATime = 0;
  private parts: readonly Append[] = [];
  private answer: PromiseWithResolvers<Outcome[]> | null = null;

  /** `companyOf`: whose the turn of an index is. */
  constructor(count: number, companyOf: (index: number) => string = newId) {
    const claims = Array.from({ length: count }, (_, index) => ({
      companyId: companyOf(index),
      turnId: newId(),
      attempt: 1,
    }));
    this.writers = claims.map((claim) => new TurnWriter(claim, 0, this.group));
    this.logs = claims.map(() => []);
  }

  /** Ends the running commit. The parts of turns in `lost` cannot be stored. */
  settle(lost: readonly number[] = []): void {
    const { answer, parts } = this;
    this.parts = [];
    this.answer = null;
    answer?.resolve(
      parts.map((part) => {
        const index = this.indexOf(part);
        if (lost.includes(index)) return { error: refused };
        this.add(index, part.before, part.entries);
        return null;
      }),
    );
  }

  add(index: number, before: number, entries: readonly TurnEntry[]): void {
    const log = this.logs[index] ?? [];
    if (before !== log.length) throw new Error('This does not follow what is stored.');
    log.push(...structuredClone(entries));
  }

  async alone<T>(work: () => Promise<T>): Promise<T> {
    this.mostAtATime = Math.max(this.mostAtATime, (this.atATime += 1));
    try {
      return await work();
    } finally {
      this.atATime -= 1;
    }
  }

  private store(parts: readonly Append[]): Promise<Outcome[]> {
    return this.alone(() => {
      const byTurn = this.writers.map(({ claim }) => parts.find((part) => part.claim === claim));
      this.commits.push(byTurn.map((part) => (part ? structuredClone(part.entries) : null)));
      this.parts = parts;
      this.answer = Promise.withResolvers();
      return this.answer.promise;
    });
  }

  private indexOf({ claim }: Append): number {
    return this.writers.findIndex((writer) => writer.claim === claim);
  }
}

describe('GroupCommit', () => {
  let turns: Turns;
  let first: TurnWriter;
  let second: TurnWriter;

  const start = (count: number): void => {
    turns = new Turns(count);
    [first, second] = turns.writers as [TurnWriter, TurnWriter];
  };

  beforeEach(() => {
    vi.useFakeTimers({ toNotFake: ['setImmediate'] });
    start(2);
  });
  afterEach(() => vi.useRealTimers());

  /** The turns in the last commit. */
  const takenLast = (): number[] =>
    turns.commits.at(-1)!.flatMap((entries, index) => (entries === null ? [] : [index]));

  const round = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  /** Lets time pass, and all happen that is to happen by then. */
  const pass = async (ms: number): Promise<void> => {
    await round();
    await vi.advanceTimersByTimeAsync(ms);
    await round();
  };

  /** Ends the running commit, and lets following work begin. */
  const settle = async (lost: readonly number[] = []): Promise<void> => {
    turns.settle(lost);
    await pass(0);
  };

  it('commits the first texts at once, with what came in the same round, for all turns together', async () => {
    await first.write(text('a'));
    await second.write(text('b'));
    await first.write(text('c'));
    expect(turns.commits).toEqual([]);
    await pass(0);
    expect(turns.commits).toEqual([[[text('ac')], [text('b')]]]);
  });

  it('commits further text when the window is over, as one event', async () => {
    await first.write(text('a'));
    await pass(0);
    await settle();
    await first.write(text('b'));
    await pass(20);
    await first.write(text('c'));
    await pass(4);
    expect(turns.commits).toHaveLength(1);
    await pass(1);
    expect(turns.commits).toEqual([
      [[text('a')], null],
      [[text('bc')], null],
    ]);
  });

  it('commits at once what is urgent in one turn, with what the others have waiting', async () => {
    await first.write(text('a'));
    await pass(0);
    await settle();
    await first.write(text('b'));
    await second.write(text('c'));
    await pass(0);
    expect(turns.commits[1]).toEqual([[text('b')], [text('c')]]);
    await settle();
    await pass(1000);
    expect(turns.commits).toHaveLength(2);
  });

  it('has one commit under way, and what comes meanwhile together in the next one', async () => {
    await first.write(text('a'));
    await pass(0);
    await first.write(loaded('s'));
    await second.write(text('b'));
    await second.write(text('c'));
    await pass(1000);
    expect(turns.commits).toHaveLength(1);
    await settle();
    expect(turns.commits[1]).toEqual([[loaded('s')], [text('bc')]]);
  });

  it('commits a window later the further text that came during a commit', async () => {
    await first.write(text('a'));
    await pass(0);
    await first.write(text('b'));
    turns.settle();
    await pass(24);
    expect(turns.commits).toHaveLength(1);
    await pass(1);
    expect(turns.commits).toHaveLength(2);
  });

  it('waits longer the more turns there are, until they have closed', async () => {
    start(200);
    for (const writer of turns.writers) await writer.write(text('a'));
    await pass(0);
    await settle();
    await first.write(text('b'));
    await pass(39);
    expect(turns.commits).toHaveLength(1);
    await pass(1);
    expect(turns.commits).toHaveLength(2);
    await settle();
    for (const writer of turns.writers.slice(1)) await writer.close();
    await first.write(text('c'));
    await pass(25);
    expect(turns.commits).toHaveLength(3);
  });

  it('commits at once the text for which the window was over during a slow commit', async () => {
    await first.write(text('a'));
    await pass(0);
    await first.write(text('b'));
    await pass(1000);
    await settle();
    expect(turns.commits).toHaveLength(2);
  });

  it.each([
    ['text', text('x')],
    ['anything else', loaded('s')],
  ])('commits although %s never stops coming', async (_what, entry) => {
    for (let ms = 0; ms < 100; ms += 1) {
      await first.write(structuredClone(entry));
      await pass(0.5);
      turns.settle();
    }
    expect(turns.commits.length).toBeGreaterThan(1);
  });

  it('tells each turn what became of its part, and goes on with the others', async () => {
    await first.write(text('a'));
    await second.write(text('b'));
    await pass(0);
    await settle([0]);
    await expect(first.stored()).rejects.toBe(refused);
    await second.write(loaded('s'));
    await pass(25);
    expect(turns.commits[1]).toEqual([null, [loaded('s')]]);
  });

  it('commits nothing for a turn that has closed, and leaves no timer', async () => {
    await first.write(text('a'));
    await pass(0);
    await settle();
    await first.write(text('b'));
    expect((await first.close()).rest).toEqual([text('b')]);
    await pass(1000);
    expect({ commits: turns.commits.length, timers: vi.getTimerCount() }).toEqual({
      commits: 1,
      timers: 0,
    });
  });

  it('takes no more text than a commit may hold, of each company in turn, and the rest at once after it', async () => {
    const [busy, other] = [newId(), newId()];
    turns = new Turns(11, (index) => (index === 10 ? other : busy));
    const long = text('x'.repeat(16 * 1024));
    for (const writer of turns.writers.slice(0, 10)) await writer.write(structuredClone(long));
    await turns.writers[10]!.write(text('a'));
    await pass(0);
    expect(takenLast()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 10]);
    await settle();
    expect(takenLast()).toEqual([8, 9]);
    await settle();
    expect(turns.logs.map(shown)).toEqual(turns.writers.map(({ text: answer }) => answer));
  });

  it('commits what it leaves at once also where nothing of it is urgent', async () => {
    start(11);
    for (const writer of turns.writers) await writer.write(text('a'));
    await pass(0);
    await settle();
    for (const writer of turns.writers) await writer.write(text('x'.repeat(16 * 1024)));
    await pass(25);
    expect(takenLast()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    await settle();
    expect(takenLast()).toEqual([8, 9, 10]);
  });

  it('counts results of skills and prompts of models, but nothing of a writer that has closed', async () => {
    start(5);
    const long = 'x'.repeat(128 * 1024);
    const messages: ChatMessage[] = [{ role: 'user', content: long }];
    turns.writers[2]!.record({ ...call, messages }, { memberId: 'awa', assistantKey: 'mefali' });
    for (const [index, entry] of [text('a'), found(long), text('a'), found(long), text('a')].entries()) {
      await turns.writers[index]!.write(entry);
    }
    await turns.writers[1]!.close();
    await pass(0);
    expect(takenLast()).toEqual([0, 2]);
    await settle();
    expect(takenLast()).toEqual([3]);
    await settle();
    expect(takenLast()).toEqual([4]);
    await settle();
    for (const index of [0, 2, 3, 4]) await turns.writers[index]!.write(text('b'));
    await pass(25);
    expect(takenLast()).toEqual([0, 2, 3, 4]);
  });

  it('tells for how long a commit has been under way', async () => {
    expect(turns.group.committingForMs).toBeNull();
    await first.write(text('a'));
    await pass(0);
    await pass(7_000);
    expect(turns.group.committingForMs).toBe(7_000);
    await settle();
    expect(turns.group.committingForMs).toBeNull();
  });

  it('keeps every log whole, one commit at a time, whatever comes and however it falls together', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        start(WRITERS);
        for (const one of steps) await take(one);
        await finish();
        for (const [index, { text: answer }] of turns.writers.entries()) {
          expect(shown(turns.logs[index] ?? [])).toBe(answer);
        }
        await pass(1000);
        expect(turns.mostAtATime).toBeLessThanOrEqual(1);
        expect(vi.getTimerCount()).toBe(0);
      }),
    );
  });

  const take = async (one: Step): Promise<void> => {
    if (one.type === 'pass') await pass(one.ms);
    else if (one.type === 'settle') await settle(one.lost);
    // A refused writer is refused again.
    else await turns.writers[one.writer]?.write(structuredClone(one.entry)).catch(() => undefined);
  };

  /** Closes all turns as their owners would, and stores what they have left. */
  const finish = async (): Promise<void> => {
    const closing = turns.writers.map(async (writer, index) => {
      const { before, rest } = await writer.close();
      turns.add(index, before, rest);
    });
    await pass(0);
    turns.settle();
    await Promise.all(closing);
  };
});

const WRITERS = 3;

type Step =
  | { type: 'write'; writer: number; entry: TurnEntry }
  | { type: 'pass'; ms: number }
  | { type: 'settle'; lost: number[] };

const someone = fc.nat({ max: WRITERS - 1 });

const entry = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme', maxLength: 5 }).map(text) },
  { weight: 2, arbitrary: fc.constantFrom(loaded('one'), loaded('two')) },
  { weight: 1, arbitrary: fc.constant<TurnEntry>({ type: 'text-reset', cause: 'PREAMBLE' }) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type: fc.constant('write' as const), writer: someone, entry }) },
  { weight: 4, arbitrary: fc.constantFrom(0, 1, 10, 25, 60).map((ms): Step => ({ type: 'pass', ms })) },
  { weight: 4, arbitrary: fc.constant<Step>({ type: 'settle', lost: [] }) },
  { weight: 1, arbitrary: someone.map((one): Step => ({ type: 'settle', lost: [one] })) },
);
