import { useQuery } from 'urql';

import { t } from '../i18n/catalogue.js';
import { durationOf, momentOf } from '../i18n/dates.js';
import { dollarsOf, roughly } from '../i18n/numbers.js';
import { Dialog } from '../parts/dialog.js';
import { Icon } from '../parts/icons.js';
import { Failure, Loading, Nothing } from '../parts/states.js';
import { ShowTurn } from './show-turn.js';
import { type TurnDetails, turnDetailsQuery } from './turns-operations.js';
import { SAID_BY_STATUS } from './turns-search.js';
import { Waterfall } from './waterfall.js';

interface TurnDialogProps {
  id: string;
  createdAt: string;
  onClose: () => void;
}

/** What became of a turn, and where its time and money went. */
export function TurnDialog({ id, createdAt, onClose }: TurnDialogProps) {
  // The API takes an end that is not part of it.
  const to = new Date(Date.parse(createdAt) + 1).toISOString();
  const [{ data, error, fetching }, again] = useQuery({
    query: turnDetailsQuery,
    variables: { filter: { from: createdAt, to } },
    requestPolicy: 'network-only',
  });
  const details = data?.turns.edges.find(({ node }) => node.id === id)?.node;
  return (
    <Dialog title={t('turns.title')} onClose={onClose} className="wide turn-dialog">
      <div className="content">
        {error && <Failure error={error} again={() => again({ requestPolicy: 'network-only' })} />}
        {!details && fetching && <Loading lines={6} />}
        {!details && !fetching && !error && <Nothing icon="turns" title={t('turns.goneAway')} />}
        {details && (
          <>
            <p className="soft">
              {details.conversation.assistant.name} · {details.memberName ?? t('usage.gone')} ·{' '}
              {momentOf(createdAt)}
            </p>
            <Ending turn={details} />
            <Facts turn={details} />
            <Waterfall turn={details} />
            <ShowTurn id={id} />
          </>
        )}
      </div>
    </Dialog>
  );
}

function Ending({ turn: { error } }: { turn: TurnDetails }) {
  if (!error) return null;
  return (
    <div className="notice bad">
      <Icon name="alert" />
      <p className="text">
        <strong>{error.codeValue}</strong> {error.message}{' '}
        {t(error.retryable ? 'turns.retryable' : 'turns.notRetryable')}
      </p>
    </div>
  );
}

function Facts({ turn: { status, finishReason, createdAt, finishedAt, usage } }: { turn: TurnDetails }) {
  const facts: [string, string][] = [
    [t('turns.status'), t(`turns.${status}`)],
    ...(finishReason === null || SAID_BY_STATUS.has(finishReason)
      ? []
      : [[t('turns.reason'), t(`turns.reason.${finishReason}`)] satisfies [string, string]]),
    [
      t('turns.duration'),
      finishedAt === null ? '–' : durationOf(Date.parse(finishedAt) - Date.parse(createdAt)),
    ],
    [t('usage.cost'), usage.costUsd === null ? t('turns.noPrice') : dollarsOf(usage.costUsd)],
    [t('usage.inputTokens'), roughly(usage.inputTokens)],
    [t('turns.cachedTokens'), roughly(usage.cachedInputTokens)],
    [t('usage.outputTokens'), roughly(usage.outputTokens)],
    [t('usage.calls'), roughly(usage.modelCalls)],
    [t('turns.skillCalls'), roughly(usage.skillCalls)],
  ];
  return (
    <dl className="turn-figures">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
