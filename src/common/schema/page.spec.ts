import fc from 'fast-check';

import { toConnection, encodeCursor, type PageArguments, type PagedList, pageRequest } from './page.js';
import { DomainError } from '../errors/domain-error.js';
import { newId } from '../ids.js';

const LIST = 'messages';

const byId: PagedList = { list: LIST, keys: { id: 'uuid' } };
const byTime: PagedList = { list: LIST, keys: { updatedAt: 'timestamptz', id: 'uuid' } };

function refusal(given: PageArguments, list = byId): unknown {
  try {
    return pageRequest(given, list);
  } catch (error) {
    return error instanceof DomainError ? [error.code, error.extensions.argument] : error;
  }
}

describe('a request for a page', () => {
  it.each<[PageArguments, string]>([
    [{ first: -1 }, 'first'],
    [{ first: 101 }, 'first'],
    [{ last: -1 }, 'last'],
    [{ last: 101 }, 'last'],
    [{ first: 1, last: 1 }, 'last'],
    [{ after: '' }, 'after'],
    [{ after: 'not a cursor' }, 'after'],
    [{ before: '💥' }, 'before'],
    [{ after: encodeCursor(LIST, ['hello']) }, 'after'],
    [{ after: encodeCursor(LIST, [newId(), newId()]) }, 'after'],
    [{ after: encodeCursor('files', [newId()]) }, 'after'],
    [{ before: encodeCursor('files', [newId()]) }, 'before'],
    [{ after: encodeCursor('', [newId()]) }, 'after'],
    [{ after: `${encodeCursor(LIST, [newId()])}=` }, 'after'],
    [{ before: encodeCursor(LIST, [new Date(0).toISOString(), newId()]) }, 'before'],
  ])('%j is refused, naming %s', (given, argument) => {
    expect(refusal(given)).toEqual(['BAD_USER_INPUT', argument]);
  });

  it.each([
    'now',
    'infinity',
    '2026-02-30T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    '2026-01-01T00:00:00Z',
    '2026-01-01T25:00:00.000Z',
    '+275760-09-13T00:00:00.000Z',
  ])('does not take %s for an instant, which the database would choke on or read its own way', (instant) => {
    const after = encodeCursor(LIST, [instant, newId()]);
    expect(refusal({ after }, byTime)).toEqual(['BAD_USER_INPUT', 'after']);
  });

  it('does not take an id in capitals, which no list gives', () => {
    const after = encodeCursor(LIST, [newId().toUpperCase()]);
    expect(refusal({ after })).toEqual(['BAD_USER_INPUT', 'after']);
  });

  it('takes any text for a cursor only when it is one that this list could have given', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (after) => {
        expect(refusal({ after })).toEqual(['BAD_USER_INPUT', 'after']);
      }),
    );
  });

  it('reads back the cursors it gives', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        fc.uuid(),
        (at, id) => {
          const key = [at.toISOString(), id];
          const after = encodeCursor(LIST, key);
          expect(pageRequest({ after }, byTime).after).toEqual(key);
        },
      ),
    );
  });

  it('reads the cursors that were given before they named their list', () => {
    const id = newId();
    const after = Buffer.from(id).toString('base64url');
    expect(pageRequest({ after }, byId).after).toEqual([id]);
  });

  it.each<[PageArguments, number, boolean]>([
    [{}, 20, false],
    [{ first: null, last: null, after: null, before: null }, 20, false],
    [{ first: 0 }, 0, false],
    [{ first: 100 }, 100, false],
    [{ last: 0 }, 0, true],
    [{ last: 100 }, 100, true],
  ])('%j asks for %d, from the end: %s', (given, limit, backward) => {
    expect(pageRequest(given, byId)).toEqual({
      list: LIST,
      limit,
      backward,
      after: null,
      before: null,
    });
  });
});

describe('a connection', () => {
  const [a, b] = [newId(), newId()];
  const infoOf = (given: PageArguments, rows: string[], hasMore: boolean) =>
    toConnection({ request: pageRequest(given, byId), rows, bytes: 0, hasMore, keyOf: (row) => [row] })
      .pageInfo;

  it('has an item beyond each of its cursors', () => {
    const given = { after: encodeCursor(LIST, [a]), before: encodeCursor(LIST, [b]) };
    for (const size of [{ first: 2 }, { last: 2 }]) {
      expect(infoOf({ ...given, ...size }, [], false)).toEqual({
        hasNextPage: true,
        hasPreviousPage: true,
        startCursor: null,
        endCursor: null,
      });
    }
  });

  it.each<[PageArguments, boolean, boolean, boolean]>([
    [{ first: 1 }, true, true, false],
    [{ first: 1 }, false, false, false],
    [{ last: 1 }, true, false, true],
    [{ last: 1 }, false, false, false],
  ])('of %j with more: %s says next: %s, previous: %s', (given, hasMore, hasNextPage, hasPreviousPage) => {
    const cursor = encodeCursor(LIST, [a]);
    expect(infoOf(given, [a], hasMore)).toEqual({
      hasNextPage,
      hasPreviousPage,
      startCursor: cursor,
      endCursor: cursor,
    });
  });
});
