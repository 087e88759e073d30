import { newId } from '../../common/ids.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { CreatedTurn, LocalRunner } from '../../conversations/turns/claims/turn-queue.service.js';
import type { ClaimedTurn } from '../../conversations/turns/claims/turn-claim.js';
import {
  addressOf,
  claimedOf,
  companyId,
  GRACE_MS,
  HAND_OVER_MS,
  LOOK_MS,
  READ,
  settle,
  startRunner as start,
} from './scripted-runner.double.js';
import type { TurnRunner } from './turn-runner.service.js';

beforeEach(() => {
  vi.useFakeTimers({ toNotFake: ['setImmediate', 'performance'] });
});
afterEach(() => void vi.useRealTimers());

describe('the runner of turns', () => {
  it('claims and runs what it is offered, here or by a hint', async () => {
    const { claims, runs, local, offer } = await start();
    const [here, there] = [newId(), newId()];
    local.offer(addressOf(here));
    await offer(there);
    expect(claims.claimed).toEqual([here, there]);
    for (const { turnId, answer } of claims.claiming) answer.resolve(claimedOf(turnId));
    await settle();
    expect(runs.map(({ turnId }) => turnId)).toEqual([here, there]);
  });

  it('runs none twice that it is offered again while it runs', async () => {
    const { claims, run, local, offer } = await start();
    const { turnId, end } = await run();
    local.offer(addressOf(turnId));
    await offer(turnId);
    end();
    await settle();
    expect(claims.claimed).toEqual([turnId]);
  });

  it('claims a turn again that was offered while its claim looked too early', async () => {
    const { claims, local } = await start();
    const turnId = newId();
    local.offer(addressOf(turnId));
    local.offer(addressOf(turnId));
    expect(claims.claimed).toEqual([turnId]);
    claims.claiming[0]!.answer.resolve(null);
    await settle();
    expect(claims.claimed).toEqual([turnId, turnId]);
    claims.claiming[1]!.answer.resolve(null);
    await settle();
    expect(claims.claiming).toHaveLength(2);
    expect(local.hasRoomFor(companyId)).toBe(true);
  });

  it('heeds a stop that came while it claimed', async () => {
    const { claims, runs, local, stop } = await start();
    const turnId = newId();
    local.offer(addressOf(turnId));
    await stop(turnId);
    claims.claiming[0]!.answer.resolve(claimedOf(turnId));
    await settle();
    expect(runs.map(({ told }) => told)).toEqual([['stop:CANCELLED']]);
  });

  it('stops what runs, and nothing else', async () => {
    const { run, stop } = await start();
    const [first, second] = [await run(), await run()];
    await stop(second.turnId);
    await stop(newId());
    expect([first.told, second.told]).toEqual([[], ['stop:CANCELLED']]);
  });
});

describe('the room of a runner of turns', () => {
  it('is for as many as it may run, those that are claimed and those to come among them', async () => {
    const { local, run } = await start(3);
    await run();
    local.offer(addressOf(newId()));
    expect(local.hasRoomFor(companyId)).toBe(true);
    expect(local.reserve(companyId)).not.toBeNull();
    expect(local.hasRoomFor(companyId)).toBe(false);
    expect(local.reserve(companyId)).toBeNull();
  });

  it('is free again when it is given back, once', async () => {
    const { local } = await start(1);
    const place = local.reserve(companyId)!;
    place.release();
    const next = local.reserve(companyId);
    expect(next).not.toBeNull();
    place.release();
    expect(local.reserve(companyId)).toBeNull();
  });

  it('is used by the turn that it was kept for, until that has ended', async () => {
    const { claims, local, runs, stop } = await start(1);
    const turnId = newId();
    const place = local.reserve(companyId)!;
    await place.prepare({} as Transaction, {} as CreatedTurn);
    place.run(claimedOf(turnId));
    place.release();
    expect(runs[0]!.begunWith).toBe(READ);
    expect(local.hasRoomFor(companyId)).toBe(false);
    expect(claims.claimed).toEqual([]);
    await stop(turnId);
    expect(runs.map(({ told }) => told)).toEqual([['stop:CANCELLED']]);
    runs[0]!.end();
    await settle();
    expect(local.hasRoomFor(companyId)).toBe(true);
  });

  it.each<[string, (answer: PromiseWithResolvers<ClaimedTurn | null>) => void]>([
    ['somebody else has', ({ resolve }) => resolve(null)],
    ['cannot be claimed', ({ reject }) => reject(new Error('The database is away.'))],
  ])('is free again after a turn that %s', async (_, answer) => {
    const { claims, local } = await start(1);
    local.offer(addressOf(newId()));
    expect(local.hasRoomFor(companyId)).toBe(false);
    answer(claims.claiming[0]!.answer);
    await settle();
    expect(local.hasRoomFor(companyId)).toBe(true);
    // A failing turn is not retried at once.
    expect(claims.looks).toEqual([]);
  });

  it.each<[string, (local: LocalRunner) => unknown]>([
    ['one was turned down', (local) => local.offer(addressOf(newId()))],
    ['a question found none', (local) => local.reserve(companyId)],
  ])('is filled as soon as there is some: %s', async (_, ask) => {
    const { claims, local, run } = await start(1);
    const running = await run();
    ask(local);
    expect(claims.looks).toEqual([]);
    const waiting = newId();
    claims.unattended = [waiting];
    running.end();
    await settle();
    expect(claims.looks).toEqual([1]);
    expect(claims.claimed).toEqual([running.turnId, waiting]);
  });

  it('is filled too when a place is given back', async () => {
    const { claims, local } = await start(1);
    const place = local.reserve(companyId)!;
    local.offer(addressOf(newId()));
    place.release();
    expect(claims.looks).toEqual([1]);
    await settle();
  });
});

describe('the room in the background of a runner of turns', () => {
  it('counts apart: what goes there makes room for what somebody waits for', async () => {
    const { local, run } = await start(1);
    const long = await run();
    expect(local.hasRoomFor(companyId)).toBe(false);
    expect(long.goToBackground()).toBe(true);
    expect(local.hasRoomFor(companyId)).toBe(true);
    await run();
    expect(local.hasRoomFor(companyId)).toBe(false);
    long.end();
    await settle();
    expect(local.hasRoomFor(companyId)).toBe(false);
  });

  it('is filled at once when a turn was turned down before', async () => {
    const { claims, local, run } = await start(1);
    const long = await run();
    const waiting = newId();
    local.offer(addressOf(waiting));
    claims.unattended = [waiting];
    long.goToBackground();
    await settle();
    expect(claims.claimed).toEqual([long.turnId, waiting]);
  });

  it('is not for one too many, which keeps the room it has until it ends', async () => {
    const { local, run } = await start(2);
    const [first, second] = [await run(), await run()];
    expect([first.goToBackground(), second.goToBackground()]).toEqual([true, false]);
    await run();
    expect(local.hasRoomFor(companyId)).toBe(false);
    second.end();
    await settle();
    expect(local.hasRoomFor(companyId)).toBe(true);
  });

  it('is free again after the turn that had it', async () => {
    const { run } = await start(2);
    const [first, second] = [await run(), await run()];
    first.goToBackground();
    expect(second.goToBackground()).toBe(false);
    first.end();
    await settle();
    expect(second.goToBackground()).toBe(true);
  });

  it('is taken once, however often it is asked for', async () => {
    const { local, run } = await start(1, 2);
    const first = await run();
    expect([first.goToBackground(), first.goToBackground()]).toEqual([true, true]);
    expect(local.hasRoomFor(companyId)).toBe(true);
    expect((await run()).goToBackground()).toBe(true);
  });

  it('is told with every claim and every look', async () => {
    const { claims, run } = await start(3);
    const long = await run();
    long.goToBackground();
    await run();
    vi.advanceTimersByTime(LOOK_MS);
    await settle();
    long.end();
    await settle();
    await run();
    expect(claims.claiming.map(({ room }) => room.background)).toEqual([true, false, true]);
    expect(claims.lookedWith).toEqual([{ foreground: 2, background: 0 }]);
  });

  it('is given to one claim at a time: others would have to be handed over at once', async () => {
    const { claims, local, runs } = await start(3);
    const [first, second] = [newId(), newId()];
    local.offer(addressOf(first));
    local.offer(addressOf(second));
    expect(claims.claiming.map(({ room }) => room.background)).toEqual([true, false]);
    claims.claiming[1]!.answer.resolve(null);
    claims.claiming[0]!.answer.resolve(claimedOf(first, { backgroundAt: new Date(0) }));
    await settle();
    local.offer(addressOf(newId()));
    expect(claims.claiming[2]!.room.background).toBe(false);
    expect(runs[0]!.goToBackground()).toBe(true);
    runs[0]!.end();
    await settle();
    local.offer(addressOf(newId()));
    expect(claims.claiming[3]!.room.background).toBe(true);
  });

  it.each<[string, (answer: PromiseWithResolvers<ClaimedTurn | null>) => void]>([
    ['somebody else has', ({ resolve }) => resolve(null)],
    ['somebody waits for', ({ resolve }) => resolve(claimedOf(newId()))],
    ['cannot be claimed', ({ reject }) => reject(new Error('The database is away.'))],
  ])('is not kept for a turn that %s', async (_, answer) => {
    const { claims, local } = await start(3);
    local.offer(addressOf(newId()));
    answer(claims.claiming[0]!.answer);
    await settle();
    local.offer(addressOf(newId()));
    expect(claims.claiming.map(({ room }) => room.background)).toEqual([true, true]);
  });

  it('is nobody’s when the process stops', async () => {
    const { runner, run } = await start();
    const long = await run();
    const over = runner.onApplicationShutdown();
    expect(long.goToBackground()).toBe(false);
    long.end();
    await over;
  });
});

describe('a runner of turns that looks for those that nobody attends to', () => {
  it('takes as many as it has room for, and looks again and again', async () => {
    const { claims, local, run } = await start(3);
    await run();
    claims.unattended = [newId(), newId(), newId()];
    vi.advanceTimersByTime(LOOK_MS);
    await settle();
    expect(claims.looks).toEqual([2]);
    expect(claims.claimed.slice(1)).toEqual(claims.unattended.slice(0, 2));
    expect(local.hasRoomFor(companyId)).toBe(false);
    // Only for the background there is room.
    vi.advanceTimersByTime(LOOK_MS);
    expect(claims.looks).toEqual([2, 0]);
    claims.unattended = [];
    for (const { answer } of claims.claiming) answer.resolve(null);
    await settle();
    claims.looks.length = 0;
    vi.advanceTimersByTime(LOOK_MS);
    expect(claims.looks).toEqual([2]);
    await settle();
  });

  it.each<[string, { running: number; inBackground: number }, { waiting: string[]; background: string[] }]>([
    ['all is free', { running: 0, inBackground: 0 }, { waiting: ['a', 'b'], background: ['x', 'y'] }],
    [
      'somebody waits for all it may run',
      { running: 2, inBackground: 0 },
      { waiting: [], background: ['x', 'y'] },
    ],
    ['the background is full', { running: 1, inBackground: 2 }, { waiting: ['a'], background: [] }],
    ['one place of each is free', { running: 1, inBackground: 1 }, { waiting: ['a'], background: ['x'] }],
    ['both are full', { running: 2, inBackground: 2 }, { waiting: [], background: [] }],
  ])('fills the places of each kind by what waits for them, when %s', async (_, taken, expected) => {
    const { claims, run } = await start(2, 2);
    for (let count = 0; count < taken.inBackground; count += 1) (await run()).goToBackground();
    for (let count = 0; count < taken.running; count += 1) await run();
    const before = claims.claimed.length;
    claims.unattended = ['a', 'b', 'c'];
    claims.unattendedInBackground = ['x', 'y', 'z'];
    vi.advanceTimersByTime(LOOK_MS);
    await settle();
    expect(claims.claimed.slice(before)).toEqual([...expected.waiting, ...expected.background]);
  });

  it('looks for no more at once where what was turned down finds no room', async () => {
    const { claims, local, run } = await start(1);
    await run();
    const gate = Promise.withResolvers<void>();
    claims.gate = gate.promise;
    vi.advanceTimersByTime(LOOK_MS);
    local.offer(addressOf(newId()));
    gate.resolve();
    await settle();
    expect(claims.looks).toEqual([0]);
  });

  it('has those kept or let go of that it runs itself, as far as it knows', async () => {
    const { run, claims, runs, overdue } = await start();
    const { turnId } = await run();
    claims.unattended = [turnId];
    vi.advanceTimersByTime(LOOK_MS);
    await settle();
    expect({ overdue, runs: runs.length }).toEqual({ overdue: [turnId], runs: 1 });
  });

  it('goes on looking when that failed', async () => {
    const { claims } = await start();
    claims.failure = new Error('The database is away.');
    vi.advanceTimersByTime(LOOK_MS);
    await settle();
    claims.failure = null;
    claims.unattended = [newId()];
    vi.advanceTimersByTime(LOOK_MS);
    await settle();
    expect(claims.claimed).toEqual(claims.unattended);
  });

  it('looks once at a time, and leaves to the next look what it lost its room for', async () => {
    const { claims, local } = await start(1);
    const gate = Promise.withResolvers<void>();
    claims.gate = gate.promise;
    claims.unattended = [newId()];
    vi.advanceTimersByTime(LOOK_MS);
    vi.advanceTimersByTime(LOOK_MS);
    expect(claims.looks).toEqual([1]);
    const place = local.reserve(companyId)!;
    gate.resolve();
    await settle();
    expect(claims.claimed).toEqual([]);
    place.release();
    await settle();
    expect(claims.claimed).toEqual(claims.unattended);
  });
});

describe('a runner of turns that stops', () => {
  /** Begins to stop; `isOver` tells whether it has. */
  const shutDown = (runner: TurnRunner) => {
    const state = { isOver: false };
    void runner.onApplicationShutdown().then(() => (state.isOver = true));
    return state;
  };

  it('takes nothing more', async () => {
    const { claims, local, runner, offer } = await start();
    await runner.onApplicationShutdown();
    expect(local.hasRoomFor(companyId)).toBe(false);
    expect(local.reserve(companyId)).toBeNull();
    local.offer(addressOf(newId()));
    runner.offer(addressOf(newId()));
    await offer(newId());
    vi.advanceTimersByTime(10 * LOOK_MS);
    expect(claims.claimed).toEqual([]);
    expect(claims.looks).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('takes nothing either of what a look finds that was under way', async () => {
    const { claims, runner } = await start();
    const gate = Promise.withResolvers<void>();
    claims.gate = gate.promise;
    claims.unattended = [newId()];
    vi.advanceTimersByTime(LOOK_MS);
    await runner.onApplicationShutdown();
    gate.resolve();
    await settle();
    expect(claims.claimed).toEqual([]);
  });

  it('waits for the turns under way, the claims, and the places that it gave', async () => {
    const { claims, local, runner, run } = await start(3);
    const running = await run();
    const place = local.reserve(companyId)!;
    local.offer(addressOf(newId()));
    const state = shutDown(runner);
    running.end();
    await settle();
    expect(state.isOver).toBe(false);
    claims.claiming[1]!.answer.resolve(null);
    await settle();
    expect(state.isOver).toBe(false);
    place.release();
    await settle();
    expect(state.isOver).toBe(true);
    expect(running.told).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('still runs what was created for a place that it gave', async () => {
    const { local, runner, runs } = await start(1);
    const place = local.reserve(companyId)!;
    const state = shutDown(runner);
    place.run(claimedOf(newId()));
    await settle();
    expect(state.isOver).toBe(false);
    runs[0]!.end();
    await settle();
    expect(state.isOver).toBe(true);
  });

  it('hands over after the grace time what has not ended', async () => {
    const { runner, run } = await start();
    const [first, second] = [await run(), await run()];
    const state = shutDown(runner);
    vi.advanceTimersByTime(GRACE_MS - 1);
    first.end();
    await settle();
    expect(second.told).toEqual([]);
    vi.advanceTimersByTime(1);
    expect([first.told, second.told]).toEqual([[], ['stop:hand-over']]);
    second.end();
    await settle();
    expect(state.isOver).toBe(true);
  });

  it('hands over at once what begins after it', async () => {
    const { claims, local, runner, runs } = await start(2);
    const place = local.reserve(companyId)!;
    const turnId = newId();
    local.offer(addressOf(turnId));
    shutDown(runner);
    vi.advanceTimersByTime(GRACE_MS);
    place.run(claimedOf(newId()));
    claims.claiming[0]!.answer.resolve(claimedOf(turnId));
    await settle();
    expect(runs.map(({ told }) => told)).toEqual([['stop:hand-over'], ['stop:hand-over']]);
  });

  it('leaves in the end, and waits for nothing any more', async () => {
    const { claims, local, runner, run, runs } = await start(3);
    const running = await run();
    local.reserve(companyId);
    const turnId = newId();
    local.offer(addressOf(turnId));
    const state = shutDown(runner);
    vi.advanceTimersByTime(GRACE_MS + HAND_OVER_MS - 1);
    await settle();
    expect(state.isOver).toBe(false);
    vi.advanceTimersByTime(1);
    await settle();
    expect(state.isOver).toBe(true);
    expect(running.told).toEqual(['stop:hand-over', 'leave:abandon']);
    claims.claiming[1]!.answer.resolve(claimedOf(turnId));
    await settle();
    expect(runs[1]!.told).toEqual(['leave:abandon']);
  });
});
