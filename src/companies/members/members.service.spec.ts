import type { Claims } from '../auth/token-verifier.js';
import { newId } from '../../common/ids.js';
import type { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { PubSub } from '../../platform/pubsub/pub-sub.js';
import type { CompanyRepository } from '../company.repository.js';
import type { MemberRepository } from './member.repository.js';
import { MembersService } from './members.service.js';
import { MEMBER_GONE } from './member-access.service.js';

const claims: Claims = {
  subject: 'ada',
  companySlug: 'demo',
  name: 'Ada',
  email: null,
  role: 'MEMBER',
  expiresAt: new Date(),
};

/** A company with one member, who is another one after an erasure; `onRead` is called before a reading of her ends. */
function start() {
  const stored = {
    id: newId(),
    readings: 0,
    onRead: (): void => undefined,
    sessionsEndedAt: null as Date | null,
  };
  const hints = new Map<string, (payload: string) => void>();
  const companies = { findIdBySlug: async () => newId() };
  const rows = {
    admit: async () => {
      stored.readings += 1;
      return { id: stored.id, deactivatedAt: null, sessionsEndedAt: stored.sessionsEndedAt };
    },
  };
  const database = {
    systemTransaction: (work: (tx: Transaction) => Promise<unknown>) => work({} as Transaction),
    transaction: async (_: string, work: (tx: Transaction) => Promise<unknown>) => {
      const result = await work({} as Transaction);
      stored.onRead();
      return result;
    },
  };
  const pubSub = {
    subscribe: (topic: string, listener: (payload: string) => void) => hints.set(topic, listener),
    onGap: () => undefined,
  };
  const members = new MembersService(
    database as unknown as Database,
    companies as unknown as CompanyRepository,
    rows as unknown as MemberRepository,
    pubSub as unknown as PubSub,
  );
  const erase = (): void => {
    const { id } = stored;
    stored.id = newId();
    stored.onRead = () => undefined;
    hints.get(MEMBER_GONE)?.(id);
  };
  return { members, stored, erase };
}

it('is cached, and looked up again with another name', async () => {
  const { members, stored } = start();
  for (let time = 0; time < 3; time += 1) await members.admit(claims);
  expect(stored.readings).toBe(1);
  expect(await members.admit({ ...claims, name: 'Ada L.' })).toMatchObject({ id: stored.id, name: 'Ada L.' });
  expect(await members.admit(claims)).toMatchObject({ id: stored.id, name: 'Ada' });
  expect(stored.readings).toBe(3);
});

it('is looked up once for many who come at the same time, and again for other claims', async () => {
  const { members, stored } = start();
  const all = Array.from({ length: 10 }, () => members.admit(claims));
  const viewers = await Promise.all([...all, members.admit({ ...claims, role: 'ADMIN' })]);
  expect(stored.readings).toBe(2);
  expect(viewers.map(({ role }) => role)).toEqual([...Array<string>(10).fill('MEMBER'), 'ADMIN']);
});

it('comes in by sessions that began after the last ones were ended, and by tokens', async () => {
  for (const isCached of [false, true]) {
    const { members, stored } = start();
    stored.sessionsEndedAt = new Date(1_000);
    if (isCached) await members.admit(claims);
    await expect(members.admit({ ...claims, sessionBegan: new Date(1_000) })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    const later = { ...claims, sessionBegan: new Date(1_001) };
    expect(await members.admit(later)).toMatchObject({ id: stored.id, sessionBegan: later.sessionBegan });
    expect(await members.admit(claims)).not.toHaveProperty('sessionBegan');
  }
});

it('is a new member when she is erased during the lookup', async () => {
  const { members, stored, erase } = start();
  const { id } = stored;
  stored.onRead = erase;
  const viewers = [await members.admit(claims), await members.admit(claims)];
  expect(stored.id).not.toBe(id);
  expect(viewers.map((viewer) => viewer.id)).toEqual([stored.id, stored.id]);
});
