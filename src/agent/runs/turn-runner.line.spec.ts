import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { newId } from '../../common/ids.js';
import { addressOf, claimedOf, LOOK_MS, settle, startRunner as start } from './scripted-runner.js';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] });
});
afterEach(() => void jest.useRealTimers());

/** A runner that runs as many turns as it may, while others wait. */
const crowded = async (maxTurns: number) => {
  const started = await start(maxTurns);
  const { claims, local, run } = started;
  const running = [];
  for (let count = 0; count < maxTurns; count += 1) running.push(await run());
  expect(local.reserve()).toBeNull();
  const waiting = [newId(), newId(), newId()];
  claims.unattended = waiting;
  return {
    ...started,
    running,
    waiting,
    /** Those that were claimed of those that wait; a claim that is still under way is answered. */
    taken: async (): Promise<string[]> => {
      for (const { turnId, answer } of claims.claiming.slice(maxTurns)) answer.resolve(claimedOf(turnId));
      await settle();
      const taken = claims.claimed.slice(maxTurns);
      claims.unattended = waiting.filter((turnId) => !taken.includes(turnId));
      return taken;
    },
    /** Has looks wait until the returned function is called. */
    holdLooks: (): (() => void) => {
      const gate = Promise.withResolvers<void>();
      claims.gate = gate.promise;
      return gate.resolve;
    },
  };
};

describe('turns that wait in line', () => {
  it('are taken one after the other as room comes, without a pause', async () => {
    const { running, runs, taken, waiting, claims } = await crowded(1);
    running[0]!.end();
    await settle();
    expect(await taken()).toEqual(waiting.slice(0, 1));
    runs.at(-1)!.end();
    await settle();
    expect(await taken()).toEqual(waiting.slice(0, 2));
    runs.at(-1)!.end();
    await settle();
    expect(await taken()).toEqual(waiting);
    runs.at(-1)!.end();
    await settle();
    runs.at(-1)!.end();
    await settle();
    // Once for each that was there, and once in vain.
    expect(claims.looks).toEqual([1, 1, 1, 1]);
  });

  it('are taken as well for room that comes during a look', async () => {
    const { running, taken, waiting, holdLooks } = await crowded(2);
    const open = holdLooks();
    running[0]!.end();
    await settle();
    running[1]!.end();
    await settle();
    open();
    await settle();
    expect(await taken()).toEqual(waiting.slice(0, 2));
  });

  it('are not overtaken by new questions while they are looked for', async () => {
    const { claims, local, running, taken, waiting, holdLooks } = await crowded(1);
    const open = holdLooks();
    running[0]!.end();
    await settle();
    const late = newId();
    expect([local.hasRoom, local.reserve()]).toEqual([false, null]);
    local.offer(addressOf(late));
    expect(claims.claimed).toHaveLength(1);
    open();
    await settle();
    expect(await taken()).toEqual(waiting.slice(0, 1));
  });

  it('are looked for again when one came meanwhile, and there is room', async () => {
    const { claims, local, running, holdLooks, taken } = await crowded(1);
    claims.unattended = [];
    const open = holdLooks();
    running[0]!.end();
    await settle();
    const late = newId();
    local.offer(addressOf(late));
    claims.unattended = [late];
    open();
    await settle();
    expect(await taken()).toEqual([late]);
  });

  it.each([
    ['is none', null],
    ['cannot be looked for', new Error('The database is away.')],
  ])('leave room for new questions when there %s', async (_, failure) => {
    const { claims, local, running } = await crowded(1);
    claims.unattended = [];
    claims.failure = failure;
    running[0]!.end();
    await settle();
    expect(local.reserve()).not.toBeNull();
  });

  it('hold up no new question that comes while they are looked for every now and then', async () => {
    const { claims, local } = await start(1);
    claims.gate = Promise.withResolvers<void>().promise;
    jest.advanceTimersByTime(LOOK_MS);
    expect(claims.looks).toEqual([1]);
    expect(local.reserve()).not.toBeNull();
  });

  it('are not tried again at once, for as long as they cannot be claimed', async () => {
    const { claims, running, local } = await crowded(1);
    running[0]!.end();
    await settle();
    claims.claiming[1]!.answer.reject(new Error('The database is away.'));
    await settle();
    expect(claims.looks).toEqual([1]);
    expect(local.reserve()).not.toBeNull();
  });

  it('are looked for again at once where somebody else has one', async () => {
    const { claims, running, taken, waiting } = await crowded(1);
    running[0]!.end();
    await settle();
    claims.unattended = waiting.slice(1);
    claims.claiming[1]!.answer.resolve(null);
    await settle();
    expect(await taken()).toEqual(waiting.slice(0, 2));
  });
});
