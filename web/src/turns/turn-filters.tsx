import { useNavigate, useSearch } from '@tanstack/react-router';
import { useQuery } from 'urql';

import { t } from '../i18n/catalogue.js';
import { durationOf } from '../i18n/dates.js';
import { dollarsOf } from '../i18n/numbers.js';
import { Choice, Field } from '../parts/form.js';
import { filtersQuery } from './turns-operations.js';
import { REASONS, STATUSES, type TurnsSearch } from './turns-search.js';

const SECONDS = [5, 15, 60, 300] as const;
const DOLLARS = [0.01, 0.1, 1] as const;

/** What the address says of the turns that are listed can be chosen here. */
export function TurnFilters() {
  const search = useSearch({ from: '/turns' });
  const navigate = useNavigate();
  const [{ data }] = useQuery({ query: filtersQuery });
  const choose = (chosen: { [Key in keyof TurnsSearch]: TurnsSearch[Key] | '' | undefined }): void => {
    const kept = Object.entries({ ...search, ...chosen }).filter(([, value]) => Boolean(value));
    void navigate({ to: '/turns', search: Object.fromEntries(kept), replace: true });
  };
  const any = ['', t('turns.any')] as const;
  const members = data?.members.edges.map(({ node }) => [node.id, node.name] as const) ?? [];
  const { member } = search;
  // Of more members than are listed, one comes by the address alone.
  const isListed = member === undefined || members.some(([id]) => id === member);
  return (
    <search className="filters" aria-label={t('turns.filter')}>
      <Choice
        label={t('turns.assistant')}
        options={[any, ...(data?.assistants ?? []).map(({ key, name }) => [key, name] as const)]}
        value={search.assistant ?? ''}
        onChoose={(assistant) => choose({ assistant })}
      />
      <Choice
        label={t('turns.member')}
        options={[any, ...members, ...(isListed ? [] : [[member, member] as const])]}
        value={member ?? ''}
        onChoose={(id) => choose({ member: id })}
      />
      <Choice
        label={t('turns.status')}
        options={[any, ...STATUSES.map((one) => [one, t(`turns.${one}`)] as const)]}
        value={search.status ?? ''}
        onChoose={(status) => choose({ status })}
      />
      <Choice
        label={t('turns.reason')}
        options={[any, ...REASONS.map((one) => [one, t(`turns.reason.${one}`)] as const)]}
        value={search.reason ?? ''}
        onChoose={(reason) => choose({ reason })}
      />
      <Field
        label={t('turns.from')}
        type="date"
        value={search.from ?? ''}
        onChange={(from) => choose({ from })}
      />
      <Field label={t('turns.to')} type="date" value={search.to ?? ''} onChange={(to) => choose({ to })} />
      <Choice
        label={t('turns.slow')}
        options={amountsOf(SECONDS, search.seconds, (seconds) => durationOf(seconds * 1000))}
        value={`${search.seconds ?? ''}`}
        onChoose={(seconds) => choose({ seconds: Number(seconds) || undefined })}
      />
      <Choice
        label={t('turns.costly')}
        options={amountsOf(DOLLARS, search.cost, dollarsOf)}
        value={`${search.cost ?? ''}`}
        onChoose={(cost) => choose({ cost: Number(cost) || undefined })}
      />
    </search>
  );
}

/** Any, those that are offered, and the one of the address. */
function amountsOf(
  offered: readonly number[],
  current: number | undefined,
  textOf: (amount: number) => string,
): [string, string][] {
  const amounts = new Set([...offered, ...(current === undefined ? [] : [current])]);
  return [
    ['', t('turns.any')],
    ...[...amounts]
      .toSorted((one, other) => one - other)
      .map((amount): [string, string] => [`${amount}`, t('turns.atLeast', { amount: textOf(amount) })]),
  ];
}
