import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';

import { isConnectionFailure, isUniqueViolation, sqlStateOf } from './connection-failure.js';

function serverError(code: string): Error {
  return Object.assign(new DatabaseError('as the server words it', 22, 'error'), { code });
}

function socketError(code: string): Error {
  return Object.assign(new Error(`connect ${code}`), { code });
}

function failedQuery(cause: Error): Error {
  return new QueryFailedError('SELECT 1', [], cause);
}

describe('isConnectionFailure', () => {
  it.each('57P01 57P02 57P03 57P04 57P05 25P03 25006 53000 53100 53300 08000 08006 08P01'.split(' '))(
    'the server hung up, takes nobody or takes no writes (%s)',
    (code) => {
      expect(isConnectionFailure(serverError(code))).toBe(true);
      expect(isConnectionFailure(failedQuery(serverError(code)))).toBe(true);
    },
  );

  it.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH'])(
    'the network says so (%s)',
    (code) => {
      expect(isConnectionFailure(socketError(code))).toBe(true);
      expect(isConnectionFailure(new Error('outer', { cause: socketError(code) }))).toBe(true);
    },
  );

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
  ])('pg says so without a code: %s', (words) => {
    expect(isConnectionFailure(new Error(words))).toBe(true);
    expect(isConnectionFailure(failedQuery(new Error(words)))).toBe(true);
  });

  it('both addresses of a name refused', () => {
    const errors = [socketError('ECONNREFUSED'), socketError('ECONNREFUSED')];
    expect(isConnectionFailure(Object.assign(new AggregateError(errors), { code: 'ECONNREFUSED' }))).toBe(
      true,
    );
  });

  it.each([
    serverError('23505'),
    serverError('42501'),
    serverError('57014'),
    serverError('53200'),
    serverError('55000'),
    failedQuery(serverError('22P02')),
    socketError('ENOENT'),
    new Error('The words Connection terminated stand further on'),
    new Error('of another kind'),
    'Connection terminated',
    null,
    undefined,
  ])('nothing else: %p', (error) => {
    expect(isConnectionFailure(error)).toBe(false);
  });
});

describe('sqlStateOf', () => {
  it('gives the code of a failed statement, wrapped by TypeORM or not', () => {
    expect(sqlStateOf(serverError('23505'))).toBe('23505');
    expect(sqlStateOf(failedQuery(serverError('40P01')))).toBe('40P01');
  });

  it.each([socketError('EPIPE'), socketError('ECONNRESET'), new Error('x'), '23505', null])(
    'gives none for what is no statement’s: %p',
    (error) => {
      expect(sqlStateOf(error)).toBeNull();
    },
  );
});

describe('isUniqueViolation', () => {
  it('is true of that alone, wrapped by TypeORM or not', () => {
    expect(isUniqueViolation(failedQuery(serverError('23505')))).toBe(true);
    expect(isUniqueViolation(serverError('23503'))).toBe(false);
    expect(isUniqueViolation(null)).toBe(false);
  });
});
