import { Cron } from 'croner';

import type { Schedule } from './schedule.repository.js';

type Times = Pick<Schedule, 'cron' | 'at' | 'timeZone'>;

/** A run that begins later than this was missed: no process was there for it. */
const MISSED_AFTER_MS = 10 * 60_000;

/** As many runs as a day has whose runs are a quarter of an hour apart, and the first of the next day. */
const CHECKED_RUNS = 97;

/**
 * When clocks are put forward, a time that is skipped comes at the end of the gap. When they are put back, a time that is
 * there twice comes once. Only what is given by `*` or a step, as every quarter of an hour, is skipped and repeated.
 */
function cronOf(pattern: string, timezone: string): Cron {
  return new Cron(pattern, { timezone, mode: '5-part', fixedTimeRule: 'no-wildcard' });
}

/** What is wrong with a cron expression, for people; null: nothing. */
export function problemOf(pattern: string, leastMinutes: number, now: Date): string | null {
  // croner takes a date for a cron expression, too.
  if (!/^\s*(@[a-z]+|(\S+\s+){4}\S+)\s*$/i.test(pattern)) {
    return 'A cron expression has five fields: minute, hour, day of the month, month, day of the week.';
  }
  let runs: Date[];
  try {
    // In UTC, where no hour is missing.
    runs = cronOf(pattern, 'UTC').nextRuns(CHECKED_RUNS, now);
  } catch (error) {
    return `This is no cron expression: ${error instanceof Error ? error.message : 'it cannot be read.'}`;
  }
  if (runs.length === 0) return 'No day fits this cron expression.';
  const isTooOften = runs.some((run, index) => {
    const before = runs[index - 1];
    return before !== undefined && run.getTime() - before.getTime() < leastMinutes * 60_000;
  });
  return isTooOften ? `Between two runs there are at least ${leastMinutes} minutes.` : null;
}

/** The first time later than `after`; null: there is none any more. */
export function nextDue({ cron, at, timeZone }: Times, after: Date): Date | null {
  if (cron !== null) return cronOf(cron, timeZone).nextRun(after);
  return at !== null && at > after ? at : null;
}

/** What is to be done about a schedule that is due. */
export interface DueRun {
  /** The newest time that is due; where it does not run, the first that was missed. */
  due: Date;
  /** Whether to ask now. */
  runs: boolean;
  /** The first time before `due` that was missed; null: there is none. */
  missed: Date | null;
  nextAt: Date | null;
}

/** `nextAt`: the time that the schedule was due at first, not later than `now`. */
export function dueRun(schedule: Times & Pick<Schedule, 'missedRuns'>, nextAt: Date, now: Date): DueRun {
  const due = newestDue(schedule, nextAt, now);
  const next = nextDue(schedule, now);
  const isMissed = now.getTime() - due.getTime() > MISSED_AFTER_MS;
  if (isMissed && schedule.missedRuns === 'SKIP') {
    return { due: nextAt, runs: false, missed: null, nextAt: next };
  }
  return { due, runs: true, missed: due > nextAt ? nextAt : null, nextAt: next };
}

function newestDue({ cron, timeZone }: Times, nextAt: Date, now: Date): Date {
  if (cron === null) return nextAt;
  // It gives times before the one that is asked for, which is read in whole seconds.
  const [newest] = cronOf(cron, timeZone).previousRuns(1, new Date(now.getTime() + 1_000));
  return newest !== undefined && newest <= now && newest > nextAt ? newest : nextAt;
}
