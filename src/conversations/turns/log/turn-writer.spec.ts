import fc from 'fast-check';
import type { ChatMessage } from '@palabre/llm-client';

import { newId } from '../../../common/ids.js';
import type { MadeModelCall, StoredModelCall } from '../model-calls/model-call.js';
import { noUsage, type TurnEntry } from '../turn-event.js';
import type { Append } from './turn-event.repository.js';
import { TurnWriter } from './turn-writer.js';
import { wellFormed } from '../../../common/well-formed.js';
import { loadedEntry as loaded, shownIn as shown, textEntry as text } from './turn-entries.double.js';

const CLAIM = { companyId: newId(), turnId: newId(), attempt: 1 };

/** The number of the last event that was stored before the writer. */
const BEFORE = 2;

const reset: TurnEntry = { type: 'text-reset', cause: 'PREAMBLE' };
const withdrawal: TurnEntry = { type: 'text-reset', cause: 'RETRIED' };

/** A writer with its offers and its log. Parts are added by hand. */
class Turn {
  /** Whether each offer was urgent. */
  offers: boolean[] = [];
  readonly log: TurnEntry[] = [];
  readonly writer = new TurnWriter(CLAIM, BEFORE, {
    offer: (_writer, urgent) => this.offers.push(urgent),
    leave: () => undefined,
  });
  private underWay: Append | null = null;

  take(): readonly TurnEntry[] | null {
    const part = this.writer.takePart();
    if (!part) return null;
    this.underWay = { ...part, entries: structuredClone(part.entries) };
    return part.entries;
  }

  succeed(): void {
    const part = this.underWay;
    if (!part) return;
    this.add(part.before, part.entries);
    this.underWay = null;
    this.writer.finishPart(null);
  }

  fail(error: Error): void {
    if (!this.underWay) return;
    this.underWay = null;
    this.writer.finishPart({ error });
  }

  /** Stores what waits. */
  commit(): void {
    this.take();
    this.succeed();
  }

  /** Ends writing: running parts are stored, then the rest. */
  async close(): Promise<readonly TurnEntry[]> {
    const closing = this.writer.close();
    this.succeed();
    const { before, rest } = await closing;
    this.add(before, rest);
    return rest;
  }

  private add(before: number, entries: readonly TurnEntry[]): void {
    if (before !== BEFORE + this.log.length) throw new Error('This does not follow what is stored.');
    this.log.push(...entries);
  }
}

describe('TurnWriter', () => {
  const away = new Error('the database is away');
  let turn: Turn;
  let writer: TurnWriter;

  beforeEach(() => {
    turn = new Turn();
    ({ writer } = turn);
  });

  /** Whether `work` is over once everything that has happened so far has had its effects. */
  const isOver = async (work: Promise<unknown>): Promise<boolean> => {
    let over = false;
    const mark = (): void => void (over = true);
    void work.then(mark, mark);
    await new Promise((resolve) => setImmediate(resolve));
    return over;
  };

  describe('offers', () => {
    it('the first text as urgent, further text as not', async () => {
      await writer.write(text('a'));
      turn.commit();
      await writer.write(text('b'));
      await writer.write(text('c'));
      expect(turn.offers).toEqual([true, false, false]);
      expect(turn.take()).toEqual([text('bc')]);
    });

    it('the first text after a reset as urgent', async () => {
      await writer.write(text('a'));
      await writer.write(reset);
      turn.commit();
      turn.offers = [];
      await writer.write(text('b'));
      expect(turn.offers).toEqual([true]);
    });

    it('what is not text as not urgent, with the text before it', async () => {
      await writer.write(text('a'));
      turn.commit();
      turn.offers = [];
      await writer.write(text('b'));
      await writer.write(reset);
      await writer.write(loaded('s'));
      expect(turn.offers).toEqual([false, false, false]);
      expect(turn.take()).toEqual([text('b'), reset, loaded('s')]);
    });

    it('what is urgent as such until it is taken, and what came after it no more', async () => {
      await writer.write(text('a'));
      turn.take();
      await writer.write(reset);
      await writer.write(text('b'));
      turn.offers = [];
      turn.succeed();
      expect(turn.offers).toEqual([true]);
      turn.take();
      await writer.write(text('c'));
      turn.offers = [];
      turn.succeed();
      expect(turn.offers).toEqual([false]);
    });

    it('nothing when there is nothing, and gives nothing twice', async () => {
      await writer.write(text(''));
      await writer.write(text('\0'));
      expect({ offers: turn.offers, taken: turn.take() }).toEqual({ offers: [], taken: null });
      await writer.write(text('a'));
      turn.commit();
      turn.offers = [];
      expect({ offers: turn.offers, taken: turn.take() }).toEqual({ offers: [], taken: null });
    });
  });

  it('has one part under way at a time, each after the one before', async () => {
    await writer.write(text('a'));
    await writer.write(loaded('s'));
    expect(writer.takePart()).toEqual({
      claim: CLAIM,
      before: BEFORE,
      entries: [text('a'), loaded('s')],
      calls: [],
    });
    await writer.write(text('b'));
    expect(writer.takePart()).toBeNull();
    writer.finishPart(null);
    expect(writer.takePart()).toMatchObject({ before: BEFORE + 2, entries: [text('b')] });
  });

  it('does not change a part that is under way', async () => {
    await writer.write(text('a'));
    const part = writer.takePart();
    await writer.write(text('b'));
    expect(part?.entries).toEqual([text('a')]);
  });

  describe('text', () => {
    it('is put together from halves of characters that come apart', async () => {
      await writer.write(text('a\uD83D'));
      turn.commit();
      await writer.write(text('\0'));
      await writer.write(text('\uDE00b'));
      await turn.close();
      expect({ text: writer.text, shown: shown(turn.log) }).toEqual({ text: 'a😀b', shown: 'a😀b' });
    });

    it('ends with a sign in place of a half that stays alone', async () => {
      await writer.write(text('a\uD83D'));
      await turn.close();
      expect({ text: writer.text, shown: shown(turn.log) }).toEqual({ text: 'a\uFFFD', shown: 'a\uFFFD' });
    });

    it('loses a half with the text that it belongs to', async () => {
      await writer.write(text('a\uD83D'));
      await writer.write(reset);
      await writer.write(text('\uDE00'));
      expect(writer.text).toBe('\uFFFD');
    });
  });

  it('cleans all that the database cannot store', async () => {
    const echo = { model: 'm', data: 'd' };
    const asked = { step: 0, preamble: 'p\0', modelCallId: 'm', modelArguments: '{"k":"\uD83D"}', echo };
    await writer.write({
      type: 'skill-started',
      callId: '1',
      skill: 's\0',
      arguments: { 'k\0': ['\uD83D'] },
      asked,
      usage: noUsage,
    });
    expect(turn.take()).toEqual([
      {
        type: 'skill-started',
        callId: '1',
        skill: 's',
        arguments: { k: ['\uFFFD'] },
        asked: { step: 0, preamble: 'p', modelCallId: 'm', modelArguments: '{"k":"\uFFFD"}', echo },
        usage: noUsage,
      },
    ]);
    turn.commit();
    expect(await writer.close()).toMatchObject({ hasEchoes: true });
  });

  describe('when more comes than the database keeps up with', () => {
    const much = 'x'.repeat(10_000);

    it('has the writing wait until what waited is taken and stored, and loses nothing', async () => {
      await writer.write(text('a'));
      turn.take();
      await writer.write(text(much));
      const writing = writer.write(text(much));
      expect(await isOver(writing)).toBe(false);
      turn.succeed();
      expect(await isOver(writing)).toBe(false);
      turn.commit();
      await writing;
      await turn.close();
      expect(shown(turn.log)).toBe(`a${much}${much}`);
    });

    it('rejects the writing that waits when a part cannot be stored, and gives no other', async () => {
      await writer.write(text('a'));
      turn.take();
      await writer.write(text(much));
      const writing = writer.write(text(much));
      turn.fail(away);
      await expect(writing).rejects.toBe(away);
      expect(writer.takePart()).toBeNull();
    });
  });

  describe('asked to have all stored', () => {
    it('has nothing to wait for when nothing was written', async () => {
      await writer.stored();
      expect(turn.offers).toEqual([]);
    });

    it('makes what waits urgent, and waits for it and for what comes meanwhile', async () => {
      await writer.write(text('a'));
      turn.commit();
      await writer.write(text('b'));
      turn.offers = [];
      const storing = writer.stored();
      expect(turn.offers).toEqual([true]);
      turn.take();
      await writer.write(text('c'));
      turn.succeed();
      expect(await isOver(storing)).toBe(false);
      turn.commit();
      await storing;
      expect(shown(turn.log)).toBe('abc');
    });

    it('rejects when it cannot be', async () => {
      await writer.write(text('a'));
      const storing = [writer.stored(), writer.stored()];
      turn.take();
      turn.fail(away);
      for (const one of await Promise.allSettled([...storing, writer.stored()])) {
        expect(one).toEqual({ status: 'rejected', reason: away });
      }
    });
  });

  describe('when a part could not be stored', () => {
    it('rejects all further writing and gives nothing more', async () => {
      await writer.write(text('a'));
      turn.take();
      await writer.write(text('b'));
      turn.offers = [];
      turn.fail(away);
      await expect(writer.write(text('c'))).rejects.toBe(away);
      await expect(writer.write(reset)).rejects.toBe(away);
      expect({ offers: turn.offers, taken: writer.takePart() }).toEqual({ offers: [], taken: null });
    });

    it('gives the whole text anew at the end, what was shown of it withdrawn', async () => {
      await writer.write(text('a'));
      turn.commit();
      await writer.write(text('b'));
      turn.take();
      await writer.write(text('c\uD83D'));
      const closing = writer.close();
      turn.fail(away);
      expect(await closing).toEqual({
        before: BEFORE + 1,
        rest: [withdrawal, text('abc\uFFFD')],
        pieces: [4],
        calls: [],
        hasEchoes: false,
      });
      expect(writer.text).toBe('abc\uFFFD');
    });

    it('withdraws what may have been shown although there is no text now', async () => {
      await writer.write(text('a'));
      await writer.write(reset);
      turn.take();
      turn.fail(away);
      expect(await writer.close()).toEqual({
        before: BEFORE,
        rest: [withdrawal],
        pieces: [],
        calls: [],
        hasEchoes: false,
      });
    });
  });

  describe('closing', () => {
    it('gives what was not taken', async () => {
      await writer.write(text('a'));
      await writer.write(loaded('s'));
      expect(await writer.close()).toEqual({
        before: BEFORE,
        rest: [text('a'), loaded('s')],
        pieces: [1, 0],
        calls: [],
        hasEchoes: false,
      });
      expect(writer.takePart()).toBeNull();
    });

    it('waits for the part under way, and offers no rest', async () => {
      await writer.write(text('a'));
      turn.take();
      await writer.write(text('b'));
      const closing = writer.close();
      turn.offers = [];
      expect(await isOver(closing)).toBe(false);
      turn.succeed();
      expect(await closing).toEqual({
        before: BEFORE + 1,
        rest: [text('b')],
        pieces: [1, 1],
        calls: [],
        hasEchoes: false,
      });
      expect(turn.offers).toEqual([]);
    });
  });

  describe('given model calls', () => {
    const payer = { memberId: 'awa', assistantKey: 'mefali' };
    const question: ChatMessage = { role: 'user', content: 'How much?' };
    const answer: ChatMessage = { role: 'assistant', content: '42' };
    const callOf = (model: string, messages: ChatMessage[] = [question]): MadeModelCall => ({
      purpose: 'ANSWER',
      model,
      provider: 'INSTALLATION',
      messages,
      tools: [],
      hasSummary: false,
      usage: {
        inputTokens: 1,
        outputTokens: 1,
        cachedInputTokens: 0,
        reasoningTokens: 0,
        source: 'PROVIDER',
      },
      costUsd: null,
      outcome: 'stop',
      durationMs: 1,
      at: new Date(0),
    });
    const modelsOf = (calls: readonly StoredModelCall[] = []): string[] => calls.map(({ model }) => model);

    it('has them stored with the next entries, and offers nothing for them alone', async () => {
      const turn = new Turn();
      turn.writer.record(callOf('first'), payer);
      turn.writer.record(callOf('second'), payer);
      expect({ offers: turn.offers, taken: turn.writer.takePart() }).toEqual({ offers: [], taken: null });
      await turn.writer.write(text('a'));
      expect(modelsOf(turn.writer.takePart()?.calls)).toEqual(['first', 'second']);
      turn.writer.finishPart(null);
      await turn.writer.write(text('b'));
      expect(turn.writer.takePart()?.calls).toEqual([]);
    });

    it('leaves to the end those that came after the last entries', async () => {
      const turn = new Turn();
      turn.writer.record(callOf('first'), payer);
      await turn.writer.write(text('a'));
      turn.commit();
      turn.writer.record(callOf('last'), payer);
      const { rest, calls } = await turn.writer.close();
      expect({ rest, models: modelsOf(calls) }).toEqual({ rest: [], models: ['last'] });
    });

    it('leaves to the end those of a part that could not be stored, before the others', async () => {
      const turn = new Turn();
      turn.writer.record(callOf('first'), payer);
      await turn.writer.write(text('a'));
      turn.take();
      turn.writer.record(callOf('last'), payer);
      turn.fail(new Error('the statement was refused'));
      const { before, calls } = await turn.writer.close();
      expect({ before, models: modelsOf(calls) }).toEqual({ before: BEFORE, models: ['first', 'last'] });
    });

    it('keeps of a prompt what the one before it had not, and gives every call its id', async () => {
      const { writer } = new Turn();
      writer.record(callOf('m'), payer);
      writer.record(callOf('m', [question, answer]), payer);
      const { calls } = await writer.close();
      expect(calls).toMatchObject([
        { ...payer, kept: 0, messages: [question] },
        { ...payer, kept: 1, messages: [answer] },
      ]);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    });
  });

  describe('abandoned while the database is away', () => {
    const leaving = new Error('the process is stopping');

    it('lets go of all who wait, although nothing is settled', async () => {
      await writer.write(text('a'));
      turn.take();
      await writer.write(text('x'.repeat(10_000)));
      const waiting = [writer.stored(), writer.write(text('x'.repeat(10_000)))];
      const closing = writer.close();
      writer.abandon(leaving);
      for (const one of await Promise.allSettled(waiting)) {
        expect(one).toEqual({ status: 'rejected', reason: leaving });
      }
      expect(await closing).toMatchObject({ before: BEFORE, rest: [withdrawal, { type: 'text-delta' }] });
    });

    it('tells those who come later, whatever becomes of the part under way', async () => {
      await writer.write(text('a'));
      turn.take();
      await writer.write(text('b'));
      writer.abandon(leaving);
      turn.offers = [];
      turn.succeed();
      await expect(writer.write(text('c'))).rejects.toBe(leaving);
      await expect(writer.stored()).rejects.toBe(leaving);
      expect({ offers: turn.offers, taken: writer.takePart() }).toEqual({ offers: [], taken: null });
      expect(await writer.close()).toEqual({
        before: BEFORE + 1,
        rest: [withdrawal, text('ab')],
        pieces: [2],
        calls: [],
        hasEchoes: false,
      });
    });

    it('keeps the reason for which a part could not be stored', async () => {
      await writer.write(text('a'));
      turn.take();
      turn.fail(away);
      writer.abandon(leaving);
      await expect(writer.stored()).rejects.toBe(away);
    });
  });

  describe('whatever comes, and whenever it is taken and stored', () => {
    it('all of it is stored in order, and the texts make up the answer', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step), async (steps) => {
          const taken = await play(steps);
          expect(turn.log.filter(isNoText)).toEqual(taken.filter(isNoText));
          checkAnswer(taken);
        }),
      );
    });

    it('the texts make up the answer also when a part cannot be stored', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step), fc.array(step), async (before, after) => {
          checkAnswer(await play([...before, { type: 'fail' }, ...after]));
        }),
      );
    });
  });

  const checkAnswer = (taken: readonly TurnEntry[]): void => {
    expect(turn.writer.text).toBe(wellFormed(shown(taken)));
    expect(shown(turn.log)).toBe(turn.writer.text);
  };

  /** Performs the steps like a turn's owner, up to the first refusal. Returns the parts. */
  const play = async (steps: readonly Step[]): Promise<TurnEntry[]> => {
    turn = new Turn();
    const taken: TurnEntry[] = [];
    for (const one of steps) {
      if (one.type === 'take') turn.take();
      else if (one.type === 'succeed') turn.succeed();
      else if (one.type === 'fail') turn.fail(away);
      else if (await isTaken(one.entry)) taken.push(one.entry);
      else break;
    }
    await turn.close();
    return taken;
  };

  /** Where writing has to wait, the database catches up. */
  const isTaken = async (entry: TurnEntry): Promise<boolean> => {
    const over = turn.writer.write(structuredClone(entry)).then(
      () => true,
      () => false,
    );
    while (!(await isOver(over))) {
      turn.succeed();
      turn.commit();
    }
    return over;
  };
});

function isNoText({ type }: TurnEntry): boolean {
  return type !== 'text-delta';
}

type Step = { type: 'write'; entry: TurnEntry } | { type: 'take' } | { type: 'succeed' } | { type: 'fail' };

const words = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: 'grapheme', maxLength: 5 }) },
  {
    weight: 5,
    arbitrary: fc.constantFrom('', '\0', '\uD83D', '\uDE00', 'a\uD83D', '\uDE00b', '\uD83D\uD83D'),
  },
  { weight: 1, arbitrary: fc.constant('long '.repeat(2500)) },
);

function writing(entry: TurnEntry): Step {
  return { type: 'write', entry };
}

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: words.map((some) => writing(text(some))) },
  { weight: 1, arbitrary: fc.constantFrom(reset, loaded('one'), loaded('two')).map(writing) },
  { weight: 3, arbitrary: fc.constant<Step>({ type: 'take' }) },
  { weight: 3, arbitrary: fc.constant<Step>({ type: 'succeed' }) },
);
