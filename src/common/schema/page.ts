import { ArgsType, Field, Int } from '@nestjs/graphql';

import { badInput } from '../errors/domain-error.js';
import { isId } from '../ids.js';

export const MAX_PAGE = 100;
const DEFAULT_PAGE = 20;

@ArgsType()
export class ForwardPageArguments {
  @Field(() => Int, {
    nullable: true,
    description: `How many at most, from the start: 0 to ${MAX_PAGE}. Left out: ${DEFAULT_PAGE}.`,
  })
  first?: number | null;

  @Field(() => String, { nullable: true, description: 'Only what comes after this cursor.' })
  after?: string | null;
}

@ArgsType()
export class PageArguments extends ForwardPageArguments {
  @Field(() => Int, {
    nullable: true,
    description: `How many at most, from the end: 0 to ${MAX_PAGE}. Not together with first.`,
  })
  last?: number | null;

  @Field(() => String, { nullable: true, description: 'Only what comes before this cursor.' })
  before?: string | null;
}

/** A checked request for one page. Positions are the sort keys of the row beside which the page lies. */
export interface PageRequest {
  /** What the list is called in its cursors. */
  list: string;
  limit: number;
  /** Backward pages are read from the end; their rows are still in the list's order. */
  backward: boolean;
  after: CursorKey | null;
  before: CursorKey | null;
}

export type CursorKey = string[];

/** PostgreSQL has no year 0, which JavaScript has. */
const INSTANT = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const isInstant = (text: string): boolean => {
  const time = INSTANT.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
};

/** What a sort key can be, in SQL, and whether a text is one: a cursor comes from outside. */
const keyForms = { uuid: isId, timestamptz: isInstant } as const satisfies Record<
  string,
  (text: string) => boolean
>;
export type KeyType = keyof typeof keyForms;

/** A list that is read in pages. */
export interface PagedList {
  /** What it is called in its cursors, which clients may keep: never changed. */
  list: string;
  /** The sort keys with their SQL types, together unique: `{ updatedAt: 'timestamptz', id: 'uuid' }`. */
  keys: Readonly<Record<string, KeyType>>;
}

/** One page of rows, in the list's order, and whether there is more on the side it was read towards. */
export interface Page<Row> {
  request: PageRequest;
  rows: Row[];
  hasMore: boolean;
  keyOf: (row: Row) => CursorKey;
}

/** Checks what a client asks for. Rejects with BAD_USER_INPUT. */
export const pageRequest = (given: PageArguments, { list, keys }: PagedList): PageRequest => {
  if (given.first != null && given.last != null) {
    throw badInput(['last'], 'Ask for the first or for the last, not for both.');
  }
  const backward = given.last != null;
  const limit = given.last ?? given.first ?? DEFAULT_PAGE;
  if (limit < 0 || limit > MAX_PAGE) {
    throw badInput([backward ? 'last' : 'first'], `A page has 0 to ${MAX_PAGE} items.`);
  }
  const readCursor = (name: 'after' | 'before'): CursorKey | null => {
    const cursor = given[name];
    if (cursor == null) return null;
    const key = decodeCursor(cursor, list, Object.values(keys));
    if (!key) throw badInput([name], 'This is not a cursor of this list.');
    return key;
  };
  return { list, limit, backward, after: readCursor('after'), before: readCursor('before') };
};

/** With the list's name: ids of different things look alike, and a place in one list is none in another. */
export const encodeCursor = (list: string, key: CursorKey): string => encoded([list, ...key]);

/** Null: it is none of this list. Earlier cursors, which clients may have kept, had no name in front. */
const decodeCursor = (cursor: string, list: string, keys: readonly KeyType[]): CursorKey | null => {
  const parts = Buffer.from(cursor, 'base64url').toString('utf8').split('~');
  const key = parts[0] === list ? parts.slice(1) : parts;
  const fits = key.length === keys.length && keys.every((type, index) => keyForms[type](key[index] ?? ''));
  return fits && encoded(parts) === cursor ? key : null;
};

const encoded = (parts: readonly string[]): string => Buffer.from(parts.join('~')).toString('base64url');
