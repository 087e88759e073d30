import { ArgsType, Int, Field, ObjectType } from '@nestjs/graphql';
import type { Type } from '@nestjs/common';

import { badInput } from '../errors/domain-error.js';
import { isId } from '../ids.js';
import { Nullable } from './fields.js';

export const MAX_PAGE = 100;
export const DEFAULT_PAGE = 20;

@ArgsType()
export class ForwardPageArguments {
  @Nullable(
    () => Int,
    `The page size, from the start of the list: 0 to ${MAX_PAGE}. Default: ${DEFAULT_PAGE}.`,
  )
  first?: number | null;

  @Nullable(() => String, 'Returns only items after this cursor.')
  after?: string | null;
}

@ArgsType()
export class PageArguments extends ForwardPageArguments {
  @Nullable(() => Int, `The page size, from the end of the list: 0 to ${MAX_PAGE}. Not together with first.`)
  last?: number | null;

  @Nullable(() => String, 'Returns only items before this cursor.')
  before?: string | null;
}

/** A checked request for a page. `after` and `before` are the sort keys of the rows next to the page. */
export interface PageRequest {
  /** The name of the list in its cursors. */
  list: string;
  limit: number;
  /** Backward pages are read from the end. Their rows are still in the list's order. */
  backward: boolean;
  after: CursorKey | null;
  before: CursorKey | null;
}

export type CursorKey = string[];

/** PostgreSQL has no year 0, which JavaScript has. */
const INSTANT = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function isInstant(text: string): boolean {
  const time = INSTANT.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}

function isKey(text: string): boolean {
  return text.length > 0;
}

/** Validators of sort keys by SQL type: cursors come from outside. */
const keyValidators = { uuid: isId, timestamptz: isInstant, text: isKey } as const satisfies Record<
  string,
  (text: string) => boolean
>;
type KeyType = keyof typeof keyValidators;

export interface PagedList {
  /** Its name in cursors. It must never change, for clients may keep cursors. */
  list: string;
  /** The sort keys, unique together, with their SQL types: `{ updatedAt: 'timestamptz', id: 'uuid' }`. */
  keys: Readonly<Record<string, KeyType>>;
}

/** A page of rows in the list's order. `hasMore` is about the direction of reading. */
export interface Page<Row> {
  request: PageRequest;
  rows: Row[];
  /** The estimated size of the rows. */
  bytes: number;
  hasMore: boolean;
  keyOf: (row: Row) => CursorKey;
}

/** Checks the arguments of a client. Throws BAD_USER_INPUT. */
export function pageRequest(given: PageArguments, { list, keys }: PagedList): PageRequest {
  if (given.first != null && given.last != null)
    throw badInput(['last'], 'Ask for the first or for the last, not for both.');
  const backward = given.last != null;
  const limit = given.last ?? given.first ?? DEFAULT_PAGE;
  if (limit < 0 || limit > MAX_PAGE)
    throw badInput([backward ? 'last' : 'first'], `A page has 0 to ${MAX_PAGE} items.`);
  const keyAt = (name: 'after' | 'before'): CursorKey | null => {
    const cursor = given[name];
    if (cursor == null) return null;
    const key = readCursor(cursor, { list, keys });
    if (!key) throw badInput([name], 'This is not a cursor of this list.');
    return key;
  };
  return { list, limit, backward, after: keyAt('after'), before: keyAt('before') };
}

/** The cursor contains the name of the list, so that a cursor of another list is refused. */
export function encodeCursor(list: string, key: CursorKey): string {
  return encoded([list, ...key]);
}

/** Null: not a cursor of this list. Cursors of earlier versions, which clients may keep, have no list name. */
export function readCursor(cursor: string, { list, keys }: PagedList): CursorKey | null {
  const types = Object.values(keys);
  const parts = Buffer.from(cursor, 'base64url').toString('utf8').split('~');
  const key = parts[0] === list ? parts.slice(1) : parts;
  const fits =
    key.length === types.length && types.every((type, index) => keyValidators[type](key[index] ?? ''));
  return fits && encoded(parts) === cursor ? key : null;
}

function encoded(parts: readonly string[]): string {
  return Buffer.from(parts.join('~')).toString('base64url');
}

@ObjectType({
  description:
    'The position of a page in its list. A page is cut at 2 MB, so it can have fewer items than requested: hasNextPage says whether there are more, or hasPreviousPage for a page from the end.',
})
class PageInfo {
  @Field(() => Boolean, {
    description:
      'Whether more items follow this page. With before this is always true, without a check: the item of that cursor may have been deleted or moved, so the next page can be empty.',
  })
  hasNextPage!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether more items precede this page. With after this is always true, without a check: the item of that cursor may have been deleted or moved, so the previous page can be empty.',
  })
  hasPreviousPage!: boolean;

  @Nullable(() => String, 'The cursor of the first item. Null if the page is empty.')
  startCursor!: string | null;

  @Nullable(() => String, 'The cursor of the last item. Null if the page is empty.')
  endCursor!: string | null;
}

interface Edge<Row> {
  cursor: string;
  node: Row;
}

export interface Connection<Row> {
  edges: Edge<Row>[];
  pageInfo: PageInfo;
}

/** A connection with the estimated size of its rows. */
class ReadConnection<Row> implements Connection<Row> {
  constructor(
    readonly edges: Edge<Row>[],
    readonly pageInfo: PageInfo,
    readonly bytes: number,
  ) {}
}

/** Whether a value was made by `toConnection`. */
export function isConnection(value: unknown): value is ReadConnection<unknown> {
  return value instanceof ReadConnection;
}

/** The Relay connection type of `model`, as a base class for a type called `name`. */
export function connectionOf<Model extends object>(
  model: Type<Model>,
  name: string,
): Type<Connection<Model>> {
  @ObjectType(`${name}Edge`, { description: `One ${name} in a page.` })
  class EdgeModel implements Edge<Model> {
    @Field(() => String, { description: 'Its position in the list, for after and before.' })
    cursor!: string;

    @Field(() => model, { description: 'The item.' })
    node!: Model;
  }

  @ObjectType(`${name}Connection`, { description: `A page of ${name} items.` })
  class ConnectionModel implements Connection<Model> {
    @Field(() => [EdgeModel], {
      // The cost of the field with the page arguments counts the items.
      complexity: ({ childComplexity }) => 1 + childComplexity,
      description: 'The items of the page, in list order.',
    })
    edges!: Edge<Model>[];

    @Field(() => PageInfo, { description: 'What comes before and after the page.' })
    pageInfo!: PageInfo;
  }

  return ConnectionModel;
}

export function toConnection<Row>({ request, rows, bytes, hasMore, keyOf }: Page<Row>): Connection<Row> {
  const edges = rows.map((node) => ({ cursor: encodeCursor(request.list, keyOf(node)), node }));
  return new ReadConnection(
    edges,
    {
      // Known in the direction of reading. For the other direction Relay's specification allows what is efficient:
      // the cursor's row is there, unless it was deleted or moved. Certainty would cost every later page another
      // query. At worst a client gets an empty page, whereas `false` would prevent paging back.
      hasNextPage: request.before !== null || (!request.backward && hasMore),
      hasPreviousPage: request.after !== null || (request.backward && hasMore),
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    bytes,
  );
}
