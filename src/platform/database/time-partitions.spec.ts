import fc from 'fast-check';
import { v7 } from 'uuid';

import {
  firstIdOfDay,
  identifier,
  partitionDay,
  partitionDayNamed,
  partitionDays,
} from './time-partitions.js';

const moment = fc.date({
  min: new Date('1970-01-01'),
  max: new Date('9000-12-31'),
  noInvalidDate: true,
});

describe('the day of a partition', () => {
  it('is named after its date in UTC', () => {
    expect(partitionDay('turn_event', new Date('2026-03-01T23:59:59.999Z'))).toEqual({
      name: 'turn_event_20260301',
      from: '019ca6b1-dc00-0000-0000-000000000000',
      to: '019cabd8-3800-0000-0000-000000000000',
      endsAt: Date.UTC(2026, 2, 2),
    });
  });

  it('holds the ids of its moments and no others, and begins where the one before it ends', () => {
    fc.assert(
      fc.property(moment, moment, (at, other) => {
        const [day, next] = partitionDays('turn_event', at, 1);
        const id = v7({ msecs: other.getTime() });
        const isSameDay = at.toISOString().slice(0, 10) === other.toISOString().slice(0, 10);
        expect(id >= day!.from && id < day!.to).toBe(isSameDay);
        expect(day!.to).toBe(next!.from);
        expect(firstIdOfDay(at)).toBe(day!.from);
      }),
    );
  });

  it('is known by its name', () => {
    fc.assert(
      fc.property(moment, (at) => {
        const day = partitionDay('turn_event', at);
        expect(partitionDayNamed('turn_event', day.name)).toEqual(day);
      }),
    );
  });

  it.each(['turn_event_rest', 'turn_event_20260230', 'turn_event_2026', 'turn_20260301', 'x; DROP_20260301'])(
    'is not that of %s',
    (name) => expect(partitionDayNamed('turn_event', name)).toBeNull(),
  );
});

it.each(['', 'turn event', 'turn;', 'Turn', '"turn"', '_turn', 'turn\n'])(
  'no statement is made with the name %j',
  (name) => expect(() => identifier(name)).toThrow('is not the name'),
);
