import { DAY_MS } from './clock.js';

/**
 * The days of a time zone. It converts between moments and local times, where a local time is a Date whose UTC fields are
 * what a clock in the time zone shows. So all code can read dates in UTC.
 */
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

  /**
   * The moment of a local time. When clocks are put back and show it twice, it is the first. A local time that is skipped,
   * because clocks are put forward, is moved forward as much. Temporal calls this "compatible".
   */
  momentOf(shown: Date): Date {
    const time = shown.getTime();
    // Offsets are less than a day, so these two are from before and after any change of the clocks.
    const before = time - this.offsetAt(time - DAY_MS);
    const after = time - this.offsetAt(time + DAY_MS);
    const isAfter = before + this.offsetAt(before) !== time && after + this.offsetAt(after) === time;
    return new Date(isAfter ? after : before);
  }

  /** The moment at which the local day began. */
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
