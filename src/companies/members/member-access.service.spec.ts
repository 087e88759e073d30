import { setImmediate as othersTurn } from 'node:timers/promises';

import { newId } from '../../common/ids.js';
import type { Logger } from '../../common/process/logger.js';
import type { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { PubSub } from '../../platform/pubsub/pub-sub.js';
import {
  COMPANY_GONE,
  MEMBER_GONE,
  MemberCache,
  MemberAccessWatcher,
  SESSIONS_ENDED,
} from './member-access.service.js';
import type { MemberRepository } from './member.repository.js';

type Someone = { id: string; companyId: string };

const ada: Someone = { id: 'ada', companyId: 'acme' };
const other: Someone = { id: 'other', companyId: 'acme' };

/** Lookups that end on command, with their results. */
function start() {
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
  const members = new MemberCache<Someone>(pubSub as unknown as PubSub);
  const readings: PromiseWithResolvers<Someone>[] = [];
  const find = (): Promise<Someone> => {
    const reading = Promise.withResolvers<Someone>();
    readings.push(reading);
    return reading.promise;
  };
  const tell = (id: string): void => hints.get(MEMBER_GONE)?.(id);
  const tellCompany = (id: string): void => hints.get(COMPANY_GONE)?.(id);
  const miss = (): void => gaps.forEach((gap) => gap());
  return { members, find, readings, tell, tellCompany, miss, hints, gaps };
}

type Started = ReturnType<typeof start>;

/** A lookup that read before an announcement and ends after it. */
async function lookUpDuring({ members, find, readings }: Started, happen: () => void) {
  const found = members.load('key', find);
  happen();
  readings.at(-1)?.resolve(ada);
  await new Promise(setImmediate);
  return { found };
}

describe('a member who is looked up', () => {
  it('is cached until her company is erased, even during the lookup', async () => {
    const started = start();
    const { members, readings, tellCompany } = started;
    const looking = await lookUpDuring(started, () => tellCompany('acme'));
    expect(readings).toHaveLength(2);
    readings[1]?.resolve(ada);
    await looking.found;
    tellCompany('other');
    expect(members.get('key')).toBe(ada);
    tellCompany('acme');
    expect(members.get('key')).toBeNull();
  });

  it('is cached until she loses access or hints are missed', async () => {
    for (const forgetHer of ['tell', 'miss'] as const) {
      const started = start();
      const { members, readings, tell } = started;
      expect(members.get('key')).toBeNull();
      await (
        await lookUpDuring(started, () => undefined)
      ).found;
      tell('other');
      expect(members.get('key')).toBe(ada);
      started[forgetHer]('ada');
      expect(members.get('key')).toBeNull();
      expect(readings).toHaveLength(1);
    }
  });

  it.each<[what: string, happen: (started: Started) => void]>([
    ['she is told to be gone', ({ tell }) => tell('ada')],
    ['hints are missed', ({ miss }) => miss()],
  ])('is looked up again when %s meanwhile', async (_what, happen) => {
    const started = start();
    const { found } = await lookUpDuring(started, () => happen(started));
    expect(started.members.get('key')).toBeNull();
    started.readings[1]?.resolve(other);
    expect(await found).toBe(other);
    expect(started.members.get('key')).toBe(other);
  });

  it('is not looked up again for somebody else', async () => {
    const started = start();
    const { found } = await lookUpDuring(started, () => started.tell('other'));
    expect(await found).toBe(ada);
    expect(started.readings).toHaveLength(1);
  });

  it('is rejected when the second lookup finds nobody', async () => {
    const started = start();
    const { found } = await lookUpDuring(started, () => started.tell('ada'));
    started.readings[1]?.reject(new Error('nobody'));
    await expect(found).rejects.toThrow('nobody');
    expect(started.members.get('key')).toBeNull();
  });

  it('is looked up a limited number of times', async () => {
    const { members, find, readings, miss } = start();
    const found = members.load('key', () => {
      const reading = find();
      miss();
      readings.at(-1)?.resolve(ada);
      return reading;
    });
    await expect(found).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(readings).toHaveLength(3);
    expect(members.get('key')).toBeNull();
  });
});

it('unsubscribes when it is stopped', () => {
  const { members, hints, gaps } = start();
  members.stop();
  expect([hints.size, gaps.length]).toEqual([0, 0]);
});

const member = { id: newId(), companyId: newId() };

/** Watches a member. The database answers on command. */
function startWatching(sessionBegan?: Date) {
  const ended: { at: Date | null } = { at: null };
  const there = Promise.withResolvers<string[]>();
  const hints = new Map<string, (payload: string) => void>();
  const warn = vi.fn<() => void>();
  const gone = new MemberAccessWatcher(
    {
      read: (_: string, work: (tx: Transaction) => Promise<unknown>) => work({} as Transaction),
    } as unknown as Database,
    {
      listActive: async () => new Map((await there.promise).map((id) => [id, ended.at])),
    } as unknown as MemberRepository,
    { warn } as unknown as Logger,
    {
      subscribe: (topic: string, listener: (payload: string) => void) => hints.set(topic, listener),
      onGap: () => undefined,
    } as unknown as PubSub,
  );
  const act = vi.fn<() => void>();
  const stop = gone.watch({ ...member, ...(sessionBegan && { sessionBegan }) }, act);
  const tell = (): void => hints.get(MEMBER_GONE)?.(member.id);
  const endSessions = async (at: Date): Promise<void> => {
    ended.at = at;
    hints.get(SESSIONS_ENDED)?.(member.id);
    await othersTurn();
  };
  return { act, stop, tell, warn, there, endSessions };
}

describe('a watcher of a member', () => {
  it('is called when the member had lost access before', async () => {
    const { act, there } = startWatching();
    there.resolve([]);
    await othersTurn();
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('is called when the member loses access, and not before', async () => {
    const { act, there, tell } = startWatching();
    there.resolve([member.id]);
    await othersTurn();
    expect(act).not.toHaveBeenCalled();
    tell();
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('is called once, also when two sources tell', async () => {
    const { act, there, tell } = startWatching();
    tell();
    there.resolve([]);
    await othersTurn();
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('is not called after it has stopped', async () => {
    const { act, stop, there } = startWatching();
    stop();
    there.resolve([]);
    await othersTurn();
    expect(act).not.toHaveBeenCalled();
  });

  it('is called when the session is ended, but not for a later one, nor for a token', async () => {
    for (const [began, calls] of [
      [new Date(1), 1],
      [new Date(3), 0],
      [undefined, 0],
    ] as const) {
      const { act, there, endSessions } = startWatching(began);
      there.resolve([member.id]);
      await endSessions(new Date(2));
      expect(act).toHaveBeenCalledTimes(calls);
    }
  });

  it('is called also when the lookup failed', async () => {
    const { act, there, tell, warn } = startWatching();
    there.reject(new Error('away'));
    await othersTurn();
    expect(warn).toHaveBeenCalledTimes(1);
    tell();
    expect(act).toHaveBeenCalledTimes(1);
  });
});
