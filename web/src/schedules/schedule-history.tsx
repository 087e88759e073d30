import { Link } from '@tanstack/react-router';
import { useQuery } from 'urql';

import { t } from '../i18n/catalogue.js';
import { momentOf } from '../i18n/dates.js';
import { Dialog } from '../parts/dialog.js';
import { Failure, Loading } from '../parts/states.js';
import { scheduleRunsQuery } from './schedules-operations.js';

const TONES = { STARTED: 'good', BUSY: 'wait', MISSED: 'wait', REFUSED: 'bad' } as const;

/** What came of the times at which it was due, newest first. */
export function ScheduleHistory({ id, onClose }: { id: string; onClose: () => void }) {
  const [{ data, error }, again] = useQuery({
    query: scheduleRunsQuery,
    variables: { id },
    requestPolicy: 'network-only',
  });
  const runs = data?.node && 'runs' in data.node ? data.node.runs.edges : null;
  return (
    <Dialog title={t('schedules.history')} onClose={onClose}>
      <div className="content">
        {error && <Failure error={error} again={() => again({ requestPolicy: 'network-only' })} />}
        {!runs && !error && <Loading />}
        {runs?.length === 0 && <p className="soft">{t('schedules.noRuns')}</p>}
        {runs !== null && runs.length > 0 && (
          <ol className="plain rows">
            {runs.map(({ cursor, node: { dueAt, outcome, reason, turn } }) => (
              <li key={cursor} className="schedule-run">
                {turn ? (
                  <Link
                    to="/chat/$conversationId"
                    params={{ conversationId: turn.conversation.id }}
                    className="link"
                  >
                    {momentOf(dueAt)}
                  </Link>
                ) : (
                  <span>{momentOf(dueAt)}</span>
                )}
                <span className={`tag ${TONES[outcome]}`}>{t(`schedules.run.${outcome}`)}</span>
                {reason !== null && <p className="small">{reason}</p>}
              </li>
            ))}
          </ol>
        )}
      </div>
    </Dialog>
  );
}
