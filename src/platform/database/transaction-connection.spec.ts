import { StatementNames } from './transaction-connection.js';

describe('the names of statements', () => {
  it('are the same for the same text, role and connection, and for no other', () => {
    const names = new StatementNames();
    const connection = {};
    const first = names.of(connection).nameOf('app', 'SELECT 1');
    expect(names.of(connection).nameOf('app', 'SELECT 1')).toBe(first);
    const others = [
      names.of(connection).nameOf('app', 'SELECT 2'),
      names.of(connection).nameOf('system', 'SELECT 1'),
      names.of({}).nameOf('app', 'SELECT 1'),
    ];
    expect(new Set([first, ...others]).size).toBe(4);
    expect(names.of(connection).takeEvicted()).toEqual([]);
  });

  it('are kept for the most recent statements, and never used twice', () => {
    const names = new StatementNames(3).of({});
    const [a, b, c] = ['a', 'b', 'c'].map((text) => names.nameOf('app', text));
    expect(names.nameOf('app', 'a')).toBe(a);
    const d = names.nameOf('app', 'd');
    expect(names.takeEvicted()).toEqual([b]);
    expect(names.takeEvicted()).toEqual([]);
    const again = names.nameOf('app', 'b');
    expect(new Set([a, b, c, d, again]).size).toBe(5);
    expect(names.takeEvicted()).toEqual([c]);
  });
});
