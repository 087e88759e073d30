const DAY_MS = 86_400_000;

/** Whole days from `from` (inclusive) to `to` (exclusive), by the UTC fields of the Dates. */
export interface DayRange {
  from: Date;
  to: Date;
}

export function dayOf(year: number, month: number, day: number): Date {
  return new Date(Date.UTC(year, month - 1, day));
}

export function startOfDay(moment: Date): Date {
  return dayOf(moment.getUTCFullYear(), moment.getUTCMonth() + 1, moment.getUTCDate());
}

export function plusDays(day: Date, days: number): Date {
  return new Date(day.getTime() + days * DAY_MS);
}

/** The same day of another month, or that month's last day. */
export function plusMonths(day: Date, months: number): Date {
  const first = dayOf(day.getUTCFullYear(), day.getUTCMonth() + 1 + months, 1);
  const lastDay = dayOf(first.getUTCFullYear(), first.getUTCMonth() + 2, 0).getUTCDate();
  return plusDays(first, Math.min(day.getUTCDate(), lastDay) - 1);
}

export function daysFrom(first: Date, days: number): DayRange {
  return { from: first, to: plusDays(first, days) };
}

export function daysAround(day: Date, days: number): DayRange {
  return daysFrom(plusDays(day, -days), 2 * days + 1);
}

export function monthRange(year: number, month: number): DayRange {
  return {
    from: dayOf(year, month, 1),
    to: dayOf(year, month + 1, 1),
  };
}

export function yearRange(year: number): DayRange {
  return { from: dayOf(year, 1, 1), to: dayOf(year + 1, 1, 1) };
}

/** Monday to Sunday. */
export function weekRange(day: Date): DayRange {
  return daysFrom(plusDays(day, -((day.getUTCDay() + 6) % 7)), 7);
}

/** The last such weekday before today; 0 is Sunday. */
export function weekdayBefore(today: Date, weekday: number): Date {
  return plusDays(today, -((today.getUTCDay() - weekday + 6) % 7) - 1);
}

/** Null: there is no such day, for example 30 February. */
export function dayIfAny(year: number, month: number, day: number): Date | null {
  const date = dayOf(year, month, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : null;
}

/** Rounded: ranges of moments may include a change of daylight saving time. */
export function lengthInDays({ from, to }: DayRange): number {
  return Math.round((to.getTime() - from.getTime()) / DAY_MS);
}

export function isWithin({ from, to }: DayRange, moment: Date): boolean {
  return moment >= from && moment < to;
}
