import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { fairThread } from '@palabre/async';
import { OutboundError, UndiciOutboundHttp } from '@palabre/outbound';
import { LocalSite } from '@palabre/outbound/local-site.double.js';
import type { JsonObject, JsonValue } from '@palabre/json';

import { SkillError } from '../skill.js';
import type { HttpSettings } from './http-settings.js';
import { HttpSkill, tryOut } from './http-skill.js';
import { BadPath } from './result-path.js';
import { mayHaveArrived, readingWaitMsOf, requestMsOf } from './unknown-outcome.js';

const SECRET = 'Bearer s3cret-of-the-service';

let service: LocalSite;
let elsewhere: LocalSite;
let outbound: UndiciOutboundHttp;

beforeAll(async () => {
  service = await LocalSite.start((_, response) => void response.end());
  elsewhere = await LocalSite.start((_, response) => void response.end('internal'));
  outbound = new UndiciOutboundHttp({ allow: [service.host] });
});
afterAll(async () => {
  await outbound.close();
  await service[Symbol.asyncDispose]();
  await elsewhere[Symbol.asyncDispose]();
});

function usual(): HttpSettings {
  return {
    method: 'GET',
    url: `${service.url}/items/{id}`,
    headers: { 'X-Plain': 'plain' },
    secretHeaders: ['Authorization'],
    secretQuery: [],
    body: null,
    placements: [],
    resultPath: null,
  };
}

interface Making {
  idempotent?: boolean;
  timeoutMs?: number;
  secrets?: Record<string, string>;
}

function skillOf(
  settings: Partial<HttpSettings> = {},
  { idempotent = true, timeoutMs = 10_000, secrets = { Authorization: SECRET } }: Making = {},
): HttpSkill {
  const parameters = { type: 'object', properties: { id: { type: ['string', 'integer'] } } };
  const words = { name: 'Items', description: 'Finds items.', parameters, idempotent, timeoutMs };
  return new HttpSkill('find_items', { ...words, settings: { ...usual(), ...settings } }, secrets, outbound);
}

function call(
  skill: HttpSkill,
  input: JsonObject,
  signal = new AbortController().signal,
): Promise<JsonValue> {
  return skill.run(input, { callId: 'call-1', companyId: 'a', signal });
}

/** The model's message about a failed call. */
async function told(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(SkillError);
  return (error as SkillError).message;
}

function answering(
  status: number,
  type: string | null,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  service.handler = (_, response) => {
    response.writeHead(status, { ...(type !== null && { 'content-type': type }), ...headers }).end(body);
  };
}

interface Heard {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A service that repeats the request. */
async function echoing(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const heard = await heardFrom(request);
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(heard));
}

async function heardFrom(request: IncomingMessage): Promise<Heard> {
  const { method, url, headers } = request;
  return { method, url, headers, body: await textOf(request) };
}

describe('what is sent', () => {
  let heard: Heard;
  beforeEach(() => {
    service.handler = async (request, response) => {
      heard = await heardFrom(request);
      response.writeHead(204).end();
    };
  });

  it('has arguments in the address, the rest in the query, and the headers', async () => {
    await call(skillOf(), { id: 'a/b', page: 2, tags: ['x', 'y z'], none: null, where: { a: 1 } });
    expect(heard).toMatchObject({
      method: 'GET',
      url: '/items/a%2Fb?page=2&tags=x&tags=y+z&where=%7B%22a%22%3A1%7D',
      headers: { 'x-plain': 'plain', authorization: SECRET },
      body: '',
    });
    expect(heard.headers).not.toHaveProperty('idempotency-key');
  });

  it('has the rest as JSON, and the call’s id for a service that knows what to do with it', async () => {
    await call(skillOf({ method: 'POST', body: 'JSON' }), { id: 1, name: 'é', list: [1] });
    expect(heard).toMatchObject({
      method: 'POST',
      url: '/items/1',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'call-1' },
      body: '{"name":"é","list":[1]}',
    });
  });

  it('has the rest as a form', async () => {
    await call(skillOf({ method: 'PUT', body: 'FORM' }), { id: 1, a: 'b & c', list: [1, 2] });
    expect(heard.headers).toMatchObject({ 'content-type': 'application/x-www-form-urlencoded' });
    expect(heard.body).toBe('a=b+%26+c&list=1&list=2');
  });

  it('has each argument at its place, and secrets in the address last', async () => {
    const placements: HttpSettings['placements'] = [
      { argument: 'version', in: 'HEADER', name: 'X-Version' },
      { argument: 'query_id', in: 'QUERY', name: 'id' },
      { argument: 'items', in: 'WHOLE_BODY', name: 'body' },
    ];
    const settings: Partial<HttpSettings> = {
      method: 'POST',
      body: 'JSON',
      placements,
      secretQuery: ['appid'],
    };
    const secrets = { Authorization: SECRET, appid: 'key-of-the-app' };
    const input = { id: 1, version: 3, query_id: 7, items: [{ a: 1 }], appid: 'mine', other: 'x' };
    await call(skillOf(settings, { secrets }), input);
    expect(heard).toMatchObject({
      url: '/items/1?id=7&appid=key-of-the-app&other=x',
      headers: { 'x-version': '3' },
      body: '[{"a":1}]',
    });
  });

  it.each(['a\r\nx-evil: 1', 'é', 'a'.repeat(3_000)])(
    'is nothing when a header would be %j',
    async (version) => {
      const placements: HttpSettings['placements'] = [
        { argument: 'version', in: 'HEADER', name: 'X-Version' },
      ];
      const before = service.requests.length;
      expect(await told(call(skillOf({ placements }), { id: 1, version }))).toContain('version');
      expect(service.requests).toHaveLength(before);
    },
  );
});

describe('what the model gets', () => {
  it('is the JSON, or what is at the path', async () => {
    answering(200, 'application/problem+json; charset=utf-8', '\u{feff}{"data":{"items":[{"n":1},{"n":2}]}}');
    expect(await call(skillOf(), { id: 1 })).toEqual({ data: { items: [{ n: 1 }, { n: 2 }] } });
    expect(await call(skillOf({ resultPath: '$.data.items[*].n' }), { id: 1 })).toEqual([1, 2]);
  });

  it('is never asked for by a path that takes for ever, whenever that was stored', () => {
    expect(() => skillOf({ resultPath: '$..*' })).toThrow(BadPath);
  });

  it('is a text, in whatever encoding', async () => {
    answering(200, 'text/plain; charset=iso-8859-1', Buffer.from('d\u00e9j\u00e0', 'latin1'));
    expect(await call(skillOf(), { id: 1 })).toEqual({ text: 'déjà' });
  });

  it('is the status when there is nothing else', async () => {
    answering(204, null, '');
    expect(await call(skillOf(), { id: 1 })).toMatchObject({ status: 204 });
    for (const location of ['/items/42', `/items/42?key=${SECRET.slice(7)}`]) {
      answering(201, null, '', { location });
      expect(await call(skillOf(), { id: 1 })).toMatchObject({
        status: 201,
        location: location.replace(SECRET.slice(7), '•••'),
      });
    }
    answering(200, 'application/json', ' \r\n');
    expect(await call(skillOf(), { id: 1 })).toMatchObject({ status: 200, note: expect.any(String) });
  });

  it.each<[string, number, string | null, string | Buffer, RegExp]>([
    ['a picture', 200, 'image/png', Buffer.alloc(10), /image\/png of 10 bytes/],
    ['something of no type', 200, null, 'x', /no type of 1 bytes/],
    ['what only claims to be JSON', 200, 'application/json', '<html>', /JSON, and it is not/],
    [
      'JSON without an end to its depth',
      200,
      'application/json',
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      /nested too deep/,
    ],
    ['more than is read', 200, 'text/plain', 'a'.repeat(2_100_000), /larger than 2 MB/],
    ['a refusal', 422, 'application/json', '{"error":"name is missing"}', /status 422.*name is missing/],
    ['a long refusal', 400, 'text/plain', `begin ${'x'.repeat(5_000)}`, /^.{100,700}$/s],
    ['an unknown key', 401, 'text/plain', 'who?', /credentials.*admin has to check/],
    ['a missing right', 403, 'text/plain', 'no', /credentials.*admin has to check/],
    ['a fault', 503, 'text/html', '', /status 503/],
  ])('is words about %s', async (_, status, type, body, words) => {
    answering(status, type, body);
    expect(await told(call(skillOf(), { id: 1 }))).toMatch(words);
  });

  it('says when the service wants to be called again', async () => {
    answering(429, 'text/plain', 'slow down', { 'retry-after': '30' });
    expect(await told(call(skillOf(), { id: 1 }))).toContain('in 30 seconds');
  });

  it('never has the secret in it', async () => {
    service.handler = echoing;
    const answered = JSON.stringify(await call(skillOf(), { id: 1 }));
    expect(answered).toContain('"authorization":"•••"');
    expect(answered).not.toContain('s3cret');
    answering(400, 'application/json', JSON.stringify({ error: `bad token ${SECRET.slice(7)}` }));
    expect(await told(call(skillOf(), { id: 1 }))).toContain('bad token •••');
  });
});

describe('a call that goes wrong on the way', () => {
  const DOUBT = 'Nobody knows whether';
  const making = { method: 'POST', body: 'JSON' } as const;

  it('is in doubt when it makes something and no answer came', async () => {
    service.handler = () => undefined;
    const slow = { timeoutMs: 50 };
    const unsafe = await told(call(skillOf(making, { ...slow, idempotent: false }), { id: 1 }));
    expect(unsafe).toContain('did not answer in time');
    expect(unsafe).toContain(DOUBT);
    expect(await told(call(skillOf({}, slow), { id: 1 }))).not.toContain(DOUBT);
    service.handler = (request) => void request.socket.destroy();
    expect(await told(call(skillOf(making, { idempotent: false }), { id: 1 }))).toContain(DOUBT);
    answering(502, 'text/plain', 'bad gateway');
    expect(await told(call(skillOf(making, { idempotent: false }), { id: 1 }))).toContain(DOUBT);
  });

  it.each<[string, number, string | null, string]>([
    ['another type', 200, 'application/pdf', '%PDF'],
    ['what only claims to be JSON', 200, 'application/json', 'OK'],
    ['something of no type', 201, null, 'x'],
  ])(
    'says that it was carried out, and not to repeat it, of an answer that is %s',
    async (_, status, type, body) => {
      answering(status, type, body);
      const words = `Its status is ${status}, which says that the call was carried out: do not repeat it`;
      expect(await told(call(skillOf(making, { idempotent: false }), { id: 1 }))).toContain(words);
      expect(await told(call(skillOf(making), { id: 1 }))).not.toContain(words);
    },
  );

  it.each(['/orders/1', 'http://other.example/', 'shop://orders/1', 'http://a:b@other.example/'])(
    'is in doubt when it makes something and is sent on to %s',
    async (location) => {
      answering(303, null, '', { location });
      expect(await told(call(skillOf(making, { idempotent: false }), { id: 1 }))).toContain(DOUBT);
    },
  );

  it('takes the time that it was given, and says what became of the call before that is over', () => {
    expect(skillOf({}, { timeoutMs: 15_000 }).timeoutMs).toBe(15_000);
    expect(requestMsOf(15_000)).toBe(14_000);
    expect(requestMsOf(1_000)).toBe(800);
    for (const timeoutMs of [1_000, 15_000]) {
      expect(requestMsOf(timeoutMs) + readingWaitMsOf(timeoutMs)).toBeLessThan(timeoutMs);
      for (const tookMs of [0, timeoutMs / 2, requestMsOf(timeoutMs)])
        expect(tookMs + readingWaitMsOf(timeoutMs, tookMs)).toBeLessThan(timeoutMs);
      expect(readingWaitMsOf(timeoutMs, timeoutMs)).toBe(0);
    }
  });

  it('is not in doubt when it did not get its turn', () => {
    expect(mayHaveArrived(new OutboundError('BUSY', 'Too many wait.'))).toBe(false);
    expect(mayHaveArrived(new OutboundError('TIMEOUT', 'It did not answer.'))).toBe(true);
  });

  it('is not in doubt when nothing was sent', async () => {
    const gone = await LocalSite.start(() => undefined);
    const { url, host } = gone;
    await gone[Symbol.asyncDispose]();
    const open = new UndiciOutboundHttp({ allow: [host] });
    const settings = { ...usual(), ...making, url: `${url}/{id}` };
    const words = { name: 'n', description: 'd', parameters: null, idempotent: false, timeoutMs: 5_000 };
    const skill = new HttpSkill('k', { ...words, settings }, { Authorization: SECRET }, open);
    expect(await told(call(skill, { id: 1 }))).toBe(
      'The service could not be called: The server refuses the connection.',
    );
    await open.close();
  });

  it('never reaches a private address', async () => {
    const { length } = elsewhere.requests;
    const settings = { url: `${elsewhere.url}/{id}` };
    expect(await told(call(skillOf(settings), { id: 1 }))).toContain('may not be reached');
    service.handler = (_, response) => void response.writeHead(302, { location: elsewhere.url }).end();
    expect(await told(call(skillOf(), { id: 1 }))).toContain('may not be reached');
    expect(elsewhere.requests).toHaveLength(length);
  });

  it('follows no redirect with what changes something', async () => {
    service.handler = (_, response) => void response.writeHead(307, { location: '/other' }).end();
    const { length } = service.requests;
    expect(await told(call(skillOf(making), { id: 1 }))).toContain('another address');
    expect(service.requests.slice(length)).toEqual(['POST /items/1']);
  });

  it('ends with the turn', async () => {
    const asked = Promise.withResolvers<void>();
    service.handler = () => asked.resolve();
    const turn = new AbortController();
    const running = call(skillOf(), { id: 1 }, turn.signal);
    await asked.promise;
    turn.abort(new Error('The turn is over.'));
    await expect(running).rejects.toThrow('The turn is over.');
  });
});

describe('a long answer while others are read', () => {
  const making = { method: 'POST', body: 'JSON', resultPath: '$.ordered' } as const;
  const ordered = JSON.stringify({ ordered: 'once', filling: 'a'.repeat(100_000) });
  const timed = { idempotent: false, timeoutMs: 2_000 };

  /** Gives company `a` an hour of debt on the thread. */
  beforeEach(() => {
    fairThread.read('another', 1, () => undefined);
    const begun = performance.now() - 3_600_000;
    const clock = vi.spyOn(performance, 'now').mockReturnValueOnce(begun);
    fairThread.read('a', 1, () => undefined);
    clock.mockRestore();
    answering(200, 'application/json', ordered);
  });

  it('is read before the skill’s time is over, whoever’s turn it is', async () => {
    expect(await call(skillOf(making, timed), { id: 1 }, AbortSignal.timeout(2_000))).toBe('once');
  });

  it('is read in a trial as well', async () => {
    expect(await tryOut(skillOf(making, timed), 'a', { id: 1 })).toMatchObject({
      result: 'once',
      error: null,
    });
  });
});

describe('a trial', () => {
  it('shows what was sent and what came back, without secrets', async () => {
    service.handler = echoing;
    const settings: Partial<HttpSettings> = { secretQuery: ['key'], resultPath: '$.method' };
    const trial = await tryOut(
      skillOf(settings, { secrets: { Authorization: SECRET, key: 'a key & more' } }),
      'a',
      { id: 1 },
    );
    expect(trial).toMatchObject({
      request: { method: 'GET', url: `${service.url}/items/1?key=•••`, body: null },
      response: { status: 200, mediaType: 'application/json' },
      result: 'GET',
      error: null,
    });
    expect(trial.request?.headers).toContainEqual({ name: 'authorization', value: '•••' });
    expect(JSON.stringify(trial)).not.toMatch(/s3cret|a key|a\+key|a%20key/);
  });

  it('tells what goes wrong, before the call and after it', async () => {
    const wrong = await tryOut(skillOf(), 'a', { id: [1] });
    expect(wrong).toMatchObject({ request: null, response: null, result: null });
    expect(wrong.error).toContain('do not fit');
    answering(404, 'text/plain', 'no such item');
    expect(await tryOut(skillOf(), 'a', { id: 1 })).toMatchObject({
      response: { status: 404, excerpt: 'no such item' },
      error: expect.stringContaining('404'),
    });
  });
});

it('says who can open an address that a skill may not reach', async () => {
  const outbound = new UndiciOutboundHttp({ allow: [] });
  const settings = {
    method: 'POST',
    url: 'http://10.1.2.3/stock',
    headers: {},
    secretHeaders: [],
    secretQuery: [],
    body: 'JSON',
    placements: [],
    resultPath: null,
  };
  const words = { name: 'n', description: 'd', parameters: null, idempotent: false, timeoutMs: 5_000 };
  const skill = new HttpSkill('k', { ...words, settings }, {}, outbound);
  const place = { callId: 'call-1', companyId: 'a', signal: new AbortController().signal };
  await expect(skill.run({}, place)).rejects.toThrow(
    /^The service could not be called: .*may not be reached.*operator of this server.*OUTBOUND_ALLOW\.$/,
  );
  await outbound.close();
});
