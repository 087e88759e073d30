import { dueRun, nextDue, problemOf } from './schedule-times.js';

const now = new Date('2026-11-02T12:00:00Z');
const HOUR_MS = 3_600_000;

function timesOf(cron: string, timeZone: string, from: string, count: number): string[] {
  let at: Date | null = new Date(from);
  const times: string[] = [];
  while (times.length < count) {
    at = nextDue({ cron, at: null, timeZone }, at!);
    times.push(at!.toISOString().slice(0, 16));
  }
  return times;
}

describe('the next time', () => {
  it('is in the time zone, summer and winter', () => {
    expect(timesOf('0 9 * * *', 'Europe/Paris', '2026-10-23T12:00:00Z', 3)).toEqual([
      '2026-10-24T07:00',
      '2026-10-25T08:00',
      '2026-10-26T08:00',
    ]);
    expect(timesOf('0 9 * * MON', 'Asia/Kathmandu', '2026-11-02T12:00:00Z', 1)).toEqual(['2026-11-09T03:15']);
  });

  it.each([
    ['Europe/Paris', '30 2 * * *', '2026-03-28T12:00:00Z', ['2026-03-29T01:00', '2026-03-30T00:30']],
    ['Europe/Paris', '0,30 2 * * *', '2026-03-28T12:00:00Z', ['2026-03-29T01:00', '2026-03-30T00:00']],
    ['America/New_York', '30 2,14 * * *', '2026-03-08T05:00:00Z', ['2026-03-08T07:00', '2026-03-08T18:30']],
  ])('that clocks skip in %s, of %s, comes at the end of the gap', (timeZone, cron, from, times) => {
    expect(timesOf(cron, timeZone, from, times.length)).toEqual(times);
  });

  it.each([
    ['Europe/Paris', '30 2 * * *', '2026-10-24T12:00:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']],
    [
      'America/New_York',
      '0,30 1 * * *',
      '2026-11-01T04:00:00Z',
      ['2026-11-01T05:00', '2026-11-01T05:30', '2026-11-02T06:00'],
    ],
  ])('that clocks show twice in %s, of %s, comes once', (timeZone, cron, from, times) => {
    expect(timesOf(cron, timeZone, from, times.length)).toEqual(times);
  });

  it('of a step is skipped and repeated with the hour', () => {
    expect(timesOf('*/30 * * * *', 'Europe/Paris', '2026-03-29T00:29:00Z', 3)).toEqual([
      '2026-03-29T00:30',
      '2026-03-29T01:00',
      '2026-03-29T01:30',
    ]);
    expect(timesOf('*/30 * * * *', 'Europe/Paris', '2026-10-25T00:00:00Z', 4)).toEqual([
      '2026-10-25T00:30',
      '2026-10-25T01:00',
      '2026-10-25T01:30',
      '2026-10-25T02:00',
    ]);
  });

  it('of one that runs once is that one, and then none', () => {
    const once = { cron: null, at: now, timeZone: 'UTC' };
    expect(nextDue(once, new Date(now.getTime() - 1))).toEqual(now);
    expect(nextDue(once, now)).toBeNull();
  });
});

describe.each([
  ['Europe/Paris', '2026-03-28T12:00:00Z'],
  ['Europe/Paris', '2026-10-24T12:00:00Z'],
  ['America/New_York', '2026-03-08T00:00:00Z'],
  ['America/New_York', '2026-11-01T00:00:00Z'],
  // By half an hour.
  ['Australia/Lord_Howe', '2026-10-03T06:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T06:00:00Z'],
])('while clocks change in %s, from %s', (timeZone, from) => {
  it.each(['30 2 * * *', '0,30 1 * * *', '15 1,2,3 * * *', '*/30 * * * *', '0 2 * * SUN'])(
    'each time of %s is due once, whenever it is looked for',
    (cron) => {
      const times = timesOf(cron, timeZone, from, 60).map((time) => new Date(`${time}Z`));
      const [first] = times;
      for (let at = Date.parse(from); at < Date.parse(from) + 20 * HOUR_MS; at += HOUR_MS / 4) {
        const now = new Date(at + 7_000);
        const next = times.find((time) => time > now);
        expect(nextDue({ cron, at: null, timeZone }, now)).toEqual(next);
        if (first! > now) continue;
        const { due, nextAt } = dueRun({ cron, at: null, timeZone, missedRuns: 'ONCE' }, first!, now);
        expect([due, nextAt]).toEqual([times.findLast((time) => time <= now), next]);
      }
    },
  );
});

describe('a cron expression', () => {
  it.each(['0 9 * * MON-FRI', '*/15 * * * *', '@daily', '0 0 29 2 *', '0 9 L * *', ' 0  9 * * 1#1 '])(
    'is taken: %s',
    (pattern) => {
      expect(problemOf(pattern, 15, now)).toBeNull();
    },
  );

  it.each([
    ['0 9 * *', /five fields/],
    ['0 0 9 * * *', /five fields/],
    ['2027-01-01T00:00:00', /five fields/],
    ['0 25 * * *', /no cron expression/],
    ['@reboot', /no cron expression/],
    ['0 0 30 2 *', /No day fits/],
    ['*/10 * * * *', /at least 15 minutes/],
    ['0,5 9 * * MON', /at least 15 minutes/],
  ])('is refused: %s', (pattern, problem) => {
    expect(problemOf(pattern, 15, now)).toMatch(problem);
  });

  it('is refused for runs at the end of a day and the beginning of the next', () => {
    const midnight = new Date('2026-11-02T00:00:00Z');
    expect(problemOf('0,50 0,23 * * *', 15, midnight)).toMatch(/at least 15 minutes/);
  });

  it('is held to the least time that is set', () => {
    expect(problemOf('*/10 * * * *', 10, now)).toBeNull();
    expect(problemOf('0 * * * *', 61, now)).toMatch(/at least 61/);
  });
});

describe('what is due', () => {
  const hourly = { cron: '0 * * * *', at: null, timeZone: 'UTC' };
  const date = (time: string): Date => new Date(`2026-11-02T${time}:00Z`);

  it.each(['ONCE', 'SKIP'] as const)('is run when it is due, and no later than that: %s', (missedRuns) => {
    const schedule = { ...hourly, missedRuns };
    const due = { due: date('12:00'), runs: true, missed: null, nextAt: date('13:00') };
    expect(dueRun(schedule, date('12:00'), date('12:00'))).toEqual(due);
    expect(dueRun(schedule, date('12:00'), date('12:10'))).toEqual(due);
    const justBefore = new Date(date('13:00').getTime() - 1);
    expect(dueRun(schedule, date('12:00'), justBefore).due).toEqual(date('12:00'));
  });

  it('is made up for once, for the newest time', () => {
    const schedule = { ...hourly, missedRuns: 'ONCE' as const };
    expect(dueRun(schedule, date('08:00'), date('12:30'))).toEqual({
      due: date('12:00'),
      runs: true,
      missed: date('08:00'),
      nextAt: date('13:00'),
    });
    expect(dueRun(schedule, date('12:00'), date('12:30'))).toMatchObject({ runs: true, missed: null });
  });

  it('is left out where missed runs are skipped, unless the newest is due just now', () => {
    const schedule = { ...hourly, missedRuns: 'SKIP' as const };
    expect(dueRun(schedule, date('08:00'), date('12:30'))).toEqual({
      due: date('08:00'),
      runs: false,
      missed: null,
      nextAt: date('13:00'),
    });
    expect(dueRun(schedule, date('08:00'), date('12:05'))).toMatchObject({
      due: date('12:00'),
      runs: true,
      missed: date('08:00'),
    });
  });

  it('of one that runs once is followed by nothing', () => {
    const once = { cron: null, at: date('08:00'), timeZone: 'UTC' };
    const late = { due: date('08:00'), nextAt: null };
    expect(dueRun({ ...once, missedRuns: 'ONCE' }, date('08:00'), date('12:00'))).toEqual({
      ...late,
      runs: true,
      missed: null,
    });
    expect(dueRun({ ...once, missedRuns: 'SKIP' }, date('08:00'), date('12:00'))).toEqual({
      ...late,
      runs: false,
      missed: null,
    });
  });
});
