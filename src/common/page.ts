import { ArgsType, Field, Int } from '@nestjs/graphql';

import { badInput } from './domain-error.js';

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
  limit: number;
  /** Backward pages are read from the end; their rows are still in the list's order. */
  backward: boolean;
  after: CursorKey | null;
  before: CursorKey | null;
}

export type CursorKey = string[];

/** One page of rows, in the list's order, and whether there is more on the side it was read towards. */
export interface Page<Row> {
  request: PageRequest;
  rows: Row[];
  hasMore: boolean;
  keyOf: (row: Row) => CursorKey;
}

/** Checks what a client asks for. Rejects with BAD_USER_INPUT. `keyLength` is the number of sort keys. */
export const pageRequest = (given: PageArguments, keyLength: number): PageRequest => {
  if (given.first != null && given.last != null) {
    throw badInput(['last'], 'Ask for the first or for the last, not for both.');
  }
  const backward = given.last != null;
  const limit = given.last ?? given.first ?? DEFAULT_PAGE;
  if (limit < 0 || limit > MAX_PAGE) {
    throw badInput([backward ? 'last' : 'first'], `A page has 0 to ${MAX_PAGE} items.`);
  }
  return {
    limit,
    backward,
    after: decodeCursor('after', given.after, keyLength),
    before: decodeCursor('before', given.before, keyLength),
  };
};

export const encodeCursor = (key: CursorKey): string => Buffer.from(key.join('~')).toString('base64url');

const KEY = /^[0-9a-zA-Z:.-]{1,64}$/;

const decodeCursor = (
  name: string,
  cursor: string | null | undefined,
  keyLength: number,
): CursorKey | null => {
  if (cursor == null) return null;
  const key = Buffer.from(cursor, 'base64url').toString('utf8').split('~');
  if (key.length !== keyLength || !key.every((part) => KEY.test(part)) || encodeCursor(key) !== cursor) {
    throw badInput([name], 'This is not a cursor of this list.');
  }
  return key;
};
