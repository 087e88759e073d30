import type { EntityMetadata } from 'typeorm';

import {
  change,
  conditionOf,
  deletion,
  insertion,
  insertions,
  replacement,
  awaitAll,
} from './transaction.js';

const columns = [
  { propertyName: 'companyId', databaseName: 'company_id', type: 'uuid', isArray: false },
  { propertyName: 'id', databaseName: 'id', type: 'uuid', isArray: false },
  { propertyName: 'tags', databaseName: 'tags', type: 'text', isArray: true },
  { propertyName: 'data', databaseName: 'data', type: 'jsonb', isArray: false },
];
const metadata = {
  tableName: 'thing',
  primaryColumns: columns.slice(0, 2),
  findColumnWithPropertyName: (name: string) => columns.find(({ propertyName }) => propertyName === name),
} as unknown as EntityMetadata;

it('adds a row, with lists as lists and JSON as text', () => {
  expect(insertion(metadata, { id: 'a', tags: ['x'], data: [1] }, 'ON CONFLICT DO NOTHING')).toEqual({
    sql: 'INSERT INTO "thing" ("id", "tags", "data") VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    values: ['a', ['x'], '[1]'],
  });
});

it('adds rows whose properties come in any order', () => {
  const rows = [
    { id: 'a', data: null },
    { data: { b: 1 }, id: 'b' },
  ];
  expect(insertions(metadata, rows, '')).toEqual({
    sql: 'INSERT INTO "thing" ("id", "data") SELECT * FROM unnest($1::uuid[], $2::jsonb[]) ',
    values: [
      ['a', 'b'],
      [null, '{"b":1}'],
    ],
  });
});

it('replaces what is no key', () => {
  expect(replacement(metadata, { companyId: 'c', id: 'a', tags: [] }, ['at = now()']).sql).toBe(
    'INSERT INTO "thing" ("company_id", "id", "tags") VALUES ($1, $2, $3) ON CONFLICT ("company_id", "id") ' +
      'DO UPDATE SET "tags" = excluded."tags", at = now()',
  );
});

it('looks up by values, lists of them, and their absence', () => {
  expect(conditionOf(metadata, { companyId: 'c', data: null, id: ['a', 'b'] })).toEqual({
    sql: '"company_id" = $1 AND "data" IS NULL AND "id" = ANY ($2)',
    values: ['c', ['a', 'b']],
  });
  expect(change(metadata, { id: 'a', data: null }, { tags: ['y'], data: { b: 1 } })).toEqual({
    sql: 'UPDATE "thing" SET "tags" = $2, "data" = $3 WHERE "id" = $1 AND "data" IS NULL',
    values: ['a', ['y'], '{"b":1}'],
  });
  expect(deletion(metadata, { id: 'a' }).sql).toBe('DELETE FROM "thing" WHERE "id" = $1');
});

it('finds nothing by what cannot be stored, which PostgreSQL would refuse to look for', () => {
  expect(conditionOf(metadata, { companyId: 'c', id: 'a\0' })).toEqual({
    sql: '"company_id" = $1 AND false',
    values: ['c'],
  });
});

it('refuses what is no column, as it would be lost', () => {
  expect(() => insertion(metadata, { id: 'a', shoeSize: 42 }, '')).toThrow('shoeSize');
});

it('gives what each came to', async () => {
  expect(await awaitAll([Promise.resolve(1), null, Promise.resolve('2')])).toEqual([1, null, '2']);
});

it('tells the first failure in order, whichever came first', async () => {
  const slow = Promise.withResolvers<void>();
  const all = awaitAll([Promise.resolve(), slow.promise, Promise.reject(new Error('because of it'))]);
  slow.reject(new Error('the reason'));
  await expect(all).rejects.toThrow('the reason');
});

it('does not end before all have, for what is still under way belongs to the transaction', async () => {
  const slow = Promise.withResolvers<void>();
  let told: unknown = null;
  const all = awaitAll([Promise.reject(new Error('early')), slow.promise]).catch((error) => (told = error));
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toBeNull();
  slow.resolve();
  expect(await all).toEqual(new Error('early'));
});
