import { newId } from '../../common/ids.js';
import {
  addressOf,
  claimedOf,
  companyId,
  LOOK_MS,
  settle,
  startRunner as start,
} from './scripted-runner.double.js';

beforeEach(() => {
  vi.useFakeTimers({ toNotFake: ['setImmediate', 'performance'] });
});
afterEach(() => void vi.useRealTimers());

/** A runner at its limit, with waiting turns. */
async function crowded(maxTurns: number) {
  const started = await start(maxTurns);
  const { claims, local, run } = started;
  const running = [];
  for (let count = 0; count < maxTurns; count += 1) running.push(await run());
  expect(local.reserve(companyId)).toBeNull();
  const waiting = [newId(), newId(), newId()];
  claims.unattended = waiting;
  return {
    ...started,
    running,
    waiting,
    /** The waiting turns that were claimed. Answers a running claim. */
    taken: async (): Promise<string[]> => {
      for (const { turnId, answer } of claims.claiming.slice(maxTurns)) answer.resolve(claimedOf(turnId));
      await settle();
      const taken = claims.claimed.slice(maxTurns);
      claims.unattended = waiting.filter((turnId) => !taken.includes(turnId));
      return taken;
    },
    /** Makes looks wait until the returned function is called. */
    holdLooks: (): (() => void) => {
      const gate = Promise.withResolvers<void>();
      claims.gate = gate.promise;
      return gate.resolve;
    },
  };
}

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
    // Once for each turn, and once without a result.
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
    expect([local.hasRoomFor(companyId), local.reserve(companyId)]).toEqual([false, null]);
    local.offer(addressOf(late));
    expect(claims.claimed).toHaveLength(1);
    open();
    await settle();
    expect(await taken()).toEqual(waiting.slice(0, 1));
  });

  it('hold up no new question of a company that has none among them', async () => {
    const { local, claims, running, holdLooks } = await crowded(1);
    const open = holdLooks();
    running[0]!.end();
    await settle();
    const other = newId();
    expect(local.hasRoomFor(companyId)).toBe(false);
    local.offer(addressOf(newId(), other));
    expect(claims.claimed).toHaveLength(2);
    open();
    await settle();
    expect(claims.claimed).toHaveLength(2);
  });

  it('are not overtaken where a look had no room for them, or not for all', async () => {
    const { local, running, runs, holdLooks, taken } = await crowded(1);
    const other = newId();
    expect(local.reserve(other)).toBeNull();
    vi.advanceTimersByTime(LOOK_MS);
    await settle();
    let open = holdLooks();
    running[0]!.end();
    await settle();
    expect([local.hasRoomFor(companyId), local.hasRoomFor(other)]).toEqual([false, false]);
    open();
    await settle();
    // It had room for one, and did not see the other company's.
    expect(await taken()).toHaveLength(1);
    open = holdLooks();
    runs.at(-1)!.end();
    await settle();
    expect([local.hasRoomFor(companyId), local.hasRoomFor(other)]).toEqual([false, false]);
    open();
  });

  it('go first once a new question of others has taken the place that was looked for', async () => {
    const { local, claims, running, runs, holdLooks, taken, waiting } = await crowded(1);
    let open = holdLooks();
    running[0]!.end();
    await settle();
    const theirs = newId();
    local.offer(addressOf(theirs, newId()));
    open();
    await settle();
    claims.claiming.at(-1)!.answer.resolve(claimedOf(theirs));
    await settle();
    open = holdLooks();
    runs.at(-1)!.end();
    await settle();
    expect(local.hasRoomFor(newId())).toBe(false);
    open();
    await settle();
    expect(await taken()).toEqual([theirs, waiting[0]]);
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
    expect(local.reserve(companyId)).not.toBeNull();
  });

  it('hold up no new question that comes while they are looked for every now and then', async () => {
    const { claims, local } = await start(1);
    claims.gate = Promise.withResolvers<void>().promise;
    vi.advanceTimersByTime(LOOK_MS);
    expect(claims.looks).toEqual([1]);
    expect(local.reserve(companyId)).not.toBeNull();
  });

  it('are not tried again at once, for as long as they cannot be claimed', async () => {
    const { claims, running, local } = await crowded(1);
    running[0]!.end();
    await settle();
    claims.claiming[1]!.answer.reject(new Error('The database is away.'));
    await settle();
    expect(claims.looks).toEqual([1]);
    expect(local.reserve(companyId)).not.toBeNull();
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

describe('the turns of a company that has its share of the places', () => {
  /** A runner with five places, of which the company has four, with more turns waiting. */
  const busy = async () => {
    const started = await start(5);
    const running = [];
    for (let count = 0; count < 4; count += 1) running.push(await started.run());
    const [next, afterNext] = [newId(), newId()];
    started.claims.unattended = [next, afterNext];
    started.local.offer(addressOf(next));
    expect(started.claims.claimed).not.toContain(next);
    return { ...started, running, next, afterNext };
  };

  it('wait, while the rest is there for others', async () => {
    const { local, claims } = await busy();
    const other = newId();
    expect([local.hasRoomFor(companyId), local.hasRoomFor(other)]).toEqual([false, true]);
    expect(local.reserve(companyId)).toBeNull();
    const theirs = newId();
    local.offer(addressOf(theirs, other));
    expect(claims.claimed).toContain(theirs);
    expect(local.reserve(other)).toBeNull();
  });

  it('are looked for as soon as one of them ends, once, and as many go on as may', async () => {
    const { claims, running, next, afterNext } = await busy();
    running[0]!.end();
    await settle();
    expect(claims.claimed.slice(4)).toEqual([next]);
    claims.claiming.at(-1)!.answer.resolve(claimedOf(next));
    await settle();
    expect(claims.looks).toEqual([2]);
    claims.unattended = [afterNext];
    running[1]!.end();
    await settle();
    expect(claims.claimed.slice(4)).toEqual([next, afterNext]);
  });

  it('are not looked for again and again where more of them are turned down during a look', async () => {
    const { local, claims } = await busy();
    const gate = Promise.withResolvers<void>();
    claims.gate = gate.promise;
    vi.advanceTimersByTime(LOOK_MS);
    await settle();
    expect(local.reserve(companyId)).toBeNull();
    gate.resolve();
    await settle();
    expect(claims.looks).toHaveLength(1);
  });

  it('are not looked for because another company began one, which leaves no room', async () => {
    const { local, claims, runs } = await busy();
    const [theirs, other] = [newId(), newId()];
    const place = local.reserve(other)!;
    place.run(claimedOf(theirs));
    place.release();
    await settle();
    expect([runs.at(-1)!.turnId, claims.looks]).toEqual([theirs, []]);
  });

  it('do not keep those of others from a place that a look finds', async () => {
    const { claims, next, afterNext, running } = await busy();
    running[0]!.end();
    await settle();
    const theirs = newId();
    claims.companies.set(theirs, newId());
    claims.unattended = [afterNext, theirs];
    vi.advanceTimersByTime(LOOK_MS);
    await settle();
    expect(claims.claimed.slice(4)).toEqual([next, theirs]);
  });
});
