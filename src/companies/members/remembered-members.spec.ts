import type { PubSub } from '../../pubsub/pub-sub.js';
import { MEMBER_GONE, RememberedMembers } from './remembered-members.js';

const ada = { id: 'ada' };
const other = { id: 'other' };

/** Lookups that end when they are let, each with whom it is given. */
const start = () => {
  const hints = new Map<string, (payload: string) => void>();
  const gaps: (() => void)[] = [];
  const pubSub = {
    subscribe: (topic: string, listener: (payload: string) => void) => {
      hints.set(topic, listener);
      return () => hints.delete(topic);
    },
    onGap: (listener: () => void) => {
      gaps.push(listener);
      return () => gaps.pop();
    },
  };
  const members = new RememberedMembers<{ id: string }>(pubSub as unknown as PubSub);
  const readings: PromiseWithResolvers<{ id: string }>[] = [];
  const find = (): Promise<{ id: string }> => {
    const reading = Promise.withResolvers<{ id: string }>();
    readings.push(reading);
    return reading.promise;
  };
  const tell = (id: string): void => hints.get(MEMBER_GONE)?.(id);
  const miss = (): void => gaps.forEach((gap) => gap());
  return { members, find, readings, tell, miss, hints, gaps };
};

type Started = ReturnType<typeof start>;

/** A lookup that was read before something was told, and is over after it. */
const lookUpDuring = async ({ members, find, readings }: Started, happen: () => void) => {
  const found = members.lookUp('key', find);
  happen();
  readings.at(-1)?.resolve(ada);
  await new Promise(setImmediate);
  return { found };
};

describe('a member who is looked up', () => {
  it('is remembered, until she is told to be gone or hints are missed', async () => {
    for (const forgetHer of ['tell', 'miss'] as const) {
      const started = start();
      const { members, readings, tell } = started;
      expect(members.recall('key')).toBeNull();
      await (
        await lookUpDuring(started, () => undefined)
      ).found;
      tell('other');
      expect(members.recall('key')).toBe(ada);
      started[forgetHer]('ada');
      expect(members.recall('key')).toBeNull();
      expect(readings).toHaveLength(1);
    }
  });

  it.each<[what: string, happen: (started: Started) => void]>([
    ['she is told to be gone', ({ tell }) => tell('ada')],
    ['hints are missed', ({ miss }) => miss()],
  ])('is looked up again when %s meanwhile', async (_what, happen) => {
    const started = start();
    const { found } = await lookUpDuring(started, () => happen(started));
    expect(started.members.recall('key')).toBeNull();
    started.readings[1]?.resolve(other);
    expect(await found).toBe(other);
    expect(started.members.recall('key')).toBe(other);
  });

  it('is not looked up again for somebody else', async () => {
    const started = start();
    const { found } = await lookUpDuring(started, () => started.tell('other'));
    expect(await found).toBe(ada);
    expect(started.readings).toHaveLength(1);
  });

  it('is nobody when the second look says so', async () => {
    const started = start();
    const { found } = await lookUpDuring(started, () => started.tell('ada'));
    started.readings[1]?.reject(new Error('nobody'));
    await expect(found).rejects.toThrow('nobody');
    expect(started.members.recall('key')).toBeNull();
  });

  it('is not looked up for ever', async () => {
    const { members, find, readings, miss } = start();
    const found = members.lookUp('key', () => {
      const reading = find();
      miss();
      readings.at(-1)?.resolve(ada);
      return reading;
    });
    await expect(found).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(readings).toHaveLength(3);
    expect(members.recall('key')).toBeNull();
  });
});

it('hears nothing more once it is stopped', () => {
  const { members, hints, gaps } = start();
  members.stop();
  expect([hints.size, gaps.length]).toEqual([0, 0]);
});
