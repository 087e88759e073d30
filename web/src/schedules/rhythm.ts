/** What most schedules are: at a time of day, on days that are easily said. */
export interface Rhythm {
  every: 'day' | 'weekdays' | 'week' | 'month';
  /** HH:MM */
  time: string;
  /** 0 is Sunday; heeded of a week alone. */
  weekday: number;
}

export function cronOf({ every, time, weekday }: Rhythm): string {
  const [hour, minute] = time.split(':').map(Number);
  const days = { day: '* * *', weekdays: '* * MON-FRI', week: `* * ${weekday}`, month: '1 * *' };
  return `${minute} ${hour} ${days[every]}`;
}

/** Null: it is none of these. */
export function rhythmOf(cron: string): Rhythm | null {
  const [, minute = '', hour = '', date, weekday = ''] =
    /^([0-5]?\d) ([01]?\d|2[0-3]) (\*|1) \* (\*|MON-FRI|[0-6])$/.exec(cron) ?? [];
  if (date === undefined || (date === '1' && weekday !== '*')) return null;
  const ofDays = { '*': 'day', 'MON-FRI': 'weekdays' } as const;
  return {
    every: date === '1' ? 'month' : weekday === '*' || weekday === 'MON-FRI' ? ofDays[weekday] : 'week',
    time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`,
    weekday: /\d/.test(weekday) ? Number(weekday) : 1,
  };
}
