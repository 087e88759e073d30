import type { Config } from '../../../common/config/config.js';
import type { Assistant } from '../../../companies/assistants/assistant.repository.js';
import type { Viewer } from '../../../companies/auth/viewer.js';
import type { AssistantsService } from '../../../companies/assistants/assistants.service.js';
import type { Quotas, SpentQuota } from '../../../companies/usage/quotas.service.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import type { TurnRepository } from '../turn.repository.js';
import { TurnLimits } from './turn-limits.service.js';

const viewer: Viewer = {
  id: 'ada',
  companyId: 'demo',
  role: 'MEMBER',
  name: 'Ada',
  email: null,
  scopes: null,
  expiresAt: null,
};

/** The answer to a viewer without room according to the database. */
function checkWith(
  full: { member: boolean; company: boolean },
  spent: SpentQuota | null = null,
): Promise<void> {
  const turns: Pick<TurnRepository, 'findFull'> = {
    findFull: (_tx, memberId, others, limits) => {
      expect({ memberId, limits }).toEqual({ memberId: 'ada', limits: { member: 3, company: 12 } });
      expect(others).toEqual(['interrupted']);
      return Promise.resolve(full);
    },
  };
  const config = { limits: { unfinishedTurns: 3 } } as Config;
  const quotas: Pick<Quotas, 'findSpent'> = {
    findSpent: async (_tx, memberId, asked) => {
      expect({ memberId, asked }).toEqual({ memberId: 'ada', asked: { assistantId: 'mefali' } });
      return spent;
    },
  };
  const assistants: Pick<AssistantsService, 'get'> = {
    get: (_tx, id) => Promise.resolve({ id, language: 'fr' } as Assistant),
  };
  const limits = new TurnLimits(
    config,
    turns as TurnRepository,
    quotas as Quotas,
    assistants as AssistantsService,
  );
  return limits.check({} as Transaction, viewer, {
    assistantId: 'mefali',
    interrupted: [{ id: 'interrupted' }],
  });
}

describe('TurnLimits', () => {
  it('let a turn begin while there is room', async () => {
    expect(await checkWith({ member: false, company: false })).toBeUndefined();
  });

  it.each([
    [{ member: true, company: false }, 3, /^You have 3 questions .* cancel a turn\.$/],
    [{ member: false, company: true }, 12, /^Your company has 12 questions .* Try again/],
    [{ member: true, company: true }, 3, /^You have 3 questions/],
  ])('say whose limit is reached, and what to do: %j', async (full, limit, message) => {
    await expect(checkWith(full)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringMatching(message),
      extensions: { retryAfter: 5, limit },
    });
  });

  it.each([
    { member: false, company: false },
    { member: true, company: true },
  ])(
    'say that what was granted is used up, which lasts longer than there being no room: %j',
    async (full) => {
      const spent: SpentQuota = { of: 'member', period: 'DAY', provider: '', resetsAt: new Date(0) };
      await expect(checkWith(full, spent)).rejects.toMatchObject({
        quota: spent,
        language: 'fr',
      });
    },
  );
});
