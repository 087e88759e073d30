import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

import type { CursorKey, KeyType, Page, PageRequest } from '../common/page.js';

export interface Keyset<Row> {
  /** The sort keys with their SQL types, together unique: `{ updatedAt: 'timestamptz', id: 'uuid' }`. */
  keys: Record<string, KeyType>;
  direction: 'ASC' | 'DESC';
  keyOf: (row: Row) => CursorKey;
}

/** Reads one page by comparing sort keys, which costs the same on the first page and on the thousandth. */
export const readPage = async <Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
  keyset: Keyset<Row>,
  request: PageRequest,
): Promise<Page<Row>> => {
  const names = Object.keys(keyset.keys);
  const columns = names.map((name) => `${query.alias}.${name}`);
  const ascending = (keyset.direction === 'ASC') !== request.backward;
  const compare = (position: 'after' | 'before', sign: '<' | '>'): void => {
    const key = request[position];
    if (!key) return;
    const values = Object.entries(keyset.keys).map(([name, type]) => `CAST(:${position}_${name} AS ${type})`);
    query.andWhere(
      `(${columns.join(', ')}) ${sign} (${values.join(', ')})`,
      Object.fromEntries(names.map((name, index) => [`${position}_${name}`, key[index]])),
    );
  };
  compare('after', keyset.direction === 'ASC' ? '>' : '<');
  compare('before', keyset.direction === 'ASC' ? '<' : '>');
  for (const column of columns) query.addOrderBy(column, ascending ? 'ASC' : 'DESC');
  const found = await query.limit(request.limit + 1).getMany();
  const rows = found.slice(0, request.limit);
  if (request.backward) rows.reverse();
  return { request, rows, hasMore: found.length > request.limit, keyOf: keyset.keyOf };
};
