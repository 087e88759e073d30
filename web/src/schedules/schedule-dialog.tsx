import { useState } from 'react';
import { useMutation, useQuery } from 'urql';

import { assistantsQuery } from '../chat/conversation-operations.js';
import type { ScheduleWhenInput } from '../gql/graphql.js';
import { t } from '../i18n/catalogue.js';
import { weekdayOf } from '../i18n/dates.js';
import { Choice, Field, FormDialog, TextArea } from '../parts/form.js';
import { cronOf, type Rhythm, rhythmOf } from './rhythm.js';
import {
  createScheduleMutation,
  type ListedSchedule,
  updateScheduleMutation,
} from './schedules-operations.js';

const KINDS = ['day', 'weekdays', 'week', 'month', 'cron', 'once'] as const;
type Kind = (typeof KINDS)[number];

/** All that the form may say about when to ask; its kind says which of it holds. */
interface When {
  kind: Kind;
  time: string;
  weekday: number;
  cron: string;
  /** As the browser's field has it: YYYY-MM-DDTHH:MM, in the reader's time zone. */
  moment: string;
  timeZone: string;
}

const ZONES = Intl.supportedValuesOf('timeZone').map((zone) => [zone, zone] as const);

interface ScheduleDialogProps {
  /** What is changed; null: a new one. */
  schedule: ListedSchedule | null;
  onClose: () => void;
  onKept: () => void;
}

/** What is asked, of whom, and when. */
export function ScheduleDialog({ schedule, onClose, onKept }: ScheduleDialogProps) {
  const [{ data, error: unread }] = useQuery({ query: assistantsQuery, pause: schedule !== null });
  const [chosen, setChosen] = useState<string | null>(null);
  const [message, setMessage] = useState(schedule?.message ?? '');
  const [when, setWhen] = useState(() => whenOf(schedule));
  const [makesUp, setMakesUp] = useState(schedule?.missedRuns !== 'SKIP');
  const [made, create] = useMutation(createScheduleMutation);
  const [changed, update] = useMutation(updateScheduleMutation);
  const assistants = data?.assistants ?? [];
  const assistantKey = chosen ?? assistants[0]?.key ?? '';
  const save = async (): Promise<void> => {
    const missedRuns = makesUp ? ('ONCE' as const) : ('SKIP' as const);
    const input = { message, missedRuns, timeZone: when.timeZone, when: inputOf(when) };
    const { error } = schedule
      ? await update({ input: { id: schedule.id, ...input } })
      : await create({ input: { assistantKey, ...input } });
    if (error) return;
    onKept();
    onClose();
  };
  const error = unread ?? made.error ?? changed.error;
  return (
    <FormDialog
      title={t(schedule ? 'schedules.change' : 'schedules.add')}
      onSave={save}
      isBusy={made.fetching || changed.fetching}
      error={error}
      onClose={onClose}
    >
      <TextArea label={t('schedules.question')} rows={3} required value={message} onChange={setMessage} />
      {!schedule && (
        <Choice
          label={t('schedules.whom')}
          options={assistants.map(({ key, name }) => [key, name])}
          value={assistantKey}
          onChoose={setChosen}
        />
      )}
      <WhenFields when={when} change={(part) => setWhen({ ...when, ...part })} />
      <label className="choice">
        <input type="checkbox" checked={makesUp} onChange={({ target }) => setMakesUp(target.checked)} />
        {t('schedules.makeUp')}
      </label>
    </FormDialog>
  );
}

function WhenFields({ when, change }: { when: When; change: (part: Partial<When>) => void }) {
  const { kind, time, weekday, cron, moment, timeZone } = when;
  return (
    <>
      <Choice
        label={t('schedules.every')}
        options={KINDS.map((one) => [one, t(`schedules.every.${one}`)])}
        value={kind}
        onChoose={(chosen) => change({ kind: chosen })}
      />
      {kind === 'week' && (
        <Choice
          label={t('schedules.weekday')}
          options={[1, 2, 3, 4, 5, 6, 0].map((day) => [`${day}`, weekdayOf(day)])}
          value={`${weekday}`}
          onChoose={(day) => change({ weekday: Number(day) })}
        />
      )}
      {kind === 'cron' && (
        <Field
          label={t('schedules.cron')}
          required
          value={cron}
          onChange={(text) => change({ cron: text })}
        />
      )}
      {kind === 'once' && (
        <Field
          label={t('schedules.moment')}
          type="datetime-local"
          required
          value={moment}
          onChange={(text) => change({ moment: text })}
        />
      )}
      {kind !== 'cron' && kind !== 'once' && (
        <Field
          label={t('schedules.time')}
          type="time"
          required
          value={time}
          onChange={(text) => change({ time: text })}
        />
      )}
      {kind !== 'once' && (
        <Choice
          label={t('schedules.zone')}
          options={ZONES.some(([zone]) => zone === timeZone) ? ZONES : [[timeZone, timeZone], ...ZONES]}
          value={timeZone}
          onChoose={(zone) => change({ timeZone: zone })}
        />
      )}
    </>
  );
}

function whenOf(schedule: ListedSchedule | null): When {
  const usual: Rhythm = { every: 'weekdays', time: '09:00', weekday: 1 };
  const cron = schedule?.cron ?? cronOf(usual);
  const { every, time, weekday } = rhythmOf(cron) ?? usual;
  const known = rhythmOf(cron) ? every : 'cron';
  return {
    kind: schedule?.cron === null ? 'once' : known,
    time,
    weekday,
    cron,
    moment: schedule?.at ? localMomentOf(schedule.at) : '',
    timeZone: schedule?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

function inputOf({ kind, time, weekday, cron, moment }: When): ScheduleWhenInput {
  if (kind === 'once') return { at: new Date(moment).toISOString() };
  return { cron: kind === 'cron' ? cron : cronOf({ every: kind, time, weekday }) };
}

function localMomentOf(date: string): string {
  const then = new Date(date);
  return new Date(then.getTime() - then.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
