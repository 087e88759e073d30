import { TOO_DEEP } from '../limits/json-limits.js';
import { readMessage } from './socket-message.js';

function read(message: unknown, isSignedIn = true): ReturnType<typeof readMessage> {
  return readMessage(
    Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)),
    isSignedIn,
  );
}
const long = 'x'.repeat(20_000);

it('is what the client wrote', () => {
  const message = { type: 'subscribe', id: '1', payload: { query: `{ a } # ${long}` } };
  expect(read(message)).toEqual({ message });
  const first = { type: 'connection_init', payload: { authorization: `Bearer ${'x'.repeat(2_000)}` } };
  expect([read(first, false), read(first, true)]).toEqual([{ message: first }, { message: first }]);
});

it.each([{ documentId: 'a' }, { extensions: { persistedQuery: { version: 1, sha256Hash: 'a' } } }])(
  'has an empty text where the operation is named: %j',
  (payload) => {
    const message = { type: 'subscribe', id: '1', payload };
    expect(read(message)).toEqual({ message: { ...message, payload: { query: '', ...payload } } });
  },
);

it.each<[string, unknown, boolean, string]>([
  ['no JSON', '{', true, 'Invalid message received'],
  ['no object', '[]', true, 'Invalid message received'],
  ['of no known type', { type: 'a' }, true, 'Invalid message received'],
  [
    'an operation without a text',
    { type: 'subscribe', id: '1', payload: {} },
    true,
    'Invalid message received',
  ],
  ['what the server alone sends', { type: 'connection_ack' }, true, 'A message that the server alone sends'],
  ['long before signing in', { type: 'ping', payload: { long } }, false, 'Too large a first message'],
  ['long and no operation', { type: 'complete', id: long }, true, 'Too large a message of type complete'],
  ['deep', `{"type":"ping","payload":{"a":${'['.repeat(200)}${']'.repeat(200)}}}`, true, TOO_DEEP],
])('closes the socket where it is %s', (_, message, isSignedIn, reason) => {
  expect(read(message, isSignedIn)).toEqual({ message: null, closing: { code: 4400, reason } });
});

it('closes the socket of a client that has not signed in', () => {
  expect(read({ type: 'ping' }, false)).toEqual({
    message: null,
    closing: { code: 4401, reason: 'Unauthorized' },
  });
});

it('is not closed by fields that a client adds', () => {
  const message = { type: 'ping', code: 1, reason: 'x', closing: { code: 1 } };
  expect(read(message)).toEqual({ message });
});
