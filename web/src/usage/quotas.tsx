import { useState } from 'react';
import { useMutation, useQuery } from 'urql';

import type { QuotaPeriod, QuotasQuery } from '../gql/graphql.js';
import { t } from '../i18n/catalogue.js';
import { dollarsOf, roughly } from '../i18n/numbers.js';
import { Choice, Field, FormDialog } from '../parts/form.js';
import { Icon } from '../parts/icons.js';
import { Failure } from '../parts/states.js';
import { quotasQuery, setQuotaMutation } from './usage-operations.js';

type Quota = QuotasQuery['quotas'][number];

/** What the installation's own provider is called among keys. */
const INSTALLATION = 'INSTALLATION';
const SUBJECTS = ['COMPANY', 'EACH_MEMBER'] as const;
const PERIODS = ['DAY', 'MONTH'] as const satisfies QuotaPeriod[];

/** What may be used in a day or a month. */
export function Quotas() {
  const [{ data, error }, again] = useQuery({ query: quotasQuery });
  const [isSetting, setIsSetting] = useState(false);
  const refresh = (): void => again({ requestPolicy: 'network-only' });
  return (
    <section className="quotas" aria-label={t('quotas.title')}>
      <header className="page-head">
        <h2>{t('quotas.title')}</h2>
        <button type="button" className="button" onClick={() => setIsSetting(true)}>
          <Icon name="edit" />
          {t('quotas.set')}
        </button>
      </header>
      {error && <Failure error={error} again={refresh} />}
      {data?.quotas.length === 0 && <p className="soft">{t('quotas.none')}</p>}
      {data && data.quotas.length > 0 && (
        <ul className="plain rows">
          {data.quotas.map((quota) => (
            <li
              key={`${quota.subject} ${quota.period} ${quota.provider} ${quota.member?.id}`}
              className="quota"
            >
              <strong>{quota.member?.name ?? t(`quotas.${quota.subject}`)}</strong>
              {quota.provider !== null && <span>{nameOf(quota.provider)}</span>}
              <span>{t(`quotas.${quota.period}`)}</span>
              <span>{limitsOf(quota)}</span>
            </li>
          ))}
        </ul>
      )}
      {isSetting && (
        <QuotaDialog
          providers={data?.providers.map(({ key }) => key) ?? []}
          onClose={() => setIsSetting(false)}
          onSet={refresh}
        />
      )}
    </section>
  );
}

function limitsOf({ maxTokens, maxCostUsd }: Quota): string {
  const limits = [
    maxTokens === null ? null : t('quotas.tokens', { tokens: roughly(maxTokens) }),
    maxCostUsd === null ? null : dollarsOf(maxCostUsd),
  ];
  return limits.filter((limit) => limit !== null).join(' · ') || t('quotas.unlimited');
}

function nameOf(provider: string): string {
  return provider === INSTALLATION ? t('quotas.installation') : provider;
}

function numberIn(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}

interface QuotaDialogProps {
  /** The keys of the company's own. */
  providers: readonly string[];
  onClose: () => void;
  onSet: () => void;
}

function QuotaDialog({ providers, onClose, onSet }: QuotaDialogProps) {
  const [subject, setSubject] = useState<(typeof SUBJECTS)[number]>('COMPANY');
  const [period, setPeriod] = useState<QuotaPeriod>('MONTH');
  /** Empty: any. */
  const [provider, setProvider] = useState('');
  const [tokens, setTokens] = useState('');
  const [cost, setCost] = useState('');
  const [{ fetching, error }, setQuota] = useMutation(setQuotaMutation);
  const save = async (): Promise<void> => {
    const limits = { maxTokens: numberIn(tokens), maxCostUsd: numberIn(cost) };
    const input = { subject, period, provider: provider || null, ...limits };
    const { error: refused } = await setQuota({ input });
    if (refused) return;
    onSet();
    onClose();
  };
  return (
    <FormDialog title={t('quotas.set')} onSave={save} isBusy={fetching} error={error} onClose={onClose}>
      <Choice
        label={t('quotas.whose')}
        options={SUBJECTS.map((one) => [one, t(`quotas.${one}`)])}
        value={subject}
        onChoose={setSubject}
      />
      <Choice
        label={t('quotas.period')}
        options={PERIODS.map((one) => [one, t(`quotas.${one}`)])}
        value={period}
        onChoose={setPeriod}
      />
      {providers.length > 0 && (
        <Choice
          label={t('quotas.provider')}
          options={[
            ['', t('quotas.anyProvider')],
            ...[INSTALLATION, ...providers].map((key): [string, string] => [key, nameOf(key)]),
          ]}
          value={provider}
          onChoose={setProvider}
        />
      )}
      <Field
        label={t('quotas.maxTokens')}
        type="number"
        min="0"
        step="1"
        value={tokens}
        onChange={setTokens}
      />
      <Field label={t('quotas.maxCost')} type="number" min="0" step="0.01" value={cost} onChange={setCost} />
      <p className="soft small">{t('quotas.hint')}</p>
    </FormDialog>
  );
}
