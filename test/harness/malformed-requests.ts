import { connect } from 'node:net';

/** Where a server may be asked, and where not. */
export const ROUTES = [
  '/graphql',
  '/graphql/stream',
  '/graphql?query=%7B__typename%7D',
  '/uploads/0?signature=0',
  '/files/0',
  '/v1/responses',
  '/v1/chat/completions',
  '/ag-ui/mefali',
  '/ai-sdk/mefali',
  '/mcp',
  '/health/live',
  '/health/ready',
  '/metrics',
  '/',
  '/chat/0',
  '/explorer',
  '/assets/none.js',
  '/no-such-route',
  '/%',
];

const QUERY = JSON.stringify({ query: '{ __typename }' });
const chunked = 'Transfer-Encoding: chunked\r\n';
const json = 'Content-Type: application/json\r\n';

/** What comes after the first line of a request: headers, an empty line, a body. */
export const MALFORMED_REQUESTS: [what: string, rest: string][] = [
  ['no host', '\r\n'],
  ['a compressed transfer', 'Transfer-Encoding: gzip\r\n\r\nabc'],
  ['a compressed transfer of JSON', `${json}Transfer-Encoding: gzip\r\n\r\n${QUERY}`],
  ['an unknown transfer', 'Transfer-Encoding: xchunked\r\n\r\n1\r\na\r\n0\r\n\r\n'],
  ['a transfer as it is', 'Transfer-Encoding: identity\r\n\r\nabc'],
  ['a transfer of two kinds', 'Transfer-Encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n'],
  ['chunked twice', 'Transfer-Encoding: chunked, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n'],
  ['an empty transfer', 'Transfer-Encoding:\r\n\r\nabc'],
  ['a chunk without a size', `${chunked}\r\nxyz\r\n`],
  ['a chunk of a negative size', `${chunked}\r\n-1\r\na\r\n`],
  ['a chunk longer than it says', `${chunked}\r\n1\r\nabcdef\r\n0\r\n\r\n`],
  ['a chunk of JSON longer than it says', `${json}${chunked}\r\n1\r\nabcdef\r\n0\r\n\r\n`],
  ['a chunk shorter than it says', `${chunked}\r\nff\r\nabc`],
  ['a chunk of JSON shorter than it says', `${json}${chunked}\r\nff\r\nabc`],
  ['a chunk of an endless size', `${chunked}\r\n${'f'.repeat(40)}\r\na\r\n`],
  ['a chunk with an extension', `${chunked}\r\n1;${'a'.repeat(20_000)}\r\na\r\n0\r\n\r\n`],
  ['no last chunk', `${json}${chunked}\r\n2\r\n{}\r\n`],
  ['trailers that are none', `${chunked}\r\n0\r\nnot a header\r\n\r\n`],
  ['a length and chunks', `Content-Length: 5\r\n${chunked}\r\n0\r\n\r\n`],
  ['two lengths', 'Content-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  ['a negative length', 'Content-Length: -1\r\n\r\n'],
  ['a length in words', 'Content-Length: many\r\n\r\n'],
  ['a length beyond numbers', `Content-Length: ${'9'.repeat(30)}\r\n\r\na`],
  ['less than it says', `${json}Content-Length: 100\r\n\r\n{`],
  ['more than it says', `${json}Content-Length: 2\r\n\r\n{}garbage`],
  ['a type that is none', 'Content-Type: ;;;\r\nContent-Length: 2\r\n\r\n{}'],
  ['a type without an end', `Content-Type: application/json; charset="\r\nContent-Length: 2\r\n\r\n{}`],
  [
    'a character set that is none',
    'Content-Type: application/json; charset=none\r\nContent-Length: 2\r\n\r\n{}',
  ],
  ['a form without a boundary', 'Content-Type: multipart/form-data\r\nContent-Length: 2\r\n\r\n{}'],
  ['an encoding that nobody knows', `${json}Content-Encoding: nonsense\r\nContent-Length: 2\r\n\r\n{}`],
  ['JSON that ends early', `${json}Content-Length: 1\r\n\r\n{`],
  ['JSON that is only brackets', `${json}Content-Length: 60000\r\n\r\n${'['.repeat(60_000)}`],
  ['bytes that are no text', `${json}Content-Length: 4\r\n\r\n\xff\xfe\xfd\xfc`],
  ['a key that changes all objects', `${json}Content-Length: 16\r\n\r\n{"__proto__":{}}`],
  ['an expectation', `${json}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`],
  ['an expectation that nobody has', `${json}Expect: miracles\r\nContent-Length: 2\r\n\r\n{}`],
  ['an upgrade to nothing', 'Connection: Upgrade\r\nUpgrade: nothing\r\n\r\n'],
  ['an upgrade without a key', 'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  [
    'an upgrade of another version',
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 1\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  ],
  ['a header without a colon', 'Host\r\n\r\n'],
  ['a header with a zero', 'X-Zero: a\0b\r\n\r\n'],
  ['a header that goes on', 'X-Folded: a\r\n b\r\n\r\n'],
  ['very many headers', `${'X-Many: a\r\n'.repeat(3_000)}\r\n`],
  ['a header of 100,000 characters', `X-Long: ${'a'.repeat(100_000)}\r\n\r\n`],
  ['a token of 10,000 characters', `Authorization: Bearer ${'a'.repeat(10_000)}\r\n\r\n`],
  ['half a head', 'X-Half: a'],
];

/** What comes in the place of a request: all that is sent. */
export const NO_REQUESTS: [what: string, bytes: string][] = [
  ['no method', ' / HTTP/1.1\r\n\r\n'],
  ['a method that is none', 'MAKE /graphql HTTP/1.1\r\n\r\n'],
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['a greeting for encryption', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a version that is none', 'GET / HTTP/9.9\r\n\r\n'],
  ['an address with a zero', 'GET /\0 HTTP/1.1\r\n\r\n'],
  ['an address of 100,000 characters', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
  ['nothing', ''],
];

/** Resolves when the server has answered, or ended the connection; or when `signal` is aborted. */
export function sendAsItIs(url: string, bytes: string, signal?: AbortSignal): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host: hostname, ...(signal && { signal }) });
    const done = (): void => {
      socket.destroy();
      resolve();
    };
    socket.on('error', done).on('close', done).on('data', done);
    socket.end(bytes, 'latin1');
  });
}
