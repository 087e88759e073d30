import './turns.css';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useQuery } from 'urql';

import type { FinishReason, TurnFilter, TurnStatus } from '../gql/graphql.js';
import { t } from '../i18n/catalogue.js';
import { durationOf, momentOf } from '../i18n/dates.js';
import { dollarsOf } from '../i18n/numbers.js';
import { Page } from '../parts/page.js';
import { Failure, Loading, Nothing } from '../parts/states.js';
import { TurnDialog } from './turn-dialog.js';
import { TurnFilters } from './turn-filters.js';
import { type ListedTurn, turnsQuery } from './turns-operations.js';
import { filterOf } from './turns-search.js';

/** What was asked in the company and what became of it, without what was said. */
export function TurnsScreen() {
  const filter = filterOf(useSearch({ from: '/turns' }));
  const [opened, setOpened] = useState<ListedTurn | null>(null);
  return (
    <Page title={t('screen.turns')} lead={t('turns.lead')}>
      <TurnFilters />
      <TurnsPage key={JSON.stringify(filter)} filter={filter} after={null} open={setOpened} />
      {opened && <TurnDialog turn={opened} onClose={() => setOpened(null)} />}
    </Page>
  );
}

interface TurnsPageProps {
  filter: TurnFilter;
  after: string | null;
  open: (turn: ListedTurn) => void;
}

function TurnsPage({ filter, after, open }: TurnsPageProps) {
  const [{ data, error }, again] = useQuery({
    query: turnsQuery,
    variables: { filter, after },
    requestPolicy: 'cache-and-network',
  });
  const [isContinued, setIsContinued] = useState(false);
  if (error && !data) return <Failure error={error} again={() => again({ requestPolicy: 'network-only' })} />;
  if (!data) return <Loading lines={6} />;
  const { edges, pageInfo } = data.turns;
  if (edges.length === 0) {
    return (
      <Nothing icon="turns" title={t('turns.none')}>
        {t('turns.noneText')}
      </Nothing>
    );
  }
  return (
    <>
      <ul className="plain rows">
        {edges.map(({ node }) => (
          <TurnRow key={node.id} turn={node} open={() => open(node)} />
        ))}
      </ul>
      {pageInfo.hasNextPage &&
        (isContinued ? (
          <TurnsPage filter={filter} after={pageInfo.endCursor} open={open} />
        ) : (
          <button type="button" className="button" onClick={() => setIsContinued(true)}>
            {t('action.more')}
          </button>
        ))}
    </>
  );
}

const TONES: Partial<Record<TurnStatus, string>> = {
  COMPLETED: 'good',
  FAILED: 'bad',
  WAITING_FOR_APPROVAL: 'wait',
  WAITING_FOR_INPUT: 'wait',
};

export function StatusTag({ status }: { status: TurnStatus }) {
  return <span className={`tag ${TONES[status] ?? ''}`}>{t(`turns.${status}`)}</span>;
}

const SAID_BY_STATUS: ReadonlySet<FinishReason> = new Set(['ANSWERED', 'CANCELLED', 'ERROR']);

function TurnRow({ turn, open }: { turn: ListedTurn; open: () => void }) {
  const { status, finishReason, error, createdAt, finishedAt, memberName, conversation, usage } = turn;
  const facts = [
    memberName ?? t('usage.gone'),
    finishedAt !== null && durationOf(Date.parse(finishedAt) - Date.parse(createdAt)),
    usage.costUsd !== null && dollarsOf(usage.costUsd),
  ];
  return (
    <li className="turn">
      <button type="button" className="link" onClick={open}>
        {conversation.assistant.name}, {momentOf(createdAt)}
      </button>
      <span className="turn-tags">
        <StatusTag status={status} />
        {error && <code className="small">{error.codeValue}</code>}
        {finishReason !== null && !SAID_BY_STATUS.has(finishReason) && (
          <span className="tag">{t(`turns.reason.${finishReason}`)}</span>
        )}
      </span>
      <span className="turn-facts soft small">{facts.filter((fact) => fact !== false).join(' · ')}</span>
    </li>
  );
}
