import { jest } from '@jest/globals';
import fc from 'fast-check';

import type { TurnEventBody } from './turn-event.js';
import { TurnWriter } from './turn-writer.js';
import { wellFormed } from './well-formed.js';

const text = (words: string): TurnEventBody => ({ type: 'text-delta', text: words });
const reset: TurnEventBody = { type: 'text-reset', cause: 'PREAMBLE' };
const withdrawal: TurnEventBody = { type: 'text-reset', cause: 'RETRIED' };
const loaded = (skill: string): TurnEventBody => ({ type: 'skill-loaded', skill });

/** What a client would show: the texts after the last reset. */
const shown = (events: readonly TurnEventBody[]): string =>
  events
    .slice(events.findLastIndex(({ type }) => type === 'text-reset') + 1)
    .map((event) => (event.type === 'text-delta' ? event.text : ''))
    .join('');

/** A log whose commits take until they are settled by hand. */
class Commits {
  readonly batches: TurnEventBody[][] = [];
  mostUnderWay = 0;
  private readonly open: PromiseWithResolvers<void>[] = [];

  readonly commit = (events: TurnEventBody[]): Promise<void> => {
    const commit = Promise.withResolvers<void>();
    this.batches.push(structuredClone(events));
    this.open.push(commit);
    this.mostUnderWay = Math.max(this.mostUnderWay, this.open.length);
    return commit.promise;
  };

  get underWay(): number {
    return this.open.length;
  }

  succeed(): void {
    this.open.shift()?.resolve();
  }

  fail(error: Error): void {
    this.open.shift()?.reject(error);
  }
}

describe('TurnWriter', () => {
  const away = new Error('the database is away');
  let commits: Commits;
  let writer: TurnWriter;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    commits = new Commits();
    writer = new TurnWriter(commits.commit);
  });
  afterEach(() => jest.useRealTimers());

  const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

  /** Lets the commit under way succeed and all that follows at once begin. */
  const succeed = async (): Promise<void> => {
    commits.succeed();
    await pass(1);
  };

  describe('commits', () => {
    it('the first text at once, with what came in the same round', async () => {
      await writer.write(text('a'));
      await writer.write(text('b'));
      expect(commits.batches).toEqual([]);
      await pass(1);
      expect(commits.batches).toEqual([[text('ab')]]);
    });

    it('further text when its window is over, as one event', async () => {
      await writer.write(text('a'));
      await pass(1);
      await succeed();
      await writer.write(text('b'));
      await pass(20);
      await writer.write(text('c'));
      await pass(4);
      expect(commits.batches).toHaveLength(1);
      await pass(1);
      expect(commits.batches).toEqual([[text('a')], [text('bc')]]);
    });

    it('what is not text at once, together with the text before it', async () => {
      await writer.write(text('a'));
      await pass(1);
      await succeed();
      await writer.write(text('b'));
      await writer.write(reset);
      await writer.write(loaded('s'));
      await pass(1);
      expect(commits.batches[1]).toEqual([text('b'), reset, loaded('s')]);
    });

    it('the first text after a reset at once', async () => {
      await writer.write(text('a'));
      await writer.write(reset);
      await pass(1);
      await succeed();
      await writer.write(text('b'));
      await pass(1);
      expect(commits.batches).toEqual([[text('a'), reset], [text('b')]]);
    });

    it('one batch at a time, what comes meanwhile together in the next one', async () => {
      await writer.write(text('a'));
      await pass(1);
      await writer.write(loaded('s'));
      await writer.write(text('b'));
      await writer.write(text('c'));
      await pass(1000);
      expect(commits.batches).toHaveLength(1);
      await succeed();
      expect(commits.batches).toEqual([[text('a')], [loaded('s'), text('bc')]]);
      expect(commits.mostUnderWay).toBe(1);
    });

    it('a first text that had to wait for a commit right after it', async () => {
      await writer.write(loaded('s'));
      await pass(1);
      await writer.write(text('a'));
      await succeed();
      expect(commits.batches).toEqual([[loaded('s')], [text('a')]]);
    });

    it('further text that had to wait for a commit a window after it', async () => {
      await writer.write(text('a'));
      await pass(1);
      await writer.write(text('b'));
      commits.succeed();
      await pass(24);
      expect(commits.batches).toHaveLength(1);
      await pass(1);
      expect(commits.batches).toHaveLength(2);
    });

    it.each([
      ['text', text('x')],
      ['anything else', loaded('s')],
    ])('although %s never stops coming', async (_what, event) => {
      for (let ms = 0; ms < 100; ms += 1) {
        await writer.write(event);
        await pass(0.5);
        commits.succeed();
      }
      expect(commits.batches.length).toBeGreaterThan(1);
    });

    it('nothing when there is nothing, and nothing twice', async () => {
      await writer.write(text(''));
      await writer.write(text('\0'));
      await pass(100);
      expect(commits.batches).toEqual([]);
      await writer.write(text('a'));
      await pass(1);
      await succeed();
      await pass(1000);
      expect(commits.batches).toHaveLength(1);
    });
  });

  describe('text', () => {
    it('is put together from halves of characters that come apart', async () => {
      await writer.write(text('a\uD83D'));
      await pass(1);
      await writer.write(text('\0'));
      await writer.write(text('\uDE00b'));
      expect(writer.text).toBe('a😀b');
      expect(shown([...commits.batches.flat(), ...(await closed())])).toBe('a😀b');
    });

    it('ends with a sign in place of a half that stays alone', async () => {
      await writer.write(text('a\uD83D'));
      expect(shown(await closed())).toBe('a\uFFFD');
      expect(writer.text).toBe('a\uFFFD');
    });

    it('loses a half with the text that it belongs to', async () => {
      await writer.write(text('a\uD83D'));
      await writer.write(reset);
      await writer.write(text('\uDE00'));
      expect(writer.text).toBe('\uFFFD');
      await closed();
    });
  });

  it('cleans all that the database cannot store', async () => {
    await writer.write({
      type: 'skill-started',
      callId: '1',
      skill: 's\0',
      arguments: { 'k\0': ['\uD83D'] },
    });
    expect(await closed()).toEqual([
      { type: 'skill-started', callId: '1', skill: 's', arguments: { k: ['\uFFFD'] } },
    ]);
  });

  describe('when more comes than the database keeps up with', () => {
    const much = 'x'.repeat(40_000);

    it('has the writing wait, and loses nothing', async () => {
      await writer.write(text('a'));
      await pass(1);
      await writer.write(text(much));
      let isTaken = false;
      const writing = writer.write(text(much)).then(() => (isTaken = true));
      await pass(1000);
      expect({ isTaken, batches: commits.batches.length }).toEqual({ isTaken: false, batches: 1 });
      await succeed();
      // What waited is on its way now; only when it is stored there is room again.
      expect(commits.batches.length).toBe(2);
      commits.succeed();
      await writing;
      expect(shown([...commits.batches.flat(), ...(await closed())])).toBe(`a${much}${much}`);
      expect(commits.mostUnderWay).toBe(1);
    });

    it('rejects the writing that waits when the commit fails, and tries no other', async () => {
      await writer.write(text('a'));
      await pass(1);
      await writer.write(text(much));
      const writing = writer.write(text(much));
      commits.fail(away);
      await expect(writing).rejects.toBe(away);
      await pass(1000);
      expect(commits.batches).toHaveLength(1);
    });
  });

  describe('when a commit has failed', () => {
    it('rejects all further writing and commits nothing more', async () => {
      await writer.write(text('a'));
      await pass(1);
      await writer.write(text('b'));
      commits.fail(away);
      await pass(1000);
      await expect(writer.write(text('c'))).rejects.toBe(away);
      await expect(writer.write(reset)).rejects.toBe(away);
      await pass(1000);
      expect({ batches: commits.batches.length, timers: jest.getTimerCount() }).toEqual({
        batches: 1,
        timers: 0,
      });
    });

    it('also when it failed without having begun', async () => {
      writer = new TurnWriter(() => {
        throw away;
      });
      await writer.write(text('a'));
      await pass(1);
      await expect(writer.write(text('b'))).rejects.toBe(away);
    });

    it('gives the whole text anew at the end, what was shown of it withdrawn', async () => {
      await writer.write(text('a'));
      await pass(1);
      await succeed();
      await writer.write(text('b'));
      await pass(25);
      await writer.write(text('c\uD83D'));
      const closing = writer.close();
      commits.fail(away);
      expect(await closing).toEqual([withdrawal, text('abc\uFFFD')]);
      expect(writer.text).toBe('abc\uFFFD');
    });

    it('withdraws what may have been shown although there is no text now', async () => {
      await writer.write(text('a'));
      await writer.write(reset);
      await pass(1);
      commits.fail(away);
      expect(await writer.close()).toEqual([withdrawal]);
    });
  });

  describe('closing', () => {
    it('gives what was not committed', async () => {
      await writer.write(text('a'));
      await writer.write(loaded('s'));
      expect(await closed()).toEqual([text('a'), loaded('s')]);
      expect(commits.batches).toEqual([]);
    });

    it('waits for the commit under way, gives the rest, and leaves no timer', async () => {
      await writer.write(text('a'));
      await pass(1);
      await writer.write(text('b'));
      const closing = writer.close();
      commits.succeed();
      expect(await closing).toEqual([text('b')]);
      expect(jest.getTimerCount()).toBe(0);
      await pass(1000);
      expect(commits.batches).toEqual([[text('a')]]);
    });
  });

  describe('whatever comes, and however long commits take', () => {
    it('stores all of it in order, and the texts make up the answer', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step), async (steps) => {
          const { taken, log } = await play(steps);
          expect(log.filter(({ type }) => type !== 'text-delta')).toEqual(
            taken.filter(({ type }) => type !== 'text-delta'),
          );
          checkAnswer(taken, log);
        }),
      );
    });

    it('makes up the answer also when a commit fails, whether it was stored or not', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step), fc.array(step), fc.boolean(), async (before, after, isStored) => {
          const { taken, log } = await play([...before, { type: 'fail', isStored }, ...after]);
          checkAnswer(taken, log);
        }),
      );
    });
  });

  const checkAnswer = (taken: readonly TurnEventBody[], log: readonly TurnEventBody[]): void => {
    expect(writer.text).toBe(wellFormed(shown(taken)));
    expect(shown(log)).toBe(writer.text);
    expect(commits.mostUnderWay).toBeLessThanOrEqual(1);
    expect(jest.getTimerCount()).toBe(0);
  };

  /** Does the steps as a turn's owner would, to the end or to the first refusal: what was taken, and what is stored. */
  const play = async (steps: readonly Step[]): Promise<{ taken: TurnEventBody[]; log: TurnEventBody[] }> => {
    commits = new Commits();
    writer = new TurnWriter(commits.commit);
    const taken: TurnEventBody[] = [];
    for (const one of steps) {
      if (one.type === 'pass') await pass(one.ms);
      else if (one.type === 'succeed') await succeed();
      else if (one.type === 'fail') await fail(one.isStored);
      else if (await isTaken(one.event)) taken.push(one.event);
      else break;
    }
    const rest = await closed();
    return { taken, log: [...commits.batches.flat(), ...rest] };
  };

  /** Where the writing has to wait, the database catches up. */
  const isTaken = async (event: TurnEventBody): Promise<boolean> => {
    const progress: { outcome: 'taken' | 'refused' | null } = { outcome: null };
    const over = writer.write(structuredClone(event)).then(
      () => (progress.outcome = 'taken'),
      () => (progress.outcome = 'refused'),
    );
    await pass(0);
    for (let rounds = 0; progress.outcome === null && rounds < 10; rounds += 1) await succeed();
    return (await over) === 'taken';
  };

  /** A commit whose answer was lost is stored all the same; one that was refused is not. */
  const fail = async (isStored: boolean): Promise<void> => {
    if (commits.underWay === 0) return;
    if (!isStored) commits.batches.pop();
    commits.fail(away);
    await pass(1);
  };

  const closed = async (): Promise<TurnEventBody[]> => {
    const closing = writer.close();
    commits.succeed();
    return closing;
  };
});

type Step =
  | { type: 'write'; event: TurnEventBody }
  | { type: 'pass'; ms: number }
  | { type: 'succeed' }
  | { type: 'fail'; isStored: boolean };

const words = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: 'grapheme', maxLength: 5 }) },
  {
    weight: 5,
    arbitrary: fc.constantFrom('', '\0', '\uD83D', '\uDE00', 'a\uD83D', '\uDE00b', '\uD83D\uD83D'),
  },
  { weight: 1, arbitrary: fc.constant('long '.repeat(9000)) },
);

const writing = (event: TurnEventBody): Step => ({ type: 'write', event });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: words.map((some) => writing(text(some))) },
  { weight: 1, arbitrary: fc.constantFrom(reset, loaded('one'), loaded('two')).map(writing) },
  { weight: 3, arbitrary: fc.constantFrom(0, 1, 10, 25, 60).map((ms): Step => ({ type: 'pass', ms })) },
  { weight: 3, arbitrary: fc.constant<Step>({ type: 'succeed' }) },
);
