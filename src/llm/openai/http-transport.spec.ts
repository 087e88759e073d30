import http from 'node:http';
import zlib from 'node:zlib';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextRound } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { HttpTransport, underError } from './http-transport.js';

let server: http.Server;
const transport = new HttpTransport();
const seen: string[] = [];
const served = new WeakSet<object>();

async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const body = await text(request);
  seen.push(body);
  const { socket, url } = request;
  // A provider that closes the connection it has kept open, just as the next request comes.
  if (url === '/cut' || (url === '/stale' && served.has(socket))) return void socket.destroy();
  served.add(socket);
  const [, kind = '', encoding = ''] = /^\/(whole|pieces|error|broken)\/(.+)$/.exec(url ?? '') ?? [];
  if (kind !== '') return compressed(response, kind, encoding, body);
  if (url === '/moved') response.writeHead(302, { location: '/' }).end();
  else response.end(url === '/headers' ? JSON.stringify(request.headers) : body);
}

const compressions: Record<string, () => zlib.Gzip | zlib.BrotliCompress | zlib.ZstdCompress> = {
  gzip: zlib.createGzip,
  deflate: zlib.createDeflate,
  br: zlib.createBrotliCompress,
  zstd: zlib.createZstdCompress,
};

function compressed(response: http.ServerResponse, kind: string, encoding: string, body: string): void {
  response.writeHead(kind === 'error' ? 400 : 200, { 'content-encoding': encoding });
  if (kind === 'broken') return void response.end(body);
  const stream = compressions[encoding]!();
  stream.pipe(response);
  stream.write(body);
  // The end never comes: what has come has to be read nevertheless.
  if (kind === 'pieces') stream.flush();
  else stream.end();
}

beforeAll(async () => {
  server = http.createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(async () => {
  transport.close();
  server.close();
  await once(server, 'close');
});

function send(path: string, init: RequestInit = { body: 'x' }): Promise<Response> {
  return transport.fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
    method: 'POST',
    ...init,
  });
}

async function bodyOf(response: Response): Promise<string> {
  const message = transport.messageOf(response);
  const body = await text(message);
  if (!message.closed) await once(message, 'close');
  // The socket goes back to the pool one tick after the end.
  await new Promise((resolve) => setImmediate(resolve));
  return body;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function sendBytes(path: string): Promise<{ sent: WeakRef<Uint8Array>; response: Response }> {
  const body = new TextEncoder().encode('some bytes');
  return { sent: new WeakRef(body), response: await send(path, { body }) };
}

describe('HttpTransport', () => {
  it('sends text with its length in bytes, and asks for no compression', async () => {
    const headers = { authorization: 'Bearer k', 'content-type': 'application/json' };
    const response = await send('/headers', { body: 'é', headers });
    expect(JSON.parse(await bodyOf(response))).toMatchObject({
      ...headers,
      'content-length': '2',
      'accept-encoding': 'identity',
    });
  });

  it('sends a request again that met a closed connection of the pool, and only that', async () => {
    expect(await bodyOf(await send('/', { body: 'first' }))).toBe('first');
    expect(await bodyOf(await send('/stale', { body: 'second' }))).toBe('second');
    expect(seen.filter((body) => body === 'second')).toHaveLength(2);
    await expect(send('/cut', { body: 'third' })).rejects.toThrow('socket hang up');
    expect(seen.filter((body) => body === 'third').length).toBeLessThanOrEqual(2);
  });

  it('keeps nothing of what it has sent while the answer is coming', async () => {
    const { sent, response } = await sendBytes('/pieces/gzip');
    // A weak reference holds until the round of the event loop is over that made it.
    await nextRound();
    collectGarbage();
    expect(sent.deref()).toBeUndefined();
    transport.messageOf(response).destroy();
  });

  it('follows no redirect', async () => {
    expect((await send('/moved')).status).toBe(302);
  });

  it('sends bytes as they are', async () => {
    const response = await send('/', { body: Buffer.from('碳排放') });
    expect(await text(transport.messageOf(response))).toBe('碳排放');
  });

  it('sends nothing but text and bytes, and over http or https only', async () => {
    await expect(send('/', { body: new URLSearchParams() })).rejects.toThrow('text and bytes only');
    await expect(transport.fetch('ftp://127.0.0.1/', { body: 'x' })).rejects.toThrow('not ftp:');
  });

  it.each(Object.keys(compressions))('reads what is compressed unasked by %s', async (encoding) => {
    expect(await bodyOf(await send(`/whole/${encoding}`, { body: 'data: é\n\n' }))).toBe('data: é\n\n');
    const refused = await send(`/error/${encoding}`, { body: 'too long' });
    expect([refused.status, await refused.text()]).toEqual([400, 'too long']);
  });

  it('reads it as it comes, and rejects where it is nothing of the kind', async () => {
    const message = transport.messageOf(await send('/pieces/gzip', { body: 'data: a\n\n' }));
    const [piece] = (await once(message, 'data')) as [Buffer];
    expect(piece.toString()).toBe('data: a\n\n');
    message.destroy();
    await expect(send('/broken/gzip', { body: 'no gzip' }).then(bodyOf)).rejects.toThrow(
      'incorrect header check',
    );
  });

  it('rejects at once when it is aborted', async () => {
    const controller = new AbortController();
    const sending = send('/', { body: 'x', signal: controller.signal });
    controller.abort();
    await expect(sending).rejects.toThrow('aborted');
  });
});

describe('the body of a refusal', () => {
  describe('the body of an error', () => {
    it.each([
      [{ message: 'no', code: 400 }],
      [{ detail: [{ msg: 'no' }] }],
      [[{ error: { code: 429 } }]],
      ['no'],
      [{ error: null, message: 'no' }],
    ])('%j is put where the SDK looks', (body) => {
      expect(JSON.parse(underError(JSON.stringify(body)))).toEqual({ error: body });
    });

    it.each(['{"error":{"message":"no"}}', '{"error":"no"}', '<html></html>', 'busy', '', 'null'])(
      '%j stays as it is',
      (text) => {
        expect(underError(text)).toBe(text);
      },
    );
  });
});
