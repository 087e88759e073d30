import { setImmediate as othersTurn } from 'node:timers/promises';

import { jest } from '@jest/globals';

import { newId } from '../../common/ids.js';
import type { Logger } from '../../common/process/logger.js';
import type { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import type { PubSub } from '../../pubsub/pub-sub.js';
import { MEMBER_GONE } from '../members/remembered-members.js';
import { GoneMembers } from './gone-members.service.js';
import type { MemberDataRepository } from './member-data.repository.js';

const member = { id: newId(), companyId: newId() };

/** Watches a member; the database answers who is there when it is let. */
const start = () => {
  const there = Promise.withResolvers<string[]>();
  const hints = new Map<string, (payload: string) => void>();
  const warn = jest.fn();
  const gone = new GoneMembers(
    {
      read: (_: string, work: (tx: Transaction) => Promise<unknown>) => work({} as Transaction),
    } as unknown as Database,
    { listThere: async () => new Set(await there.promise) } as unknown as MemberDataRepository,
    { warn } as unknown as Logger,
    {
      subscribe: (topic: string, listener: (payload: string) => void) => hints.set(topic, listener),
      onGap: () => undefined,
    } as unknown as PubSub,
  );
  const act = jest.fn();
  const stop = gone.watch(member, act);
  const tell = (): void => hints.get(MEMBER_GONE)?.(member.id);
  return { act, stop, tell, warn, there };
};

describe('whoever watches a member', () => {
  it('is told of one who was gone before', async () => {
    const { act, there } = start();
    there.resolve([]);
    await othersTurn();
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('is told nothing while the member is there, and then of the end', async () => {
    const { act, there, tell } = start();
    there.resolve([member.id]);
    await othersTurn();
    expect(act).not.toHaveBeenCalled();
    tell();
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('is told once, however it is found out', async () => {
    const { act, there, tell } = start();
    tell();
    there.resolve([]);
    await othersTurn();
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('is told nothing after having left', async () => {
    const { act, stop, there } = start();
    stop();
    there.resolve([]);
    await othersTurn();
    expect(act).not.toHaveBeenCalled();
  });

  it('is told of the end also when the database could not say who was there', async () => {
    const { act, there, tell, warn } = start();
    there.reject(new Error('away'));
    await othersTurn();
    expect(warn).toHaveBeenCalledTimes(1);
    tell();
    expect(act).toHaveBeenCalledTimes(1);
  });
});
