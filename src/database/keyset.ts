import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

import type { CursorKey, Page, PagedList, PageRequest } from '../common/schema/page.js';

/** How a list is sorted: declared once, for those who check what is asked for and those who read it. */
export interface Keyset<Row> extends PagedList {
  direction: 'ASC' | 'DESC';
  keyOf: (row: Row) => CursorKey;
}

/** By id: ids are given out in the order of time. */
export const newestFirst = (list: string): Keyset<{ id: string }> => ({
  list,
  keys: { id: 'uuid' },
  direction: 'DESC',
  keyOf: ({ id }) => [id],
});

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
  return cutToPage(await query.limit(request.limit + 1).getMany(), keyset, request);
};

/** The page of what was found in the order of its being read: one more than it holds, where there are more. */
export const cutToPage = <Row>(
  found: readonly Row[],
  { keyOf }: Keyset<Row>,
  request: PageRequest,
): Page<Row> => {
  const rows = found.slice(0, request.limit);
  if (request.backward) rows.reverse();
  return { request, rows, hasMore: found.length > request.limit, keyOf };
};
