import { Cron } from 'croner';

import type { Schedule } from './schedule.repository.js';

type Times = Pick<Schedule, 'cron' | 'at' | 'timeZone'>;

/** A run later than this was missed, because no process was running. */
const MISSED_AFTER_MS = 10 * 60_000;

/** The runs of a day at intervals of 15 minutes, and the next day's first. */
const CHECKED_RUNS = 97;

/**
 * When clocks go forward, a skipped time moves to the end of the gap. When they go back, a repeated time runs once.
 * Only times from `*` or a step, such as each quarter of an hour, are skipped and repeated.
 */
function cronOf(pattern: string, timezone: string): Cron {
  return new Cron(pattern, { timezone, mode: '5-part', fixedTimeRule: 'no-wildcard' });
}

/** The fault of a cron expression, for people. Null: none. */
export function problemOf(pattern: string, leastMinutes: number, now: Date): string | null {
  // croner accepts dates too.
  if (!/^\s*(@[a-z]+|(\S+\s+){4}\S+)\s*$/i.test(pattern))
    return 'A cron expression has five fields: minute, hour, day of the month, month, day of the week.';
  let runs: Date[];
  try {
    // In UTC, which skips no hour.
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

/** The first time after `after`. Null: none. */
export function nextDue({ cron, at, timeZone }: Times, after: Date): Date | null {
  if (cron !== null) return cronOf(cron, timeZone).nextRun(after);
  return at !== null && at > after ? at : null;
}

/** What to do about a due schedule. */
export interface DueRun {
  /** The newest due time. If it does not run, the first missed one. */
  due: Date;
  /** Whether to ask now. */
  runs: boolean;
  /** The first missed time before `due`. Null: none. */
  missed: Date | null;
  nextAt: Date | null;
}

/** `nextAt`: the time since which the schedule is due, not later than `now`. */
export function dueRun(schedule: Times & Pick<Schedule, 'missedRuns'>, nextAt: Date, now: Date): DueRun {
  const due = newestDue(schedule, nextAt, now);
  const next = nextDue(schedule, now);
  const isMissed = now.getTime() - due.getTime() > MISSED_AFTER_MS;
  if (isMissed && schedule.missedRuns === 'SKIP')
    return { due: nextAt, runs: false, missed: null, nextAt: next };
  return { due, runs: true, missed: due > nextAt ? nextAt : null, nextAt: next };
}

function newestDue({ cron, timeZone }: Times, nextAt: Date, now: Date): Date {
  if (cron === null) return nextAt;
  // croner returns times before the given one, read in whole seconds.
  const [newest] = cronOf(cron, timeZone).previousRuns(1, new Date(now.getTime() + 1_000));
  return newest !== undefined && newest <= now && newest > nextAt ? newest : nextAt;
}
