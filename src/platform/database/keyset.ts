import { IsNull, type ObjectLiteral, type SelectQueryBuilder } from 'typeorm';

import { bytesOf, MAX_PAGE_BYTES } from '../../common/schema/answer-size.js';
import {
  type CursorKey,
  type ForwardPageArguments,
  type Page,
  type PagedList,
  pageRequest,
  type PageRequest,
} from '../../common/schema/page.js';
import { rowsOf } from './rows.js';
import type { RowKey, Transaction } from './transaction.js';

/** How a list is sorted. Declared once, for checking requests and for reading pages. */
export interface Keyset<Row> extends PagedList {
  direction: 'ASC' | 'DESC';
  keyOf: (row: Row) => CursorKey;
  /** Properties that may be so long that a few rows fill a page. */
  longTexts?: readonly string[];
}

/** Sorts by id: newer ids are larger. */
export function newestFirst(list: string): Keyset<{ id: string }> {
  return {
    list,
    keys: { id: 'uuid' },
    direction: 'DESC',
    keyOf: ({ id }) => [id],
  };
}

/** Reads a page by comparing sort keys. The thousandth page costs as much as the first. */
export async function readPage<Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
  keyset: Keyset<Row>,
  request: PageRequest,
): Promise<Page<Row>> {
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
  const order = ascending ? 'ASC' : 'DESC';
  for (const column of columns) query.addOrderBy(column, order);
  query.limit(request.limit + 1);
  if (keyset.longTexts) limitBytes(query, keyset.longTexts, columns, order);
  return cutToPage(await query.getMany(), keyset, request);
}

/** The order of a list that is read whole, sorted by key. */
export function inOrderOfKeys(list: string): Keyset<{ key: string }> {
  return { list, keys: { key: 'text' }, direction: 'ASC', keyOf: ({ key }) => [key] };
}

/** A page of a complete list, in the ascending order of its keys. Throws BAD_USER_INPUT. */
export function pageOfAll<Row>(
  all: readonly Row[],
  keyset: Keyset<Row>,
  given: ForwardPageArguments,
): Page<Row> {
  const request = pageRequest(given, keyset);
  const keyed = all.map((row) => ({ row, key: keyset.keyOf(row).join('~') }));
  const after = request.after?.join('~') ?? '';
  const rest = keyed.filter(({ key }) => key > after).toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const found = rest.slice(0, request.limit + 1).map(({ row }) => row);
  return cutToPage(found, keyset, request);
}

/**
 * Limits what is read to little more than fits a page: a row is read if the rows up to the last but one before it fit.
 * So the first row that does not fit is read too, which shows that there is more, even after a row that is too large alone.
 */
function limitBytes<Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
  texts: readonly string[],
  columns: readonly string[],
  order: 'ASC' | 'DESC',
): void {
  const { alias } = query;
  const written = texts.map((text) => `CAST(${alias}.${text} AS text)`).join(', ');
  const sized = query
    .clone()
    .select(`${alias}.id`, 'id')
    .addSelect(
      `sum(octet_length(concat(${written}))) OVER (ORDER BY ${columns.map((column) => `${column} ${order}`).join(', ')}
         ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING)`,
      'before',
    );
  query.andWhere(
    `${alias}.id IN (SELECT id FROM (${sized.getQuery()}) AS sized WHERE coalesce(before, 0) <= ${MAX_PAGE_BYTES})`,
  );
}

/** Cuts rows, in the order of reading, to a page. `found` has one row more than the page when there are more. */
export function cutToPage<Row>(
  found: readonly Row[],
  { keyOf }: Keyset<Row>,
  request: PageRequest,
): Page<Row> {
  const rows: Row[] = [];
  let bytes = 0;
  for (const row of found.slice(0, request.limit)) {
    const more = bytesOf(row);
    if (rows.length > 0 && bytes + more > MAX_PAGE_BYTES) break;
    rows.push(row);
    bytes += more;
  }
  const hasMore = found.length > rows.length;
  if (request.backward) rows.reverse();
  return { request, rows, bytes, hasMore, keyOf };
}

/** The basic methods of a repository, with pages of its rows. */
export function pagedRowsOf<E extends ObjectLiteral & { id: string }>(entity: new () => E) {
  return class extends rowsOf(entity) {
    page(tx: Transaction, keyset: Keyset<E>, request: PageRequest, key: RowKey<E> = {}): Promise<Page<E>> {
      const wanted = Object.entries(key).map(([name, value]) => [name, value === null ? IsNull() : value]);
      const query = tx.repository(entity).createQueryBuilder('row');
      query.where({ companyId: tx.companyId, ...Object.fromEntries(wanted) });
      return readPage(query, keyset, request);
    }
  };
}
