import fc from 'fast-check';

import { cronOf, type Rhythm, rhythmOf } from './rhythm.js';

const rhythms: fc.Arbitrary<Rhythm> = fc
  .record({
    every: fc.constantFrom('day', 'weekdays', 'week', 'month'),
    hour: fc.nat(23),
    minute: fc.nat(59),
    weekday: fc.nat(6),
  })
  .map(({ every, hour, minute, weekday }) => ({
    every,
    time: `${`${hour}`.padStart(2, '0')}:${`${minute}`.padStart(2, '0')}`,
    weekday: every === 'week' ? weekday : 1,
  }));

it('is found again in its cron expression', () => {
  fc.assert(
    fc.property(rhythms, (rhythm) => {
      expect(rhythmOf(cronOf(rhythm))).toEqual(rhythm);
    }),
  );
});

it.each([
  [{ every: 'weekdays', time: '09:00', weekday: 1 }, '0 9 * * MON-FRI'],
  [{ every: 'week', time: '18:30', weekday: 0 }, '30 18 * * 0'],
  [{ every: 'month', time: '00:05', weekday: 1 }, '5 0 1 * *'],
] as const)('%j is %s', (rhythm, cron) => {
  expect(cronOf(rhythm)).toBe(cron);
});

it.each(['@daily', '*/15 * * * *', '0 9 1 * MON-FRI', '0 9 L * *', '0 24 * * *', '60 9 * * *', ''])(
  'is not seen in %j',
  (cron) => {
    expect(rhythmOf(cron)).toBeNull();
  },
);
