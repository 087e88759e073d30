import type { QuotaStanding } from './quota.repository.js';
import { findSpent, type SpentQuota } from './quotas.service.js';
import { spentQuotaIn } from './spent-quota.js';

const now = new Date('2026-12-31T22:30:00Z');

function standing(given: Partial<QuotaStanding>): QuotaStanding {
  return {
    subject: 'COMPANY',
    period: 'MONTH',
    provider: '',
    maxTokens: null,
    maxCostUsd: null,
    tokens: 0,
    costUsd: 0,
    ...given,
  };
}

/** The message for people. */
function said(quota: SpentQuota | null, language = 'en'): string {
  return quota ? spentQuotaIn(quota, language) : '';
}

it('finds nothing when nothing is limited or used up', () => {
  expect(findSpent([], now)).toBeNull();
  expect(findSpent([standing({ maxTokens: 100, tokens: 99, maxCostUsd: 1, costUsd: 0.99 })], now)).toBeNull();
});

it.each([
  ['tokens', { maxTokens: 100, tokens: 100 }],
  ['money', { maxCostUsd: 0.5, costUsd: 0.5 }],
  ['a quota of nothing', { maxTokens: 0 }],
])('is spent by %s', (_name, given) => {
  expect(findSpent([standing(given)], now)?.resetsAt).toEqual(new Date('2027-01-01T00:00:00Z'));
});

it('prefers a member’s own quota to that of each member, for the same period', () => {
  const each = standing({ subject: 'EACH_MEMBER', maxTokens: 10, tokens: 50 });
  const own = standing({ subject: '0198c0de-0000-7000-8000-000000000001', maxTokens: 100, tokens: 50 });
  expect(findSpent([each, own], now)).toBeNull();
  expect(said(findSpent([{ ...each, period: 'DAY' }, own], now))).toMatch(/You have used up .* today/);
});

it('gives the quota that resets last', () => {
  const early = new Date('2026-11-10T08:00:00Z');
  const day = standing({ subject: 'EACH_MEMBER', period: 'DAY', maxTokens: 1, tokens: 1 });
  const month = standing({ maxTokens: 1, tokens: 1 });
  const last = findSpent([day, month], early);
  expect(last?.resetsAt).toEqual(new Date('2026-12-01T00:00:00Z'));
  expect(said(last)).toMatch(/Your company has used up .* this month/);
  expect(findSpent([day], early)?.resetsAt).toEqual(new Date('2026-11-11T00:00:00Z'));
});

it('keeps quotas for one provider apart from those for all, and says whose models are meant', () => {
  const each = standing({ subject: 'EACH_MEMBER', provider: 'acme', maxTokens: 10, tokens: 10 });
  const own = standing({ subject: '0198c0de-0000-7000-8000-000000000001', maxTokens: 100, tokens: 50 });
  expect(said(findSpent([each, own], now))).toMatch(/^You have .* this month at the provider acme\. /);
  expect(findSpent([each, { ...own, provider: 'acme' }], now)).toBeNull();
  const usual = standing({ provider: 'INSTALLATION', maxTokens: 0 });
  expect(said(findSpent([usual], now))).toMatch(/ this month at the installation’s provider of models\. /);
});

it.each([
  ['fr', 'Votre entreprise a épuisé son quota du mois chez le fournisseur acme. Un administrateur'],
  ['es', 'Su empresa ha agotado la cuota de este mes en el proveedor acme. Un administrador'],
  ['zh-Hant', '貴公司在供應商 acme 本月的額度已用完。'],
])('says in %s whose it is', (language, words) => {
  expect(said(findSpent([standing({ provider: 'acme', maxTokens: 0 })], now), language)).toContain(words);
});
