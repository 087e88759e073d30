import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

import { type Handler, LocalSite } from './local-site.double.js';
import type { OutboundStream, OutboundStreamRequest } from './outbound-http.js';
import { UndiciOutboundHttp } from './undici-outbound-http.js';

const stack = new AsyncDisposableStack();
let site: LocalSite;
let client: UndiciOutboundHttp;

function serving(handler: Handler): void {
  return void (site.handler = handler);
}

/** A site with an endless body. Reports who came, and when they left. */
function endless(): { came: Promise<ServerResponse>; left: Promise<void> } {
  const came = Promise.withResolvers<ServerResponse>();
  const left = Promise.withResolvers<void>();
  serving((_, response) => {
    response.on('close', () => left.resolve());
    response.write('one');
    came.resolve(response);
  });
  return { came: came.promise, left: left.promise };
}

function open(request: Partial<OutboundStreamRequest> = {}): Promise<OutboundStream> {
  return client.open({
    url: site.url,
    timeoutMs: 10_000,
    maxBytes: 1_000_000,
    signal: new AbortController().signal,
    ...request,
  });
}

async function textOf({ body }: OutboundStream): Promise<string> {
  return new Response(body).text();
}
function failure(code: string) {
  return expect.objectContaining({ name: 'OutboundError', code });
}

beforeAll(async () => {
  site = stack.use(await LocalSite.start((_, response) => void response.end()));
});
beforeEach(() => {
  client = new UndiciOutboundHttp({ allow: [site.host] });
});
afterEach(() => client.close());
afterAll(() => stack.disposeAsync());

describe('an answer that is read while it comes', () => {
  it('is there before it has ended', async () => {
    const { came } = endless();
    const { status, body } = await open();
    expect(status).toBe(200);
    const reader = body.getReader();
    const chunk = await reader.read();
    expect(Buffer.from(chunk.value!).toString()).toBe('one');
    (await came).end('two');
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('two');
    expect((await reader.read()).done).toBe(true);
  });

  it('is unpacked where the server packs it without being asked', async () => {
    serving((request, response) => {
      expect(request.headers['accept-encoding']).toBe('identity');
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('Bonjour'));
    });
    expect(await textOf(await open())).toBe('Bonjour');
  });

  it('fails once it is larger than it may be', async () => {
    serving((_, response) => void response.end('a'.repeat(2_000)));
    await expect(textOf(await open({ maxBytes: 1_999 }))).rejects.toEqual(failure('TOO_LARGE'));
    expect(await textOf(await open({ maxBytes: 2_000 }))).toHaveLength(2_000);
  });

  it('fails when it breaks off', async () => {
    const { came } = endless();
    const answer = await open();
    (await came).destroy();
    await expect(textOf(answer)).rejects.toEqual(failure('UNREACHABLE'));
  });

  it('has to begin in time, and may go on after it', async () => {
    serving(() => undefined);
    await expect(open({ timeoutMs: 50 })).rejects.toEqual(failure('TIMEOUT'));
    const { came } = endless();
    const { signal } = new AbortController();
    const answer = await open({ timeoutMs: 5_000, signal });
    (await came).end();
    expect(await textOf(answer)).toBe('one');
  });

  it('ends with its signal, and takes the socket along', async () => {
    const { left } = endless();
    const caller = new AbortController();
    const answer = await open({ signal: caller.signal });
    caller.abort(new Error('cancelled'));
    await expect(textOf(answer)).rejects.toEqual(expect.objectContaining({ name: 'OutboundError' }));
    await left;
  });

  it('takes the socket along when nobody wants to read on', async () => {
    const { left } = endless();
    const { body } = await open();
    await body.cancel();
    expect(await left).toBeUndefined();
  });

  it('ends with the client', async () => {
    const { left } = endless();
    const answer = await open();
    await client.close();
    await expect(textOf(answer)).rejects.toEqual(failure('UNREACHABLE'));
    await left;
  });

  it('is kept from what may not be reached, also by a redirect', async () => {
    await expect(open({ url: 'http://10.0.0.1/' })).rejects.toEqual(failure('BLOCKED'));
    serving((_, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end());
    await expect(open()).rejects.toEqual(failure('BLOCKED'));
    await expect(open({ maxRedirects: 0 })).rejects.toEqual(failure('TOO_MANY_REDIRECTS'));
  });

  it('keeps nobody waiting, however many there are', async () => {
    serving((request, response) => {
      if (request.url === '/brief') response.end('brief');
      else response.write('lasting');
    });
    const answers = await Promise.all(Array.from({ length: 40 }, () => open()));
    expect(answers).toHaveLength(40);
    const { body } = await client.request({
      url: `${site.url}/brief`,
      requester: 'a',
      timeoutMs: 10_000,
      maxBytes: 100,
      signal: new AbortController().signal,
    });
    expect(body.toString()).toBe('brief');
    await Promise.all(answers.map(({ body }) => body.cancel()));
  });
});

it('of a client that has left already does not begin', async () => {
  site.requests.splice(0);
  await expect(open({ signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
  expect(site.requests).toEqual([]);
});

it('closes its sockets', async () => {
  const sockets = new Set<NodeJS.EventEmitter>();
  serving((request, response) => {
    sockets.add(request.socket);
    response.end('x');
  });
  await textOf(await open());
  const closed = [...sockets].map((socket) => once(socket, 'close'));
  await client.close();
  await Promise.all(closed);
  expect(closed).toHaveLength(1);
});
