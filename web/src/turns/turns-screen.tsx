import './turns.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useQuery } from 'urql';

import type { TurnFilter, TurnStatus } from '../gql/graphql.js';
import { t } from '../i18n/catalogue.js';
import { durationOf, momentOf } from '../i18n/dates.js';
import { dollarsOf } from '../i18n/numbers.js';
import { Page } from '../parts/page.js';
import { RowsPage } from '../parts/rows-page.js';
import { Nothing } from '../parts/states.js';
import { TurnDialog } from './turn-dialog.js';
import { TurnFilters } from './turn-filters.js';
import { type ListedTurn, turnsQuery } from './turns-operations.js';
import { filterOf, SAID_BY_STATUS } from './turns-search.js';

/** What was asked in the company and what became of it, without what was said. */
export function TurnsScreen() {
  const { turn, asked, ...chosen } = useSearch({ from: '/turns' });
  const navigate = useNavigate();
  const filter = filterOf(chosen);
  return (
    <Page title={t('screen.turns')} lead={t('turns.lead')}>
      <TurnFilters />
      <TurnsPage key={JSON.stringify(filter)} filter={filter} after={null} />
      {turn !== undefined && asked !== undefined && (
        <TurnDialog
          key={turn}
          id={turn}
          createdAt={asked}
          onClose={() => void navigate({ to: '/turns', search: chosen, replace: true })}
        />
      )}
    </Page>
  );
}

interface TurnsPageProps {
  filter: TurnFilter;
  after: string | null;
}

function TurnsPage({ filter, after }: TurnsPageProps) {
  const query = useQuery({
    query: turnsQuery,
    variables: { filter, after },
    requestPolicy: 'cache-and-network',
  });
  return (
    <RowsPage
      query={query}
      rowsOf={({ turns }) => turns}
      renderRow={(turn) => <TurnRow key={turn.id} turn={turn} />}
      renderNext={(cursor) => <TurnsPage filter={filter} after={cursor} />}
      nothing={
        <Nothing icon="turns" title={t('turns.none')}>
          {t('turns.noneText')}
        </Nothing>
      }
    />
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

function TurnRow({ turn }: { turn: ListedTurn }) {
  const { id, status, finishReason, error, createdAt, finishedAt, memberName, conversation, usage } = turn;
  const facts = [
    memberName ?? t('usage.gone'),
    finishedAt !== null && durationOf(Date.parse(finishedAt) - Date.parse(createdAt)),
    usage.costUsd !== null && dollarsOf(usage.costUsd),
  ];
  return (
    <li className="turn">
      <Link to="/turns" search={(search) => ({ ...search, turn: id, asked: createdAt })} className="link">
        {conversation.assistant.name}, {momentOf(createdAt)}
      </Link>
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
