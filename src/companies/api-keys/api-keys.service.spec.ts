import { newApiKey } from '../../auth/api-key.js';
import { newId } from '../../common/ids.js';
import type { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import type { PubSub } from '../../pubsub/pub-sub.js';
import type { AuditService } from '../audit/audit.service.js';
import type { MemberRepository } from '../members/member.repository.js';
import type { MembersService } from '../members/members.service.js';
import { MEMBER_GONE } from '../members/remembered-members.js';
import type { ApiKey } from './api-key.entity.js';
import type { ApiKeyRepository } from './api-key.repository.js';
import { ApiKeys } from './api-keys.service.js';

const companyId = newId();
const memberId = newId();

/** Keys of which there is one, until it is taken away; `onRead` is called between its reading and the end of that. */
const start = () => {
  const stored: { key: Partial<ApiKey> | null; readings: number; onRead: () => void } = {
    key: { id: newId(), memberId, role: 'MEMBER', name: 'CRM', expiresAt: null, lastUsedAt: new Date() },
    readings: 0,
    onRead: () => undefined,
  };
  const hints = new Map<string, (payload: string) => void>();
  const gaps: (() => void)[] = [];
  const keys = {
    findInForce: async () => {
      stored.readings += 1;
      return stored.key;
    },
  };
  const database = {
    transaction: async (_: string, work: (tx: Transaction) => Promise<unknown>) => {
      const result = await work({} as Transaction);
      stored.onRead();
      return result;
    },
  };
  const pubSub = {
    subscribe: (topic: string, listener: (payload: string) => void) => hints.set(topic, listener),
    onGap: (listener: () => void) => gaps.push(listener),
  };
  const apiKeys = new ApiKeys(
    database as unknown as Database,
    keys as unknown as ApiKeyRepository,
    {} as MemberRepository,
    {} as AuditService,
    {} as MembersService,
    pubSub as unknown as PubSub,
  );
  const revoke = (): void => {
    stored.key = null;
    hints.get(MEMBER_GONE)?.(memberId);
  };
  return { apiKeys, stored, revoke, gaps };
};

it('is looked for once in a while, and again when hints were missed', async () => {
  const { apiKeys, stored, gaps } = start();
  const key = newApiKey(companyId);
  for (let time = 0; time < 3; time += 1) await apiKeys.admit(key);
  expect(stored.readings).toBe(1);
  for (const tell of gaps) tell();
  await apiKeys.admit(key);
  expect(stored.readings).toBe(2);
});

it('signs nobody in when it is revoked while it is read', async () => {
  const { apiKeys, stored, revoke } = start();
  stored.onRead = revoke;
  await expect(apiKeys.admit(newApiKey(companyId))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});
