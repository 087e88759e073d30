import { language, t } from './catalogue.js';

const DAY_MS = 86_400_000;

export function timeOf(date: string): string {
  return format(date, { timeStyle: 'short' });
}

export function dayOf(date: string): string {
  return format(date, { dateStyle: 'medium' });
}

export function momentOf(date: string): string {
  return format(date, { dateStyle: 'medium', timeStyle: 'short' });
}

/** 0 is Sunday. */
export function weekdayOf(day: number): string {
  // The first of January 2023 was one.
  return format(new Date(2023, 0, 1 + day).toISOString(), { weekday: 'long' });
}

/** The time of today, else the day. */
export function whenOf(date: string): string {
  return daysAgo(date) === 0 ? timeOf(date) : dayOf(date);
}

/** Calendar days between then and today. */
export function daysAgo(date: string, now: Date = new Date()): number {
  const midnight = (of: Date): number => new Date(of.getFullYear(), of.getMonth(), of.getDate()).getTime();
  return Math.round((midnight(now) - midnight(new Date(date))) / DAY_MS);
}

/** Where a day (YYYY-MM-DD) of the reader's time zone begins, so many days later. */
export function midnight(day: string, daysLater = 0): Date {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + daysLater);
  return date;
}

export function durationOf(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 0.1) return t('time.instant');
  if (seconds >= 60) {
    return t('time.minutes', { minutes: Math.floor(seconds / 60), seconds: Math.round(seconds % 60) });
  }
  const digits = seconds < 10 ? 1 : 0;
  const style = { maximumFractionDigits: digits, minimumFractionDigits: digits };
  return t('time.seconds', { seconds: seconds.toLocaleString(language(), style) });
}

/** Making one takes longer than using it a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>();

function format(date: string, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify([language(), options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(language(), options);
  formats.set(key, format);
  return format.format(new Date(date));
}
