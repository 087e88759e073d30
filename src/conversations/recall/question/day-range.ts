import { DAY_MS } from '../../../common/clock.js';

/** Whole days: `from` is the beginning of the first, `to` the end of the last, by what Dates say in UTC. */
export interface DayRange {
  from: Date;
  to: Date;
}

export const dayOf = (year: number, month: number, day: number): Date =>
  new Date(Date.UTC(year, month - 1, day));

export const startOfDay = (moment: Date): Date =>
  dayOf(moment.getUTCFullYear(), moment.getUTCMonth() + 1, moment.getUTCDate());

export const plusDays = (day: Date, days: number): Date => new Date(day.getTime() + days * DAY_MS);

/** The same day of another month, or its last day where it has fewer. */
export const plusMonths = (day: Date, months: number): Date => {
  const first = dayOf(day.getUTCFullYear(), day.getUTCMonth() + 1 + months, 1);
  const lastDay = dayOf(first.getUTCFullYear(), first.getUTCMonth() + 2, 0).getUTCDate();
  return plusDays(first, Math.min(day.getUTCDate(), lastDay) - 1);
};

export const daysFrom = (first: Date, days: number): DayRange => ({ from: first, to: plusDays(first, days) });

/** So many days before and after the day. */
export const daysAround = (day: Date, days: number): DayRange => daysFrom(plusDays(day, -days), 2 * days + 1);

export const monthRange = (year: number, month: number): DayRange => ({
  from: dayOf(year, month, 1),
  to: dayOf(year, month + 1, 1),
});

export const yearRange = (year: number): DayRange => ({ from: dayOf(year, 1, 1), to: dayOf(year + 1, 1, 1) });

/** Monday to Sunday. */
export const weekRange = (day: Date): DayRange => daysFrom(plusDays(day, -((day.getUTCDay() + 6) % 7)), 7);

/** The last such day of the week before today, 0 for Sunday. */
export const weekdayBefore = (today: Date, weekday: number): Date =>
  plusDays(today, -((today.getUTCDay() - weekday + 6) % 7) - 1);

/** Null: there is no such day, as 30 February. */
export const dayIfAny = (year: number, month: number, day: number): Date | null => {
  const date = dayOf(year, month, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : null;
};

/** Of moments too: the day on which a clock is put forward is a whole one. */
export const lengthInDays = ({ from, to }: DayRange): number =>
  Math.round((to.getTime() - from.getTime()) / DAY_MS);

export const isWithin = ({ from, to }: DayRange, moment: Date): boolean => moment >= from && moment < to;
