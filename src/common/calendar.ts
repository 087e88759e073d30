import { DAY_MS } from './clock.js';

/**
 * The days of a time zone. Whatever reads the date of a Date reads it in UTC. So a moment is shown first: as a Date whose
 * UTC fields are what a clock there says. Where days become moments again, they are made so by it as well.
 */
export class Calendar {
  private readonly offsets: Intl.DateTimeFormat;

  /** `timeZone`: a name that Intl knows. */
  constructor(timeZone: string) {
    // The offset alone: years before the first one and midnights would each be written in a way of their own.
    this.offsets = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  }

  /** What a clock shows at the moment. Takes a few microseconds. */
  shown(moment: Date): Date {
    return new Date(moment.getTime() + this.offsetAt(moment.getTime()));
  }

  /**
   * When a clock shows this: the first time, if it is put back and shows it twice. What it never shows, because it is
   * put forward, is later by as much. Temporal calls this compatible.
   */
  momentOf(shown: Date): Date {
    const time = shown.getTime();
    // No offset is as much as a day, so that these are the one before a change and the one after it.
    const before = time - this.offsetAt(time - DAY_MS);
    const after = time - this.offsetAt(time + DAY_MS);
    const isAfter = before + this.offsetAt(before) !== time && after + this.offsetAt(after) === time;
    return new Date(isAfter ? after : before);
  }

  /** When the day of the moment began. */
  startOfDay(moment: Date): Date {
    return this.momentOf(new Date(this.shown(moment).setUTCHours(0, 0, 0, 0)));
  }

  /** The day of the moment: `2026-01-31`. */
  dayOf(moment: Date): string {
    return this.shown(moment).toISOString().slice(0, 10);
  }

  private offsetAt(time: number): number {
    // `11/23/2026, GMT+05:45`. Offsets of long ago have seconds; CLDR's own way to write none at all is `GMT`.
    const [, sign, hours = '0', minutes = '0', seconds = '0'] =
      /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(this.offsets.format(time)) ?? [];
    const offset = 1000 * (3600 * Number(hours) + 60 * Number(minutes) + Number(seconds));
    return sign === '-' ? -offset : offset;
  }
}
