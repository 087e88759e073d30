import './schedules.css';
import { useState } from 'react';
import { useQuery } from 'urql';

import { isAdmin, useViewer } from '../app/viewer.js';
import { t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';
import { Page } from '../parts/page.js';
import { RowsPage } from '../parts/rows-page.js';
import { Nothing } from '../parts/states.js';
import { ScheduleDialog } from './schedule-dialog.js';
import { ScheduleRow } from './schedule-row.js';
import { schedulesQuery } from './schedules-operations.js';

/** Questions that are asked at certain times; admins also find those of others, without the questions. */
export function SchedulesScreen() {
  const viewer = useViewer();
  const [ofCompany, setOfCompany] = useState(false);
  const [revision, setRevision] = useState(0);
  const [isMaking, setIsMaking] = useState(false);
  const refresh = (): void => setRevision((before) => before + 1);
  return (
    <Page
      title={t('screen.schedules')}
      lead={t('schedules.lead')}
      actions={
        <button type="button" className="button main" onClick={() => setIsMaking(true)}>
          <Icon name="add" />
          {t('schedules.add')}
        </button>
      }
    >
      {isAdmin(viewer) && (
        <label className="choice">
          <input
            type="checkbox"
            checked={ofCompany}
            onChange={({ target }) => setOfCompany(target.checked)}
          />
          {t('schedules.ofCompany')}
        </label>
      )}
      <SchedulesPage key={`${ofCompany} ${revision}`} ofCompany={ofCompany} after={null} refresh={refresh} />
      {isMaking && <ScheduleDialog schedule={null} onClose={() => setIsMaking(false)} onKept={refresh} />}
    </Page>
  );
}

interface SchedulesPageProps {
  ofCompany: boolean;
  after: string | null;
  refresh: () => void;
}

function SchedulesPage({ ofCompany, after, refresh }: SchedulesPageProps) {
  const query = useQuery({
    query: schedulesQuery,
    variables: { ofCompany, after },
    requestPolicy: 'cache-and-network',
  });
  return (
    <RowsPage
      query={query}
      rowsOf={({ schedules }) => schedules}
      renderRow={(schedule) => <ScheduleRow key={schedule.id} schedule={schedule} refresh={refresh} />}
      renderNext={(cursor) => <SchedulesPage ofCompany={ofCompany} after={cursor} refresh={refresh} />}
      nothing={
        <Nothing icon="clock" title={t('schedules.none')}>
          {t('schedules.noneText')}
        </Nothing>
      }
    />
  );
}
