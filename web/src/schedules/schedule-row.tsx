import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMutation } from 'urql';

import { useViewer } from '../app/viewer.js';
import { t } from '../i18n/catalogue.js';
import { momentOf, weekdayOf } from '../i18n/dates.js';
import { Confirm } from '../parts/dialog.js';
import { Icon } from '../parts/icons.js';
import { Menu } from '../parts/menu.js';
import { Failure, FailureText } from '../parts/states.js';
import { rhythmOf } from './rhythm.js';
import { ScheduleDialog } from './schedule-dialog.js';
import { ScheduleHistory } from './schedule-history.js';
import {
  deleteScheduleMutation,
  type ListedSchedule,
  runScheduleMutation,
  setScheduleActiveMutation,
} from './schedules-operations.js';

type Task = 'change' | 'history' | 'delete';

interface ScheduleRowProps {
  schedule: ListedSchedule;
  refresh: () => void;
}

export function ScheduleRow({ schedule, refresh }: ScheduleRowProps) {
  const { id, status, pausedReason, nextAt, message, assistant } = schedule;
  const [task, setTask] = useState<Task | null>(null);
  const [{ error: notSet }, setActive] = useMutation(setScheduleActiveMutation);
  const { run, error: notRun, refusal } = useRun();
  const question = message ?? t('schedules.hidden');
  const error = notSet ?? notRun;
  const close = (): void => setTask(null);
  return (
    <li className="schedule">
      <div>
        <p>
          <strong className={message === null ? 'soft' : undefined}>{question}</strong>
        </p>
        <p className="soft small">
          {assistant.name} · {timeOf(schedule)}
          {nextAt !== null && ` · ${t('schedules.next', { moment: momentOf(nextAt) })}`}
        </p>
        {status !== 'ACTIVE' && (
          <span className={pausedReason === 'FAILURES' || pausedReason === 'REFUSED' ? 'tag bad' : 'tag'}>
            {pausedReason === null ? t('schedules.ended') : t(`schedules.paused.${pausedReason}`)}
          </span>
        )}
        {error && <Failure error={error} />}
        {refusal !== null && <FailureText text={refusal} />}
      </div>
      <ScheduleMenu
        schedule={schedule}
        run={() => void run(id)}
        setActive={(active) => void setActive({ id, active }).then((result) => result.error ?? refresh())}
        choose={setTask}
      />
      {task === 'change' && <ScheduleDialog schedule={schedule} onClose={close} onKept={refresh} />}
      {task === 'history' && <ScheduleHistory id={id} onClose={close} />}
      {task === 'delete' && <DeleteSchedule id={id} question={question} onClose={close} onDone={refresh} />}
    </li>
  );
}

interface ScheduleMenuProps {
  schedule: ListedSchedule;
  run: () => void;
  setActive: (active: boolean) => void;
  choose: (task: Task) => void;
}

/** Admins pause and delete those of others, and change none. */
function ScheduleMenu({ schedule, run, setActive, choose }: ScheduleMenuProps) {
  const { memberId, status, message } = schedule;
  const isOwn = useViewer().id === memberId;
  const isActive = status === 'ACTIVE';
  return (
    <Menu
      label={t('schedules.actionsOf', { question: message ?? t('schedules.hidden') })}
      face={<Icon name="more" />}
    >
      {isOwn && (
        <>
          <button type="button" onClick={run}>
            <Icon name="send" />
            {t('schedules.run')}
          </button>
          <button type="button" onClick={() => choose('change')}>
            <Icon name="edit" />
            {t('schedules.change')}
          </button>
        </>
      )}
      {status !== 'ENDED' && (
        <button type="button" onClick={() => setActive(!isActive)}>
          <Icon name={isActive ? 'stop' : 'again'} />
          {t(isActive ? 'schedules.pause' : 'schedules.resume')}
        </button>
      )}
      <button type="button" onClick={() => choose('history')}>
        <Icon name="clock" />
        {t('schedules.history')}
      </button>
      <button type="button" className="bad" onClick={() => choose('delete')}>
        <Icon name="remove" />
        {t('schedules.delete')}
      </button>
    </Menu>
  );
}

/** Asks now, and goes to where it is answered. */
function useRun() {
  const [{ error }, start] = useMutation(runScheduleMutation);
  const [refusal, setRefusal] = useState<string | null>(null);
  const navigate = useNavigate();
  const run = async (id: string): Promise<void> => {
    const started = (await start({ id })).data?.runSchedule;
    if (!started) return;
    if ('conversation' in started) {
      await navigate({
        to: '/chat/$conversationId',
        params: { conversationId: started.conversation.id },
      });
    } else if ('message' in started) setRefusal(started.message);
  };
  return { run, error, refusal };
}

/** When it asks, in words where there are some. */
function timeOf({ cron, at, timeZone }: ListedSchedule): string {
  if (cron === null) return at === null ? '–' : t('schedules.at.once', { moment: momentOf(at) });
  const rhythm = rhythmOf(cron);
  if (!rhythm) return `${cron} (${timeZone})`;
  const { every, time, weekday } = rhythm;
  return `${t(`schedules.at.${every}`, { time, weekday: weekdayOf(weekday) })} (${timeZone})`;
}

interface DeleteScheduleProps {
  id: string;
  question: string;
  onClose: () => void;
  onDone: () => void;
}

function DeleteSchedule({ id, question, onClose, onDone }: DeleteScheduleProps) {
  const [{ fetching, error }, remove] = useMutation(deleteScheduleMutation);
  return (
    <Confirm
      title={t('schedules.deleteTitle')}
      text={t('schedules.deleteText', { question })}
      action={t('schedules.delete')}
      isBusy={fetching}
      error={error}
      onClose={onClose}
      onConfirm={() => void remove({ id }).then((result) => result.error ?? onDone())}
    />
  );
}
