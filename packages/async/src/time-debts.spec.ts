import { TimeDebts } from './time-debts.js';

describe('debts of time', () => {
  it('are paid off by the time that passes, each by itself', () => {
    const debts = new TimeDebts(0.5);
    debts.add('a', 100, 0);
    debts.add('b', 10, 0);
    expect([debts.of('a', 40), debts.of('b', 40), debts.of('c', 40)]).toEqual([80, 0, 0]);
    debts.add('a', 20, 40);
    expect(debts.waitUntil('a', 30, 40)).toBe(140);
  });

  it('are those of the last ten thousand who used time', () => {
    const debts = new TimeDebts(0.5);
    for (const key of ['again', 'once', 'again']) debts.add(key, 1_000, 0);
    for (let index = 1; index < 10_000; index += 1) debts.add(`${index}`, 1_000, 0);
    expect([debts.of('once', 0), debts.of('again', 0), debts.of('9999', 0)]).toEqual([0, 2_000, 1_000]);
  });
});
