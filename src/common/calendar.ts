import { DAY_MS } from './clock.js';

/** The days of a time zone. A local time is a Date whose UTC fields show what a clock in the zone shows. */
export class Calendar {
  private readonly offsets: Intl.DateTimeFormat;

  /** `timeZone` is a name that Intl knows. */
  constructor(timeZone: string) {
    // Only the offset is formatted: Intl formats midnight and years before 1 in ways that are hard to parse.
    this.offsets = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  }

  /** The local time at a moment. Takes a few microseconds. */
  shown(moment: Date): Date {
    return new Date(moment.getTime() + this.offsetAt(moment.getTime()));
  }

  /** A local time that occurs twice is the first one. A skipped one moves later ("compatible" in Temporal). */
  momentOf(shown: Date): Date {
    const time = shown.getTime();
    // Offsets are less than a day, so these two are from before and after any change of the clocks.
    const before = time - this.offsetAt(time - DAY_MS);
    const after = time - this.offsetAt(time + DAY_MS);
    const isAfter = before + this.offsetAt(before) !== time && after + this.offsetAt(after) === time;
    return new Date(isAfter ? after : before);
  }

  startOfDay(moment: Date): Date {
    return this.momentOf(new Date(this.shown(moment).setUTCHours(0, 0, 0, 0)));
  }

  /** The local day of a moment: `2026-01-31`. */
  dayOf(moment: Date): string {
    return this.shown(moment).toISOString().slice(0, 10);
  }

  private offsetAt(time: number): number {
    // Such as `11/23/2026, GMT+05:45`. Historic offsets have seconds. No offset is written as `GMT`.
    const [, sign, hours = '0', minutes = '0', seconds = '0'] =
      /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(this.offsets.format(time)) ?? [];
    const offset = 1000 * (3600 * Number(hours) + 60 * Number(minutes) + Number(seconds));
    return sign === '-' ? -offset : offset;
  }
}
