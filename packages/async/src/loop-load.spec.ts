import { LoopLoad } from './loop-load.js';

const WINDOW_MS = 100;

describe('the load of the event loop', () => {
  let utilization: number;
  let load: LoopLoad;
  let now: number;

  /** Measures `ms` in a window, and closes it. */
  const window = (ms: number, busy: number): void => {
    load.charge(ms, now);
    utilization = busy;
    now += WINDOW_MS;
  };

  beforeEach(() => {
    now = 0;
    utilization = 0;
    load = new LoopLoad(now, () => ({ active: utilization * WINDOW_MS, idle: 0, utilization }));
  });

  it('is not busy, and charges nothing, while the thread rests enough', () => {
    window(50, 0.7);
    expect(load.isBusy(now)).toBe(false);
    expect(load.charge(10, now)).toBe(0);
  });

  it('charges what was not measured in proportion to what was', () => {
    window(25, 1);
    expect(load.isBusy(now)).toBe(true);
    expect(load.charge(10, now)).toBeCloseTo(40);
  });

  it('charges less the more the thread rests', () => {
    window(85, 0.85);
    expect(load.charge(10, now)).toBeCloseTo(5);
  });

  it('charges no more than ten times what was measured', () => {
    window(1, 1);
    expect(load.charge(10, now)).toBe(100);
    now += WINDOW_MS;
    // Only the ten of the last window were measured.
    expect(load.charge(1, now)).toBe(10);
    now += WINDOW_MS;
    expect(load.charge(0, now)).toBe(0);
    now += WINDOW_MS;
    // Nothing was.
    expect(load.charge(1, now)).toBe(10);
  });

  it('never charges less than was measured on a thread that does not rest', () => {
    window(150, 1);
    expect(load.charge(10, now)).toBe(10);
  });

  it('charges nothing after a window in which nothing happened', () => {
    window(0, 0);
    expect(load.charge(10, now)).toBe(0);
  });

  it('knows no load before the first window has passed', () => {
    utilization = 1;
    load.charge(90, now);
    expect(load.isBusy(now + WINDOW_MS - 1)).toBe(false);
    expect(load.isBusy(now + WINDOW_MS)).toBe(true);
  });
});
