import { MinuteCounter, networkOf } from './minute-counter.js';

describe('MinuteCounter', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const countOf = async (counter: MinuteCounter, times: number): Promise<(number | null)[]> => {
    const answers: (number | null)[] = [];
    for (let time = 0; time < times; time += 1) answers.push(await counter.count('ada'));
    return answers;
  };

  it('lets the limit pass, and then says how long to wait', async () => {
    const counter = new MinuteCounter(2);
    expect(await countOf(counter, 4)).toEqual([null, null, 60, 60]);
  });

  it('says the time that is left, in whole seconds and never none', async () => {
    const counter = new MinuteCounter(1);
    await counter.count('ada');
    vi.advanceTimersByTime(20_500);
    expect(await counter.count('ada')).toBe(40);
    vi.advanceTimersByTime(39_499);
    expect(await counter.count('ada')).toBe(1);
  });

  it('begins anew when the minute is over, however often it was asked meanwhile', async () => {
    const counter = new MinuteCounter(2);
    expect(await countOf(counter, 100)).toContain(60);
    vi.advanceTimersByTime(60_000);
    expect(await countOf(counter, 3)).toEqual([null, null, 60]);
  });

  it('forgets a key with its minute', async () => {
    const counter = new MinuteCounter(2);
    await counter.count('ada');
    await counter.count('grace');
    expect(vi.getTimerCount()).toBe(2);
    vi.advanceTimersByTime(60_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('counts each key by itself', async () => {
    const counter = new MinuteCounter(1);
    await counter.count('ada');
    expect(await counter.count('grace')).toBeNull();
    expect(await counter.count('ada')).toBe(60);
  });

  it('says how long to wait once as much was used as there is, or more', async () => {
    const counter = new MinuteCounter(10);
    expect(await counter.wait('ada')).toBeNull();
    await counter.add('ada', 9.5);
    expect(await counter.wait('ada')).toBeNull();
    await counter.add('ada', 25);
    expect([await counter.wait('ada'), await counter.wait('grace')]).toEqual([60, null]);
    vi.advanceTimersByTime(60_000);
    expect(await counter.wait('ada')).toBeNull();
  });

  it('takes a count back', async () => {
    const counter = new MinuteCounter(1);
    await counter.count('ada');
    await counter.forgive('ada');
    expect(await countOf(counter, 2)).toEqual([null, 60]);
  });
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['2001::3:4:5:6:7', '2001:0:0:3'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['', ''],
])('%s is of the network %s', (address, network) => expect(networkOf(address)).toBe(network));
