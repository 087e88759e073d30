import { SystemClock } from './clock.js';
import { ManualClock } from './manual-clock.double.js';

const reason = new Error('Enough.');
const { signal } = new AbortController();

describe('the clock of the machine', () => {
  const clock = new SystemClock();

  it('tells the time', () => {
    const before = Date.now();
    const now = clock.now().getTime();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  it('calls back unless that was cancelled', async () => {
    const called: string[] = [];
    const over = Promise.withResolvers<void>();
    const callOff = clock.after(1, () => called.push('first'));
    callOff();
    // Later than the first would have been.
    clock.after(2, () => {
      called.push('second');
      over.resolve();
    });
    await over.promise;
    expect(called).toEqual(['second']);
  });

  it('pauses until the signal is aborted', async () => {
    await expect(clock.pause(1, signal)).resolves.toBeUndefined();
    await expect(clock.pause(1, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const paused = clock.pause(3_600_000, controller.signal);
    controller.abort(reason);
    await expect(paused).rejects.toBe(reason);
  });
});

describe('the clock of tests', () => {
  it('stands still until it is advanced', () => {
    const clock = new ManualClock(new Date(1_000));
    expect(clock.now()).toEqual(new Date(1_000));
    clock.advance(500);
    expect(clock.now()).toEqual(new Date(1_500));
  });

  it('calls back in the order of time, including timers that callbacks add', () => {
    const clock = new ManualClock(new Date(0));
    const called: string[] = [];
    const note = (name: string) => () => called.push(`${name} at ${clock.now().getTime()}`);
    clock.after(30, note('third'));
    clock.after(10, () => {
      note('first')();
      clock.after(10, note('second'));
      clock.after(100, note('late'));
    });
    clock.advance(50);
    expect(called).toEqual(['first at 10', 'second at 20', 'third at 30']);
    expect([clock.now().getTime(), clock.waiting]).toEqual([50, 1]);
  });

  it('does not call back after cancelling', () => {
    const clock = new ManualClock();
    clock.after(10, () => {
      throw new Error('It was called off.');
    })();
    clock.advance(10);
    expect(clock.waiting).toBe(0);
  });

  it('pauses until it is advanced far enough', async () => {
    const clock = new ManualClock();
    const paused = clock.pause(10, signal);
    clock.advance(9);
    expect(clock.waiting).toBe(1);
    clock.advance(1);
    await expect(paused).resolves.toBeUndefined();
  });

  it('stops pausing when the signal is aborted', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const paused = clock.pause(10, controller.signal);
    controller.abort(reason);
    await expect(paused).rejects.toBe(reason);
    await expect(clock.pause(10, controller.signal)).rejects.toBe(reason);
    expect(clock.waiting).toBe(0);
  });

  it('tells when the next timer is set', async () => {
    const clock = new ManualClock();
    const asked = clock.nextTimer();
    clock.after(1, () => undefined);
    await expect(asked).resolves.toBeUndefined();
  });
});
