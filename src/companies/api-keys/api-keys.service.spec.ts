import fc from 'fast-check';

import { newId } from '../../common/ids.js';
import type { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { PubSub } from '../../platform/pubsub/pub-sub.js';
import type { AuditService } from '../audit/audit.service.js';
import type { CompanyRepository } from '../company.repository.js';
import type { MemberRepository } from '../members/member.repository.js';
import type { MembersService } from '../members/members.service.js';
import { MEMBER_GONE } from '../members/member-access.service.js';
import type { ApiKey, ApiKeyRepository } from './api-key.repository.js';
import { parseApiKey, generateApiKey, ApiKeys } from './api-keys.service.js';

it('is parsed to its company and digest', () => {
  const companyId = newId();
  const key = generateApiKey(companyId);
  const address = parseApiKey(key);
  expect(address).toEqual({ companyId, digest: expect.stringMatching(/^[\w-]{43}$/) });
  expect(key).not.toContain(address?.digest);
  expect(parseApiKey(generateApiKey(companyId))?.digest).not.toBe(address?.digest);
});

it('has another digest when any character is changed', () => {
  const key = generateApiKey(newId());
  fc.assert(
    fc.property(fc.nat(key.length - 1), fc.constantFrom(...'aZ9-_ é'), (at, character) => {
      fc.pre(key[at] !== character);
      const changed = key.slice(0, at) + character + key.slice(at + 1);
      expect(parseApiKey(changed)?.digest).not.toBe(parseApiKey(key)?.digest);
    }),
  );
});

it.each(['', 'plb_', `plb_${'A'.repeat(65)}=`, `plb_${'A'.repeat(66)}`])(
  'is none of another form: %s',
  (text) => {
    expect(parseApiKey(text)).toBeNull();
  },
);

const companyId = newId();
const memberId = newId();

/** A key that exists until removed. `onRead` is called during its reading. */
function start() {
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
    subscribe: (topic: string, listener: (payload: string) => void) => {
      const earlier = hints.get(topic);
      hints.set(topic, (payload) => {
        earlier?.(payload);
        listener(payload);
      });
    },
    onGap: (listener: () => void) => gaps.push(listener),
  };
  const apiKeys = new ApiKeys(
    database as unknown as Database,
    keys as unknown as ApiKeyRepository,
    {} as MemberRepository,
    {} as CompanyRepository,
    {} as AuditService,
    {} as MembersService,
    pubSub as unknown as PubSub,
  );
  const revoke = (): void => {
    stored.key = null;
    hints.get(MEMBER_GONE)?.(memberId);
  };
  return { apiKeys, stored, revoke, gaps };
}

it('is cached, and read again when hints were missed', async () => {
  const { apiKeys, stored, gaps } = start();
  const key = generateApiKey(companyId);
  for (let time = 0; time < 3; time += 1) await apiKeys.admit(key);
  expect(stored.readings).toBe(1);
  for (const tell of gaps) tell();
  await apiKeys.admit(key);
  expect(stored.readings).toBe(2);
});

it('signs nobody in when it is revoked during the lookup', async () => {
  const { apiKeys, stored, revoke } = start();
  stored.onRead = revoke;
  await expect(apiKeys.admit(generateApiKey(companyId))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});
