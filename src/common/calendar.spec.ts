import fc from 'fast-check';

import { Calendar } from './calendar.js';
import { DAY_MS } from './clock.js';

const zones = [
  'UTC',
  'Africa/Cairo',
  'America/Caracas',
  'America/Havana',
  'America/New_York',
  'America/Nuuk',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Asia/Taipei',
  'Australia/Lord_Howe',
  'Europe/Dublin',
  'Europe/Madrid',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];
const calendars = new Map(zones.map((zone) => [zone, new Calendar(zone)]));

const inZone = fc.constantFrom(...calendars);
const moments = fc.date({
  min: new Date('1950-01-01'),
  max: new Date('2150-01-01'),
  noInvalidDate: true,
});

/** The local time according to Intl: `2026-11-23T07:30:00`. */
function clockOf(zone: string): (moment: Date) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  return (moment) => {
    const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]));
    const { year, month, day, hour, minute, second } = parts;
    return `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  };
}
const clocks = new Map(zones.map((zone) => [zone, clockOf(zone)]));

function textOf(date: Date): string {
  return date.toISOString().replace('.000Z', '');
}
function shown(zone: string, moment: string): string {
  return textOf(new Calendar(zone).shown(new Date(moment)));
}
function moment(zone: string, text: string): string {
  return textOf(new Calendar(zone).momentOf(new Date(`${text}Z`)));
}

describe('Calendar', () => {
  it.each([
    ['UTC', '2026-11-22T23:59:59Z', '2026-11-22T23:59:59'],
    ['Asia/Taipei', '2026-11-22T16:00:00Z', '2026-11-23T00:00:00'],
    ['Europe/Madrid', '2026-07-01T22:30:00Z', '2026-07-02T00:30:00'],
    ['Asia/Kathmandu', '2026-12-31T18:15:00Z', '2027-01-01T00:00:00'],
    ['Pacific/Kiritimati', '2026-01-01T00:00:00Z', '2026-01-01T14:00:00'],
    ['Pacific/Pago_Pago', '2026-01-01T10:59:59Z', '2025-12-31T23:59:59'],
    ['America/New_York', '0001-01-01T04:56:02Z', '0001-01-01T00:00:00'],
    ['Asia/Taipei', '0000-12-31T23:00:00Z', '0001-01-01T07:06:00'],
  ])('shows what a clock in %s says at %s', (zone, at, text) => {
    expect(shown(zone, at)).toBe(text);
    expect(moment(zone, text)).toBe(at.replace('Z', ''));
  });

  it('takes the first of two moments at which a clock shows the same', () => {
    expect(moment('Europe/Madrid', '2026-10-25T02:30:00')).toBe('2026-10-25T00:30:00');
    expect(moment('Europe/Madrid', '2026-10-25T03:00:00')).toBe('2026-10-25T02:00:00');
    // Put back to eleven in the evening: the next day begins an hour after its midnight was due.
    expect(moment('America/Sao_Paulo', '2018-02-17T23:30:00')).toBe('2018-02-18T01:30:00');
    expect(moment('America/Sao_Paulo', '2018-02-18T00:00:00')).toBe('2018-02-18T03:00:00');
  });

  it('takes what a clock leaves out for so much later', () => {
    expect(moment('Europe/Madrid', '2026-03-29T02:30:00')).toBe('2026-03-29T01:30:00');
    expect(moment('Australia/Lord_Howe', '2026-10-04T02:15:00')).toBe('2026-10-03T15:45:00');
    // A day that begins at one, and one that does not exist.
    expect(moment('Africa/Cairo', '2026-04-24T00:00:00')).toBe('2026-04-23T22:00:00');
    expect(moment('Pacific/Apia', '2011-12-30T00:00:00')).toBe(moment('Pacific/Apia', '2011-12-31T00:00:00'));
  });

  it('knows when a day began, and what it is called', () => {
    const calendar = new Calendar('Africa/Cairo');
    const noon = new Date('2026-04-24T09:00:00Z');
    expect(calendar.startOfDay(noon)).toEqual(new Date('2026-04-23T22:00:00Z'));
    expect(calendar.dayOf(noon)).toBe('2026-04-24');
    expect(new Calendar('Asia/Taipei').dayOf(new Date('2026-11-22T16:00:00Z'))).toBe('2026-11-23');
  });

  it('shows what Intl formats', () => {
    fc.assert(
      fc.property(inZone, moments, ([zone, calendar], at) => {
        const wanted = clocks.get(zone)?.(at) ?? '';
        expect(calendar.shown(at).toISOString().slice(0, 19)).toBe(wanted);
        expect(calendar.dayOf(at)).toBe(wanted.slice(0, 10));
      }),
    );
  });

  it('finds the moment again of which it was shown, or the one before it at which a clock showed the same', () => {
    fc.assert(
      fc.property(inZone, moments, ([, calendar], at) => {
        const shown = calendar.shown(at);
        const found = calendar.momentOf(shown);
        expect(calendar.shown(found)).toEqual(shown);
        if (found.getTime() !== at.getTime()) expect(isPutBackBetween(calendar, found, at)).toBe(true);
      }),
    );
  });

  it('begins each day before all of its moments', () => {
    fc.assert(
      fc.property(inZone, moments, ([, calendar], at) => {
        const start = calendar.startOfDay(at);
        expect(calendar.dayOf(start)).toBe(calendar.dayOf(at));
        expect(start.getTime()).toBeLessThanOrEqual(at.getTime());
        expect(calendar.dayOf(new Date(start.getTime() - 1))).not.toBe(calendar.dayOf(at));
      }),
    );
  });
});

/** The clock is put back by as much as lies between the two. */
function isPutBackBetween(calendar: Calendar, first: Date, second: Date): boolean {
  const lead = (at: Date): number => calendar.shown(at).getTime() - at.getTime();
  const apart = second.getTime() - first.getTime();
  return apart > 0 && apart < DAY_MS && lead(first) - lead(second) === apart;
}
