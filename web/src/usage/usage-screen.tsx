import './usage.css';
import { useState } from 'react';
import { useQuery } from 'urql';

import { assistantsQuery } from '../chat/conversation-operations.js';
import type { AssistantsQuery } from '../gql/graphql.js';
import { t } from '../i18n/catalogue.js';
import { dollarsOf, roughly } from '../i18n/numbers.js';
import { Choice } from '../parts/form.js';
import { Page } from '../parts/page.js';
import { Failure, Loading, Nothing } from '../parts/states.js';
import { DayChart, daysBetween } from './day-chart.js';
import { Quotas } from './quotas.js';
import { type UsageRow, usageQuery } from './usage-operations.js';

const RANGES = [7, 30, 90] as const;
const GROUPS = ['ASSISTANT', 'MEMBER', 'MODEL'] as const;
type Group = (typeof GROUPS)[number];

/** What was used, by whom and what for, and what may be. */
export function UsageScreen() {
  const [days, setDays] = useState<number>(30);
  const [group, setGroup] = useState<Group>('ASSISTANT');
  const range = daysBetween(days);
  const [from = '', to = ''] = [range[0], range.at(-1)];
  const [byDay, again] = useQuery({ query: usageQuery, variables: { from, to, groupBy: ['DAY'] } });
  const [grouped] = useQuery({ query: usageQuery, variables: { from, to, groupBy: [group] } });
  const rows = byDay.data?.usage;
  return (
    <Page
      title={t('screen.usage')}
      lead={t('usage.lead')}
      actions={
        <Choice
          label={t('usage.range')}
          options={RANGES.map((range) => [`${range}`, t('usage.days', { count: range })])}
          value={`${days}`}
          onChoose={(chosen) => setDays(Number(chosen))}
        />
      }
    >
      {byDay.error && <Failure error={byDay.error} again={() => again({ requestPolicy: 'network-only' })} />}
      {!rows && !byDay.error && <Loading lines={6} />}
      {rows?.length === 0 && (
        <Nothing icon="usage" title={t('usage.none')}>
          {t('usage.noneText')}
        </Nothing>
      )}
      {rows && rows.length > 0 && (
        <>
          <Totals rows={rows} />
          <DayChart days={range} rows={rows} />
          <Choice
            className="filter"
            label={t('usage.by')}
            options={GROUPS.map((one) => [one, t(`usage.${one}`)])}
            value={group}
            onChoose={setGroup}
          />
          {grouped.error && !grouped.data && <Failure error={grouped.error} />}
          {grouped.data && <UsageTable group={group} rows={grouped.data.usage} />}
        </>
      )}
      <Quotas />
    </Page>
  );
}

function sumOf(rows: readonly UsageRow[], of: (row: UsageRow) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0);
}

function Totals({ rows }: { rows: readonly UsageRow[] }) {
  const [estimated, unpriced] = [
    sumOf(rows, (row) => row.estimatedCalls),
    sumOf(rows, (row) => row.unpricedCalls),
  ];
  return (
    <>
      <dl className="totals">
        <div className="card">
          <dt>{t('usage.cost')}</dt>
          <dd>{dollarsOf(sumOf(rows, (row) => row.costUsd))}</dd>
        </div>
        <div className="card">
          <dt>{t('usage.inputTokens')}</dt>
          <dd>{roughly(sumOf(rows, (row) => row.inputTokens))}</dd>
        </div>
        <div className="card">
          <dt>{t('usage.outputTokens')}</dt>
          <dd>{roughly(sumOf(rows, (row) => row.outputTokens))}</dd>
        </div>
        <div className="card">
          <dt>{t('usage.calls')}</dt>
          <dd>{roughly(sumOf(rows, (row) => row.modelCalls))}</dd>
        </div>
      </dl>
      {estimated > 0 && <p className="soft small">{t('usage.estimated', { count: estimated })}</p>}
      {unpriced > 0 && <p className="soft small">{t('usage.unpriced', { count: unpriced })}</p>}
    </>
  );
}

function nameOf(group: Group, row: UsageRow, assistants: AssistantsQuery['assistants']): string {
  const assistant = assistants.find(({ key }) => key === row.assistantKey)?.name ?? row.assistantKey;
  const name = { ASSISTANT: assistant, MEMBER: row.member?.name, MODEL: row.model }[group];
  return name ?? t('usage.gone');
}

function UsageTable({ group, rows }: { group: Group; rows: readonly UsageRow[] }) {
  const [{ data }] = useQuery({ query: assistantsQuery });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Who has no mouse scrolls it by arrow keys.
    <div className="usage-scroller" role="region" aria-label={t('usage.by')} tabIndex={0}>
      <table className="usage-table">
        <thead>
          <tr>
            <th scope="col">{t(`usage.${group}`)}</th>
            <th scope="col">{t('usage.calls')}</th>
            <th scope="col">{t('usage.inputTokens')}</th>
            <th scope="col">{t('usage.outputTokens')}</th>
            <th scope="col">{t('usage.cost')}</th>
          </tr>
        </thead>
        <tbody>
          {rows
            .toSorted((one, other) => other.inputTokens - one.inputTokens)
            .map((row, index) => (
              <tr key={index}>
                <th scope="row">{nameOf(group, row, data?.assistants ?? [])}</th>
                <td>{row.modelCalls.toLocaleString()}</td>
                <td>{roughly(row.inputTokens)}</td>
                <td>{roughly(row.outputTokens)}</td>
                <td>{dollarsOf(row.costUsd)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
