import { once } from 'node:events';
import type { LookupFunction, Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { type Handler, LocalSite } from './local-site.double.js';
import { OutboundError, type OutboundRequest, type OutboundResponse } from './outbound-http.js';
import { UndiciOutboundHttp } from './undici-outbound-http.js';

const stack = new AsyncDisposableStack();
const clients: UndiciOutboundHttp[] = [];
let site: LocalSite;

function serving(handler: Handler): void {
  return void (site.handler = handler);
}
function text(body: string | Uint8Array, headers: Record<string, string> = {}): Handler {
  return (_, response) => void response.writeHead(200, headers).end(body);
}
function redirecting(location: string, status = 302): Handler {
  return (_, response) => void response.writeHead(status, { location }).end();
}

/** A scripted name server: each lookup gets the next of `addresses`, and the last one from then on. */
function namesOf(...addresses: string[][]): LookupFunction & { asked: string[] } {
  const asked: string[] = [];
  const lookup: LookupFunction = (hostname, _options, callback) => {
    const found = addresses[Math.min(asked.length, addresses.length - 1)] ?? [];
    asked.push(hostname);
    callback(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return Object.assign(lookup, { asked });
}

function clientOf(allow: string[], lookup?: LookupFunction): UndiciOutboundHttp {
  const client = new UndiciOutboundHttp({ allow, userAgent: 'Test/1.2.3', ...(lookup && { lookup }) });
  clients.push(client);
  return client;
}

function get(
  request: Partial<OutboundRequest> = {},
  client = clientOf([site.host]),
): Promise<OutboundResponse> {
  return client.request({
    url: site.url,
    requester: 'a',
    timeoutMs: 10_000,
    maxBytes: 1_000_000,
    signal: new AbortController().signal,
    ...request,
  });
}

function failure(code: string) {
  return expect.objectContaining({ name: 'OutboundError', code });
}

beforeAll(async () => {
  site = stack.use(await LocalSite.start(text('')));
});
beforeEach(() => void site.requests.splice(0));
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
afterAll(() => stack.disposeAsync());

describe('an answer', () => {
  it('comes with its status, headers, final address and bytes, asked for under our name', async () => {
    serving((request, response) => {
      response.writeHead(404, { 'X-Two': ['a', 'b'], 'content-type': 'text/plain' });
      response.end(request.headers['user-agent']);
    });
    const answer = await get({ url: `${site.url}/a?b=c#d` });
    expect(answer).toMatchObject({
      status: 404,
      headers: { 'x-two': 'a, b', 'content-type': 'text/plain' },
      url: `${site.url}/a?b=c#d`,
      truncated: false,
    });
    expect(answer.body.toString()).toBe('Test/1.2.3');
    expect(site.requests).toEqual(['GET /a?b=c']);
  });

  it.each<[string, (bytes: string) => Uint8Array]>([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['identity', (bytes) => Buffer.from(bytes)],
  ])('packed with %s is unpacked', async (encoding, pack) => {
    serving(text(pack('Bonjour'), { 'content-encoding': encoding }));
    expect((await get()).body.toString()).toBe('Bonjour');
  });

  it.each([
    ['packed in an unknown way', 'compress', 'x'],
    ['that is not what it says', 'gzip', 'not packed at all'],
  ])('%s is no answer', async (_, encoding, body) => {
    serving(text(body, { 'content-encoding': encoding }));
    await expect(get()).rejects.toEqual(failure('UNREACHABLE'));
  });

  it('that breaks off is no answer', async () => {
    serving((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('beginning', () => response.destroy());
    });
    await expect(get()).rejects.toEqual(failure('UNREACHABLE'));
  });

  it('to a POST takes its body along', async () => {
    serving((request, response) => void request.pipe(response));
    expect((await get({ method: 'POST', body: 'question' })).body.toString()).toBe('question');
  });
});

describe('a large body', () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));

  it('is an error, or its beginning', async () => {
    serving(text('a'.repeat(2_000)));
    await expect(get({ maxBytes: 1_999 })).rejects.toEqual(failure('TOO_LARGE'));
    const cut = await get({ maxBytes: 1_999, whenTooLarge: 'truncate' });
    expect([cut.body.length, cut.truncated]).toEqual([1_999, true]);
    const whole = await get({ maxBytes: 2_000, whenTooLarge: 'truncate' });
    expect([whole.body.length, whole.truncated]).toEqual([2_000, false]);
  });

  it('is counted as it is unpacked', async () => {
    serving(text(bomb, { 'content-encoding': 'gzip' }));
    expect(bomb.length).toBeLessThan(100_000);
    await expect(get({ maxBytes: 100_000 })).rejects.toEqual(failure('TOO_LARGE'));
    const cut = await get({ maxBytes: 100_000, whenTooLarge: 'truncate' });
    expect([cut.body.length, cut.truncated]).toEqual([100_000, true]);
  });

  it('without an end is left, and its connection closed', async () => {
    const closed = Promise.withResolvers<void>();
    serving((_, response) => {
      response.on('close', () => closed.resolve());
      const more = (): void => {
        while (response.write('a'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    await expect(get({ maxBytes: 1_000_000 })).rejects.toEqual(failure('TOO_LARGE'));
    await closed.promise;
  });
});

describe('a target', () => {
  it.each(['127.0.0.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0.0.0.0', '[::ffff:127.0.0.1]'])(
    '%s is blocked unless it was opened',
    async (host) => {
      await expect(get({ url: `http://${host}:${site.port}/` }, clientOf([]))).rejects.toEqual(
        failure('BLOCKED'),
      );
      expect(site.requests).toEqual([]);
    },
  );

  it('is blocked by what its name stands for, and the message keeps that to itself', async () => {
    const refusal = await get(
      { url: `http://intranet.example:${site.port}/` },
      clientOf([], namesOf(['127.0.0.1'])),
    ).then(
      () => null,
      (error: unknown) => error,
    );
    expect(refusal).toEqual(failure('BLOCKED'));
    expect(String(refusal)).not.toContain('127.0.0.1');
    expect(site.requests).toEqual([]);
  });

  it('is reached at those of its addresses that may be reached', async () => {
    serving(text('here'));
    const lookup = namesOf(['10.0.0.1', '127.0.0.1', '::1']);
    const url = `http://mixed.example:${site.port}/`;
    expect((await get({ url }, clientOf(['127.0.0.0/8'], lookup))).body.toString()).toBe('here');
  });

  it('that changes its address after the check is not followed', async () => {
    await using good = await LocalSite.start(text('good', { connection: 'close' }), '127.0.0.2', site.port);
    serving(text('secret'));
    const lookup = namesOf(['127.0.0.2'], ['127.0.0.1']);
    const client = clientOf(['127.0.0.2/32'], lookup);
    const url = `http://rebinding.example:${site.port}/`;
    expect((await get({ url }, client)).body.toString()).toBe('good');
    expect(lookup.asked).toEqual(['rebinding.example']);
    await expect(get({ url }, client)).rejects.toEqual(failure('BLOCKED'));
    expect([good.requests.length, site.requests.length]).toEqual([1, 0]);
  });

  it('is opened by name, whatever its address, and no other with it', async () => {
    serving(text('here'));
    const lookup = namesOf(['127.0.0.1']);
    const client = clientOf([`wiki.example:${site.port}`], lookup);
    expect((await get({ url: `http://wiki.example:${site.port}/` }, client)).body.toString()).toBe('here');
    await expect(get({ url: `http://other.example:${site.port}/` }, client)).rejects.toEqual(
      failure('BLOCKED'),
    );
  });

  it('of the operator’s own may be private, but not for others, nor by a redirect to another', async () => {
    const client = clientOf([]);
    serving(text('here'));
    expect((await get({ isOperators: true }, client)).body.toString()).toBe('here');
    await expect(get({}, client)).rejects.toEqual(failure('BLOCKED'));
    serving(redirecting(`http://127.0.0.2:${site.port}/`));
    await expect(get({ isOperators: true }, client)).rejects.toEqual(failure('BLOCKED'));
  });

  it('that does not exist, or refuses, is unreachable', async () => {
    const missing: LookupFunction = (_host, _options, callback) =>
      callback(Object.assign(new Error('getaddrinfo ENOTFOUND 10.0.0.53'), { code: 'ENOTFOUND' }), []);
    await expect(get({ url: 'http://missing.example/' }, clientOf([], missing))).rejects.toThrow(
      'There is no server of this name.',
    );
    const gone = await LocalSite.start(text(''));
    const { url, host } = gone;
    await gone[Symbol.asyncDispose]();
    await expect(get({ url }, clientOf([host]))).rejects.toThrow('The server refuses the connection.');
  });
});

describe('a redirect', () => {
  it('is followed, and the answer says where it came from', async () => {
    serving((request, response) =>
      (request.url === '/end' ? text('end') : redirecting('/end'))(request, response),
    );
    expect(await get({ url: `${site.url}/begin` })).toMatchObject({ url: `${site.url}/end`, status: 200 });
  });

  it('to a blocked address is not', async () => {
    serving(redirecting('http://169.254.169.254/latest/meta-data/'));
    await expect(get()).rejects.toEqual(failure('BLOCKED'));
  });

  it('to another origin loses its secrets', async () => {
    await using other = await LocalSite.start(
      (request, response) => void response.end(JSON.stringify(request.headers)),
    );
    serving(redirecting(`${other.url}/`));
    const headers = { Authorization: 'Bearer x', Cookie: 'a=b', 'X-Api-Key': 'k', Accept: 'text/html' };
    const { body } = await get({ headers }, clientOf(['127.0.0.1']));
    const seen = JSON.parse(body.toString()) as Record<string, string>;
    expect(seen).toMatchObject({ accept: 'text/html', host: other.host });
    expect(body.toString()).not.toMatch(/Bearer|a=b|api-key/);
  });

  it('is followed five times and no more', async () => {
    serving((request, response) => {
      const left = Number(request.url?.slice(1));
      (left === 0 ? text('end') : redirecting(`/${left - 1}`))(request, response);
    });
    expect((await get({ url: `${site.url}/5` })).body.toString()).toBe('end');
    await expect(get({ url: `${site.url}/6` })).rejects.toEqual(failure('TOO_MANY_REDIRECTS'));
    await expect(get({ url: `${site.url}/1`, maxRedirects: 0 })).rejects.toEqual(
      failure('TOO_MANY_REDIRECTS'),
    );
  });
});

describe('time', () => {
  /** A site with an endless body. Reports when a client comes and leaves. */
  const endless = (): { came: Promise<void>; left: Promise<void> } => {
    const came = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    serving((_, response) => {
      response.on('close', () => left.resolve());
      response.write('begin', () => came.resolve());
    });
    return { came: came.promise, left: left.promise };
  };

  it('that is over closes the connection', async () => {
    const { left } = endless();
    await expect(get({ timeoutMs: 50 })).rejects.toEqual(failure('TIMEOUT'));
    await left;
  });

  it('counts redirects in', async () => {
    serving((request, response) => {
      if (request.url === '/') redirecting('/slow')(request, response);
    });
    await expect(get({ timeoutMs: 100 })).rejects.toEqual(failure('TIMEOUT'));
    expect(site.requests).toEqual(['GET /', 'GET /slow']);
  });

  it('is up when the caller says so: the socket is closed, and the reason is theirs', async () => {
    const { came, left } = endless();
    const caller = new AbortController();
    const answer = get({ signal: caller.signal });
    await came;
    const reason = new Error('cancelled');
    caller.abort(reason);
    await expect(answer).rejects.toBe(reason);
    await left;
  });

  it('for a caller that has left already does not begin', async () => {
    await expect(get({ signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
    expect(site.requests).toEqual([]);
  });

  it('is up when the client is closed', async () => {
    const { came, left } = endless();
    const client = clientOf([site.host]);
    const answer = get({}, client);
    const refused = answer.catch((error: unknown) => error);
    await came;
    await client.close();
    expect(await refused).toBeInstanceOf(OutboundError);
    await left;
  });
});

it('says of what did not get its turn in time that nothing was sent', async () => {
  const many = Promise.withResolvers<void>();
  serving(() => {
    if (site.requests.length === 32) many.resolve();
  });
  const client = clientOf([site.host]);
  const leaving = new AbortController();
  const running = Array.from({ length: 32 }, () => get({ signal: leaving.signal }, client));
  await many.promise;
  await expect(get({ timeoutMs: 50 }, client)).rejects.toEqual(failure('BUSY'));
  const waiting = Array.from({ length: 1_000 }, () => get({ signal: leaving.signal }, client));
  await expect(get({}, client)).rejects.toEqual(failure('BUSY'));
  const ends = Promise.allSettled([...running, ...waiting]);
  leaving.abort();
  await ends;
});

it('has nobody wait for the requests of others, of which one has only so many at once', async () => {
  const many = Promise.withResolvers<void>();
  serving((request, response) => {
    if (request.url === '/brief') response.end('brief');
    else if (site.requests.length === 32) many.resolve();
  });
  const client = clientOf([site.host]);
  const gone = new AbortController();
  const hanging = Array.from({ length: 40 }, () => get({ signal: gone.signal, timeoutMs: 60_000 }, client));
  const left = Promise.allSettled(hanging);
  await many.promise;
  const answer = await get({ url: `${site.url}/brief`, requester: 'b' }, client);
  expect([answer.body.toString(), site.requests.length]).toEqual(['brief', 33]);
  gone.abort(new Error('gone'));
  expect(new Set((await left).map(({ status }) => status))).toEqual(new Set(['rejected']));
  // The waiting requests have left the queue.
  expect((await get({ url: `${site.url}/brief` }, client)).body.toString()).toBe('brief');
  expect(site.requests).toHaveLength(34);
});

it('uses connections again, and closes them when it is closed', async () => {
  const sockets = new Set<Socket>();
  serving((request, response) => {
    sockets.add(request.socket);
    response.end('x');
  });
  const client = clientOf([site.host]);
  for (let turn = 0; turn < 10; turn += 1) await get({}, client);
  // One is not free again yet at the moment its answer has been read.
  expect(sockets.size).toBeLessThanOrEqual(2);
  const closed = [...sockets].map((socket) => once(socket, 'close'));
  await client.close();
  await Promise.all(closed);
});
