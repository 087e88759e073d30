import { StatementNames } from './statement-names.js';

describe('the names of statements', () => {
  it('are the same for the same text and role, and no other’s', () => {
    const names = new StatementNames();
    const first = names.nameOf('app', 'SELECT 1');
    expect(names.nameOf('app', 'SELECT 1')).toBe(first);
    const others = [names.nameOf('app', 'SELECT 2'), names.nameOf('system', 'SELECT 1')];
    expect(new Set([first, ...others]).size).toBe(3);
  });

  it('have an end', () => {
    const names = new StatementNames();
    const given = Array.from({ length: 600 }, (_, index) => names.nameOf('app', `SELECT ${index}`));
    expect(new Set(given.slice(0, 500)).size).toBe(500);
    expect(new Set(given.slice(500))).toEqual(new Set([undefined]));
    expect(names.nameOf('app', 'SELECT 7')).toBe(given[7]);
  });
});
