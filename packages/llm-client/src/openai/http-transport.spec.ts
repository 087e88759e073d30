import http from 'node:http';
import zlib from 'node:zlib';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as nextRound } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { HttpTransport } from './http-transport.js';
import { ProviderRefusal } from './provider-error.js';

let server: http.Server;
let transport: HttpTransport;
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
  // The end never comes, but the beginning must be read.
  if (kind === 'pieces') stream.flush();
  else stream.end();
}

beforeAll(async () => {
  server = http.createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  transport = new HttpTransport({ baseUrl: `http://127.0.0.1:${port}/`, apiKey: 'k' });
});

afterAll(async () => {
  transport.close();
  server.close();
  await once(server, 'close');
});

const never = new AbortController().signal;

function send(path: string, body: string | Buffer = 'x', signal = never): Promise<Readable> {
  return transport.send(path, { body, signal });
}

async function sent(path: string, body?: string | Buffer): Promise<string> {
  const message = await send(path, body);
  const answered = await text(message);
  if (!message.closed) await once(message, 'close');
  // The socket goes back to the pool one tick after the end.
  await new Promise((resolve) => setImmediate(resolve));
  return answered;
}

async function refusalOf(path: string, body?: string): Promise<unknown> {
  return send(path, body).catch((error: unknown) => error);
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function sendBytes(path: string): Promise<{ bytes: WeakRef<Uint8Array>; message: Readable }> {
  const body = Buffer.from('some bytes');
  return { bytes: new WeakRef(body), message: await send(path, body) };
}

describe('HttpTransport', () => {
  it('sends text with its length in bytes and the key, and asks for no compression', async () => {
    const headers = { traceparent: 't' };
    const message = await transport.send('/headers', { body: 'é', headers, signal: never });
    expect(JSON.parse(await text(message))).toMatchObject({
      ...headers,
      authorization: 'Bearer k',
      'content-type': 'application/json',
      'content-length': '2',
      'accept-encoding': 'identity',
    });
  });

  it('asks for what is to be read at an address of its own, or below the base URL', async () => {
    expect(JSON.parse((await transport.read('/headers', { signal: never })) ?? '')).not.toHaveProperty(
      'content-length',
    );
    const { port } = server.address() as AddressInfo;
    expect(await transport.read(`http://127.0.0.1:${port}/headers`, { signal: never })).toContain('Bearer k');
  });

  it('sends a request again that met a closed connection of the pool, and only that', async () => {
    expect(await sent('/', 'first')).toBe('first');
    expect(await sent('/stale', 'second')).toBe('second');
    expect(seen.filter((body) => body === 'second')).toHaveLength(2);
    await expect(send('/cut', 'third')).rejects.toThrow('socket hang up');
    expect(seen.filter((body) => body === 'third').length).toBeLessThanOrEqual(2);
  });

  it('keeps nothing of what it has sent while the answer is coming', async () => {
    const { bytes, message } = await sendBytes('/pieces/gzip');
    // A weak reference lasts until the end of its round of the event loop.
    await nextRound();
    collectGarbage();
    expect(bytes.deref()).toBeUndefined();
    message.destroy();
  });

  it('follows no redirect', async () => {
    expect(await refusalOf('/moved')).toMatchObject({ status: 302 });
  });

  it('sends bytes as they are', async () => {
    expect(await sent('/', Buffer.from('碳排放'))).toBe('碳排放');
  });

  it('speaks http and https only', async () => {
    const other = new HttpTransport({ baseUrl: 'ftp://127.0.0.1', apiKey: '' });
    await expect(other.send('/', { body: 'x', signal: never })).rejects.toThrow('not ftp:');
  });

  it.each(Object.keys(compressions))('reads what is compressed unasked by %s', async (encoding) => {
    expect(await sent(`/whole/${encoding}`, 'data: é\n\n')).toBe('data: é\n\n');
    expect(await refusalOf(`/error/${encoding}`, 'too long')).toMatchObject({
      status: 400,
      body: 'too long',
    });
  });

  it('reads it as it comes, and rejects where it is nothing of the kind', async () => {
    const message = await send('/pieces/gzip', 'data: a\n\n');
    const [piece] = (await once(message, 'data')) as [Buffer];
    expect(piece.toString()).toBe('data: a\n\n');
    message.destroy();
    await expect(sent('/broken/gzip', 'no gzip')).rejects.toThrow('incorrect header check');
  });

  it('rejects at once when it is aborted', async () => {
    const controller = new AbortController();
    const sending = send('/', 'x', controller.signal);
    controller.abort();
    await expect(sending).rejects.toThrow('aborted');
  });
});

describe('the body of a refusal', () => {
  it.each<[unknown, unknown]>([
    [{ error: { message: 'no' } }, { message: 'no' }],
    [{ error: 'no' }, 'no'],
    [
      { message: 'no', code: 400 },
      { message: 'no', code: 400 },
    ],
    [{ detail: [{ msg: 'no' }] }, { detail: [{ msg: 'no' }] }],
    [[{ error: { code: 429 } }], [{ error: { code: 429 } }]],
    [
      { error: null, message: 'no' },
      { error: null, message: 'no' },
    ],
    ['no', 'no'],
  ])('%j is told as %j', async (body, told) => {
    const refusal = await refusalOf('/error/gzip', JSON.stringify(body));
    expect(refusal).toBeInstanceOf(ProviderRefusal);
    expect(refusal).toMatchObject({ body: told });
  });

  it.each(['<html></html>', 'busy', ''])('%j is told as it is', async (body) => {
    expect(await refusalOf('/error/gzip', body)).toMatchObject({ body });
  });
});
