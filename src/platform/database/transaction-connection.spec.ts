import fc from 'fast-check';

import { JoinedReads, StatementNames } from './transaction-connection.js';

/** Answers a statement of one read, or of several joined ones, as a server does that finds `rowOf` each value. */
function scripted(rowOf: (value: number) => object | null) {
  const sent: { text: string; values: unknown[] }[] = [];
  const reads: JoinedReads = new JoinedReads(async (text, values, rowMode) => {
    sent.push({ text, values });
    await Promise.resolve();
    const rows = (values as number[]).map(rowOf);
    if (rowMode !== 'array') return { fields: [], rows: rows[0] ? [rows[0]] : [] };
    const found = rows.map((row) => [
      row ? true : null,
      ...['a', 'b'].map((name) => row?.[name as never] ?? null),
    ]);
    return {
      fields: found.flatMap(() => ['|', 'a', 'b'].map((name) => ({ name }))) as never,
      rows: [found.flat()],
    };
  });
  return { reads, sent };
}

describe('JoinedReads', () => {
  it('gives each read its own row, whatever the others find', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 6 }), async (values) => {
        const rowOf = (value: number) => (value % 3 === 0 ? null : { a: value, b: null });
        const { reads, sent } = scripted(rowOf);
        const rows = await Promise.all(values.map((value) => reads.add('SELECT $1', [value])));
        expect(rows).toEqual(values.map(rowOf));
        expect(sent).toHaveLength(1);
      }),
    );
  });

  it('numbers the values of all reads one after the other', async () => {
    const { reads, sent } = scripted(() => null);
    await Promise.all([reads.add('SELECT $2, $1', [1, 2]), reads.add('SELECT $1', [3])]);
    expect(sent[0]?.values).toEqual([1, 2, 3]);
    expect(sent[0]?.text).toMatch(/\(SELECT \$2, \$1\).*\(SELECT \$3\)/);
  });

  it('sends what was asked for before another statement, and the rest behind it', async () => {
    const { reads, sent } = scripted(() => null);
    const first = reads.add('first', [1]);
    reads.flush();
    const second = reads.add('second', [2]);
    await Promise.all([first, second]);
    expect(sent.map(({ text }) => text)).toEqual(['first', 'second']);
  });

  it('tells every read of a failure', async () => {
    const reads = new JoinedReads(() => Promise.reject(new Error('broken')));
    const outcomes = await Promise.allSettled([reads.add('a', [1]), reads.add('b', [2])]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

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
