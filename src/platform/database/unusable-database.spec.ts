import { explainConnectionError, requireSessionConnections, UnusableDatabase } from './unusable-database.js';

const URL_IN_USE = 'postgres://ada:hidden@db.example.org:6543/palabre';

function failure(code: string | undefined, message = 'as it was worded'): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

it.each([
  [failure('ENOTFOUND'), 'The database server db.example.org is not known by that name.'],
  [failure('ECONNREFUSED'), 'No PostgreSQL answers at db.example.org:6543.'],
  [failure('28P01'), 'The PostgreSQL at db.example.org:6543 does not let ada in'],
  [failure('3D000'), 'The PostgreSQL at db.example.org:6543 has no database palabre.'],
  [failure('42501'), 'does not let ada connect to the database palabre.'],
  [
    Object.assign(failure('ENOENT'), { syscall: 'open', path: '/no/root.pem' }),
    'The file /no/root.pem cannot be read.',
  ],
  [Object.assign(failure('ENOENT'), { syscall: 'connect' }), 'No PostgreSQL answers at db.example.org:6543.'],
  [failure(undefined, 'The server does not support SSL connections'), 'does not speak TLS'],
  [failure('DEPTH_ZERO_SELF_SIGNED_CERT'), 'is not accepted (DEPTH_ZERO_SELF_SIGNED_CERT): name the file'],
  [failure('SELF_SIGNED_CERT_IN_CHAIN'), 'by sslrootcert='],
  [failure('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), 'by sslrootcert='],
  [failure('CERT_HAS_EXPIRED'), 'is not accepted (CERT_HAS_EXPIRED)'],
  [failure('ERR_TLS_CERT_ALTNAME_INVALID'), 'is for another name'],
  [
    failure(undefined, 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'),
    'asks for a password, and there is none.',
  ],
  [failure('42P05'), 'a pooler that gives a connection away after each transaction'],
  [failure('26000'), 'connect directly, or by a pooler in session mode.'],
  [
    failure('53300'),
    'no connection left for this process, which keeps up to DATABASE_POOL_SIZE and four more.',
  ],
  [failure('57P03'), 'is just starting or stopping.'],
  [
    failure(undefined, 'Connection terminated unexpectedly'),
    'Nothing at db.example.org:6543 answers like a PostgreSQL.',
  ],
])('%p: %s', (error, words) => {
  const problem = explainConnectionError(error, URL_IN_USE);
  expect(problem).toBeInstanceOf(UnusableDatabase);
  expect(problem).toMatchObject({ cause: error, message: expect.stringContaining(words) });
  expect(problem).toMatchObject({ message: expect.stringMatching(/^(?!.*hidden).*Check DATABASE_URL\.$/) });
});

it('names what PostgreSQL takes where the address is silent', () => {
  expect(explainConnectionError(failure('3D000'), 'postgres://ada@localhost')).toMatchObject({
    message: expect.stringContaining('localhost:5432 has no database ada.'),
  });
});

it.each([failure('42601'), failure(undefined), new TypeError('ours'), 'text', undefined])(
  'leaves %p as it is',
  (error) => {
    expect(explainConnectionError(error, URL_IN_USE)).toBe(error);
  },
);

it('takes a connection for a session where its statements come to one process, and no other connection’s do', () => {
  const ask =
    (...ids: number[]) =>
    () =>
      requireSessionConnections(ids, URL_IN_USE);
  expect(ask(1, 2, 1)).not.toThrow();
  expect(ask(1, 1, 1)).toThrow('Behind db.example.org:6543 is a pooler');
  expect(ask(1, 2, 3)).toThrow(UnusableDatabase);
});
