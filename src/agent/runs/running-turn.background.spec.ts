import { noUsage, type TurnEntry } from '../../conversations/turns/turn-event.js';
import { ended } from '../loop/scripted-turn.double.js';
import type { Work } from './running-turn.js';
import {
  answered,
  begin,
  delta,
  type Events,
  pass,
  silence,
  work,
  workOf,
} from './scripted-claims.double.js';

const moved: TurnEntry = { type: 'moved-to-background', reason: null, message: 'You will be told.' };

function skillStarted(callId: string): TurnEntry {
  return {
    type: 'skill-started',
    callId,
    skill: 'send',
    arguments: {},
    asked: { step: 0, preamble: '', modelCallId: callId, modelArguments: '{}' },
    usage: noUsage,
  };
}

function skillFinished(callId: string): TurnEntry {
  return {
    type: 'skill-finished',
    callId,
    skill: 'send',
    callStatus: 'SUCCEEDED',
    resultPreview: '',
    durationMs: 1,
    result: '{}',
  };
}

/** Seven seconds in the foreground, twenty in the background. */
const times: Partial<Work> = { maxSeconds: 7, backgroundMaxSeconds: 20 };

const outOfTime = expect.objectContaining({ status: 'COMPLETED', finishReason: 'MAX_SECONDS' });

describe('a running turn that somebody ran before', () => {
  const passedAtEnd = async (seconds: number, turn: Parameters<typeof begin>[0] = {}): Promise<number> => {
    const { claims, clock, running } = begin(turn, () => true, seconds);
    let passed = 0;
    const onSilence = (): void => {
      for (; clock.waiting > 0 && passed < 60; passed += 1) pass(clock, 1_000);
    };
    await running.run(work([delta('So far')], silence(onSilence), { ...times, maxSeconds: 40 }));
    expect(claims.ends).toEqual([outOfTime]);
    return passed;
  };

  it('has what is left of its time', async () => {
    expect(await passedAtEnd(25)).toBe(35);
    expect(await passedAtEnd(12, { backgroundAt: new Date() })).toBe(8);
  });

  it('has time for an answer where nothing is left', async () => {
    expect(await passedAtEnd(90)).toBe(15);
    expect(await passedAtEnd(90, { backgroundAt: new Date() })).toBe(5);
  });
});

describe('a running turn that goes to the background', () => {
  it('has both its times before, for it moves by itself', async () => {
    const { claims, clock, running } = begin();
    let waiting = 0;
    const onSilence = (): void => {
      waiting = pass(clock, 27_000);
    };
    await running.run(work([delta('So far')], silence(onSilence), times));
    expect(waiting).toBe(1);
    expect(claims.ends).toEqual([outOfTime]);
  });

  it('has the whole of its time there from when it moves', async () => {
    const { claims, clock, running } = begin();
    let waiting: number[] = [];
    const events: Events = async function* (usage, signal) {
      clock.advance(10_000);
      yield moved;
      yield delta('So far');
      return await silence(() => {
        waiting = [clock.waiting, pass(clock, 20_000)];
      })(usage, signal);
    };
    await running.run(() => Promise.resolve(workOf(events, times)));
    expect(waiting).toEqual([1, 1]);
    expect(claims.ends).toEqual([outOfTime]);
  });

  it('frees its conversation once, when it is stored that it moved, and says that nobody waits', async () => {
    let told = 0;
    const { claims, running } = begin({}, () => {
      told += 1;
      return true;
    });
    await running.run(work([delta('So'), moved, delta(' far')]));
    expect(told).toBe(1);
    expect(claims.freed).toHaveLength(1);
    expect(claims.freed[0]).toContainEqual(moved);
  });

  it('does not end before its conversation is free', async () => {
    const { claims, running } = begin();
    const order: string[] = [];
    claims.onFree = async () => {
      for (let rounds = 0; rounds < 5; rounds += 1) await new Promise((resolve) => setImmediate(resolve));
      order.push('freed');
    };
    claims.onAttempt = () => order.push('ended');
    await running.run(work([moved]));
    expect(order).toEqual(['freed', 'ended']);
  });

  it('ends as well when its conversation could not be freed', async () => {
    const { claims, running } = begin();
    claims.onFree = () => Promise.reject(new Error('Two transactions waited for each other.'));
    await running.run(work([moved, delta('42')]));
    expect(claims.ends).toEqual([expect.objectContaining({ ...answered, text: '42' })]);
  });

  it('is handed over where there is no room for it, having moved', async () => {
    const { claims, running } = begin({}, () => false);
    await running.run(work([moved], silence()));
    expect(claims.stored).toEqual([moved]);
    expect(claims.freed).toEqual([[moved]]);
    expect([claims.handedOver, claims.ends.length]).toEqual([1, 0]);
  });
});

describe('a running turn that finds no room in the background in the middle of a step', () => {
  /** Two skills that are under way when the turn moves. */
  const step: TurnEntry[] = [
    skillStarted('first'),
    skillStarted('second'),
    moved,
    skillFinished('first'),
    skillFinished('second'),
  ];

  it('is handed over once its skills have ended', async () => {
    const { claims, running } = begin({}, () => false);
    await running.run(work(step, silence()));
    expect(claims.stored).toEqual(step);
    expect([claims.handedOver, claims.ends.length]).toEqual([1, 0]);
  });

  it('breaks none of them off', async () => {
    const { running } = begin({}, () => false);
    const aborted: boolean[] = [];
    const events: Events = async function* (usage, signal) {
      for (const entry of step) {
        aborted.push(signal.aborted);
        yield entry;
      }
      aborted.push(signal.aborted);
      return await silence()(usage, signal);
    };
    await running.run(() => Promise.resolve(workOf(events, times)));
    expect(aborted).toEqual([false, false, false, false, false, true]);
  });

  it('stays where there is room by then', async () => {
    const rooms = [false, false, true];
    const { claims, running } = begin({}, () => rooms.shift() ?? false);
    await running.run(work([...step, delta('42')]));
    expect([claims.handedOver, claims.ends.length]).toEqual([0, 1]);
    expect(rooms).toEqual([]);
  });

  it('waits for people where its step came to that', async () => {
    const { claims, running } = begin({}, () => false);
    await running.run(work(step, () => Promise.resolve({ type: 'waiting', inputs: [] })));
    expect([claims.handedOver, claims.parked.length]).toEqual([0, 1]);
  });
});

describe('a running turn that was in the background before', () => {
  const before = { backgroundAt: new Date(0) };

  it('has only the time there, and says at the beginning that nobody waits', async () => {
    let told = 0;
    const { claims, clock, running } = begin(before, () => {
      told += 1;
      return true;
    });
    let atBeginning = {};
    const onSilence = (): void => {
      atBeginning = { told, waiting: pass(clock, 20_000) };
    };
    await running.run(work([delta('So far')], silence(onSilence), times));
    expect(atBeginning).toEqual({ told: 1, waiting: 1 });
    expect(claims.ends).toEqual([outOfTime]);
    expect([told, claims.freed.length]).toEqual([1, 0]);
  });

  it('does not begin where there is no room for it', async () => {
    const { claims, running } = begin(before, () => false);
    let begun = 0;
    const events: Events = async function* () {
      begun += 1;
      yield delta('So');
      return ended('ANSWERED');
    };
    await running.run(() => Promise.resolve(workOf(events, times)));
    expect([begun, claims.handedOver]).toEqual([0, 1]);
  });
});
