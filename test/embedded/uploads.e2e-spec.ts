import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { buffer, json, text } from 'node:stream/consumers';

import { DomainError } from '../../src/common/errors/domain-error.js';
import { newId } from '../../src/common/ids.js';
import { LINK_MS } from '../../src/companies/files/signed-links.js';
import { IDLE_MS } from '../../src/companies/files/incoming-body.js';
import {
  UploadExpiry,
  type IssuedUpload,
  type WantedUpload,
} from '../../src/companies/files/upload-tickets.service.js';
import type { UploadReceiver } from '../../src/companies/files/uploads.service.js';
import { FilesApp, type Person } from '../harness/files-app.js';

const MEBIBYTE = 1024 * 1024;

let app: FilesApp;
let ada: Person;
/** What takes in the uploads of a test. */
let receive: UploadReceiver;

beforeAll(async () => {
  app = await FilesApp.start();
  app.receivers.register('DOCUMENT', (...upload) => receive(...upload));
  ada = await app.person('ada');
});
afterAll(() => app[Symbol.asyncDispose]());

beforeEach(() => {
  receive = async (_ticket, content) => ({ text: await text(content) });
});

function issue(wanted: Partial<WantedUpload> = {}, owner: Person = ada): Promise<IssuedUpload> {
  return app.resources.database.transaction(owner.companyId, (tx) =>
    app.tickets.issue(tx, owner, {
      purpose: 'DOCUMENT',
      name: 'notes.txt',
      mediaType: 'text/plain',
      maxBytes: 1000,
      subjectId: null,
      ...wanted,
    }),
  );
}

async function urlOf(wanted: Partial<WantedUpload> = {}): Promise<string> {
  return app.here((await issue(wanted)).url);
}

interface Answer {
  status: number;
  body: unknown;
}

async function put(
  url: string,
  body: RequestInit['body'] | Readable,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const sent = { method: 'PUT', headers, body: body as RequestInit['body'], duplex: 'half' };
  const response = await fetch(url, sent as RequestInit);
  return { status: response.status, body: await response.json() };
}

function refused(status: number, code: string, message: string, facts: object = {}): Answer {
  return {
    status,
    body: { errors: [{ message, extensions: { ...facts, code } }] },
  };
}
const used = refused(409, 'CONFLICT', 'This upload link has been used. Ask for a new one.');

/** A request whose body is still to be sent. */
function begin(url: string, bytes: number): ClientRequest {
  const begun = request(url, { method: 'PUT', headers: { 'content-length': bytes } });
  begun.on('error', () => undefined);
  return begun;
}

async function answerTo(sent: ClientRequest): Promise<Answer> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await json(response) };
}

/** A receiver that says when it has begun and how it ended. */
function watched(work: UploadReceiver): { begun: Promise<void>; ended: Promise<unknown> } {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  receive = async (...upload) => {
    begun.resolve();
    try {
      return await work(...upload);
    } catch (error) {
      ended.resolve(error);
      throw error;
    }
  };
  return { begun: begun.promise, ended: ended.promise };
}

/** Puts again until the ticket is free: whoever left is noticed a little later. */
async function putUntilTaken(url: string): Promise<Answer> {
  for (;;) {
    const answer = await put(url, 'again');
    if (answer.status !== 409) return answer;
  }
}

describe('a ticket', () => {
  it('says how the file is to be sent, and to whom it was given', async () => {
    const subjectId = newId();
    const issued = await issue({ subjectId, mediaType: 'text/markdown' });
    expect(issued).toEqual({
      url: expect.stringMatching(/\/uploads\/[\w-]+\.[\w-]+$/),
      method: 'PUT',
      headers: { 'content-type': 'text/markdown' },
      expiresAt: expect.any(Date),
    });
    const life = issued.expiresAt.getTime() - app.clock.now().getTime();
    expect(life).toBeGreaterThan(LINK_MS - 1000);
    expect(life).toBeLessThanOrEqual(LINK_MS);
    const seen = Promise.withResolvers<unknown>();
    receive = async (ticket, content) => {
      seen.resolve(ticket);
      return { bytes: (await buffer(content)).byteLength };
    };
    expect(await put(app.here(issued.url), 'Bonjour', issued.headers)).toEqual({
      status: 200,
      body: { bytes: 7 },
    });
    expect(await seen.promise).toMatchObject({
      companyId: ada.companyId,
      memberId: ada.id,
      purpose: 'DOCUMENT',
      subjectId,
      name: 'notes.txt',
      mediaType: 'text/markdown',
      maxBytes: 1000,
    });
  });

  it.each([
    ['name', { name: '../etc/passwd' }],
    ['name', { name: '' }],
    ['mediaType', { mediaType: 'text/plain\r\nx: y' }],
    ['maxBytes', { maxBytes: 0 }],
    ['maxBytes', { maxBytes: 2 ** 31 }],
  ])('is not given for a %s that is none', async (path, wanted) => {
    await expect(issue(wanted)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      extensions: { path: ['input', path] },
    });
  });

  it('is for one upload', async () => {
    const url = await urlOf();
    expect(await put(url, 'first')).toEqual({ status: 200, body: { text: 'first' } });
    expect(await put(url, 'second')).toEqual(used);
  });

  it('is one client’s when several come at once', async () => {
    const url = await urlOf();
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((body) => put(url, body)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  });

  it('is over after a quarter of an hour', async () => {
    const url = await urlOf();
    app.clock.advance(LINK_MS);
    expect(await put(url, 'late')).toEqual(
      refused(410, 'NOT_FOUND', 'The link has expired. Ask for a new one.', { expired: true }),
    );
  });

  it('cannot be made up, and none of a file is one', async () => {
    const notThere = refused(404, 'NOT_FOUND', 'There is no such link.');
    const url = await urlOf();
    const changed = url.endsWith('A') ? `${url.slice(0, -1)}B` : `${url.slice(0, -1)}A`;
    const file = app.files.linkTo({ companyId: ada.companyId, id: newId(), memberId: ada.id });
    const token = file.url.split('/').at(-1);
    for (const each of [changed, `${app.url}/uploads/nonsense`, `${app.url}/uploads/${token}`]) {
      expect(await put(each, 'x')).toEqual(notThere);
    }
    expect(await put(url, 'x')).toMatchObject({ status: 200 });
  });

  it('is another company’s for nobody', async () => {
    const stranger = await app.person('bob', await app.company());
    const { url } = await issue({}, stranger);
    const seen = await app.resources.database.transaction(ada.companyId, (tx) =>
      tx.query('SELECT id FROM upload WHERE company_id = $1', [stranger.companyId]),
    );
    expect(seen).toEqual([]);
    expect(await put(app.here(url), 'x')).toMatchObject({ status: 200 });
  });

  it('is removed when it is over, and not before', async () => {
    const stranger = await app.person('bob', await app.company());
    const left = (): Promise<unknown[]> =>
      app.resources.database.transaction(stranger.companyId, (tx) => tx.query('SELECT id FROM upload'));
    await issue({}, stranger);
    const expiry = app.nest.get(UploadExpiry, { strict: false });
    app.clock.advance(LINK_MS - 1000);
    await expiry.removeExpired();
    const { url } = await issue({}, stranger);
    expect(await left()).toHaveLength(2);
    app.clock.advance(1000);
    await expiry.removeExpired();
    expect(await left()).toHaveLength(1);
    expect(await put(app.here(url), 'x')).toMatchObject({ status: 200 });
  });

  it('has what dead processes left half written removed every hour', async () => {
    const removed = vi.spyOn(app.storage, 'removeAbandoned');
    await app.nest.get(UploadExpiry, { strict: false }).removeExpired();
    expect(removed).toHaveBeenCalledOnce();
  });
});

describe('a body', () => {
  it.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
    'comes as it is, with the type %j',
    async (type) => {
      const body = '{ "not": JSON';
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
      expect(await put(await urlOf(), Buffer.from(body), headers)).toEqual({
        status: 200,
        body: { text: body },
      });
    },
  );

  it('that is a form is refused, and the ticket can still be used', async () => {
    const url = await urlOf();
    const form = new FormData();
    form.set('file', new Blob(['Bonjour']), 'notes.txt');
    expect(await put(url, form)).toEqual({
      status: 400,
      body: { errors: [{ message: expect.stringMatching(/form/), extensions: { code: 'BAD_USER_INPUT' } }] },
    });
    expect(await put(url, 'Bonjour')).toEqual({ status: 200, body: { text: 'Bonjour' } });
  });

  it('may be empty', async () => {
    expect(await put(await urlOf(), '')).toEqual({ status: 200, body: { text: '' } });
  });

  it('may be larger than what is read anywhere else', async () => {
    const bytes = randomBytes(12 * MEBIBYTE);
    const sha256 = (of: Buffer): string => createHash('sha256').update(of).digest('hex');
    receive = async (_ticket, content) => ({ sha256: sha256(await buffer(content)) });
    const url = await urlOf({ maxBytes: bytes.byteLength });
    expect(await put(url, bytes)).toEqual({ status: 200, body: { sha256: sha256(bytes) } });
  });

  it('reaches the receiver as it comes', async () => {
    const first = Promise.withResolvers<string>();
    receive = async (_ticket, content) => {
      let whole = '';
      for await (const chunk of content) {
        whole += String(chunk);
        first.resolve(whole);
      }
      return { whole };
    };
    const sent = begin(await urlOf(), 10);
    sent.write('Bon');
    expect(await first.promise).toBe('Bon');
    sent.end('jour ca');
    expect(await answerTo(sent)).toEqual({ status: 200, body: { whole: 'Bonjour ca' } });
  });

  const tooLarge = refused(413, 'PAYLOAD_TOO_LARGE', 'The file may have at most 1000 bytes.', {
    limit: 1000,
  });

  it.each([
    ['says so', () => Buffer.alloc(2000)],
    ['does not say so', () => Readable.from([Buffer.alloc(600), Buffer.alloc(600)])],
    ['is much too long', () => Readable.from(Array.from({ length: 40 }, () => Buffer.alloc(100_000)))],
  ])('is refused as too long when it is, and %s', async (_how, body) => {
    let received = 0;
    receive = async (_ticket, content) => {
      for await (const chunk of content) received += (chunk as Buffer).byteLength;
      return {};
    };
    const url = await urlOf();
    expect(await put(url, body())).toEqual(tooLarge);
    expect(received).toBeLessThanOrEqual(1000);
    receive = async (_ticket, content) => ({ text: await text(content) });
    expect(await put(url, 'x')).toEqual({ status: 200, body: { text: 'x' } });
    expect(await put(url, 'x')).toEqual(used);
  });

  it('ends with the client that leaves, and the ticket is free again', async () => {
    const { begun, ended } = watched(async (_ticket, content, signal) => {
      await buffer(content).catch(() => undefined);
      signal.throwIfAborted();
      return {};
    });
    const url = await urlOf();
    const sent = begin(url, 10);
    sent.write('Bon');
    await begun;
    sent.destroy();
    expect(await ended).toMatchObject({ name: 'ClientLeft' });
    receive = async (_ticket, content) => ({ text: await text(content) });
    expect(await putUntilTaken(url)).toEqual({ status: 200, body: { text: 'again' } });
  });

  it('ends with a client that sends no more', async () => {
    const { ended } = watched(async (_ticket, content) => ({ text: await text(content) }));
    const arrived = Promise.withResolvers<void>();
    const inner = receive;
    receive = (ticket, content, signal) => {
      content.once('readable', () => arrived.resolve());
      return inner(ticket, content, signal);
    };
    const sent = begin(await urlOf(), 10);
    sent.write('Bon');
    await arrived.promise;
    const closed = new Promise((resolve) => sent.once('close', resolve));
    app.clock.advance(2 * IDLE_MS);
    expect(await ended).toMatchObject({ name: 'ClientLeft' });
    await closed;
  });

  it('ends with the client that leaves while what it sent is worked on', async () => {
    const { begun, ended } = watched(async (_ticket, content, signal) => {
      await buffer(content);
      if (!signal.aborted) await once(signal, 'abort');
      signal.throwIfAborted();
      return {};
    });
    const sent = begin(await urlOf(), 3);
    sent.end('Bon');
    await begun;
    sent.destroy();
    expect(await ended).toMatchObject({ name: 'ClientLeft' });
  });
});

describe('a receiver', () => {
  it.each([
    ['BAD_USER_INPUT', 400],
    ['FORBIDDEN', 403],
    ['CONFLICT', 409],
  ] as const)('refuses by %s, and the ticket is used up', async (code, status) => {
    receive = async () => {
      throw new DomainError(code, 'This is no pack.', { line: 3 });
    };
    const url = await urlOf();
    expect(await put(url, 'x')).toEqual(refused(status, code, 'This is no pack.', { line: 3 }));
    expect(await put(url, 'x')).toEqual(used);
  });

  it.each([
    [
      'breaks',
      new Error('Secret words.'),
      500,
      'INTERNAL',
      'Something went wrong on our side. It has been logged.',
    ],
    ['cannot just now', new DomainError('UNAVAILABLE', 'Try again.'), 503, 'UNAVAILABLE', 'Try again.'],
    ['has too much to do', new DomainError('RATE_LIMITED', 'Later.'), 429, 'RATE_LIMITED', 'Later.'],
    ['takes less', new DomainError('PAYLOAD_TOO_LARGE', 'Less.'), 413, 'PAYLOAD_TOO_LARGE', 'Less.'],
  ])('%s, and the ticket is free again', async (_what, error, status, code, message) => {
    receive = async () => {
      throw error;
    };
    const url = await urlOf();
    expect(await put(url, 'x')).toEqual(refused(status, code, message));
    receive = async () => ({ taken: true });
    expect(await put(url, 'x')).toEqual({ status: 200, body: { taken: true } });
  });

  it('may refuse at once, and the client that sends on is told', async () => {
    receive = async () => {
      throw new DomainError('BAD_USER_INPUT', 'No more documents.');
    };
    const url = await urlOf({ maxBytes: 10 * MEBIBYTE });
    expect(await put(url, Buffer.alloc(6 * MEBIBYTE))).toEqual(
      refused(400, 'BAD_USER_INPUT', 'No more documents.'),
    );
  });
});

it('lets another site’s page send a file, and nothing else there', async () => {
  const preflight = (path: string, method: string): Promise<Response> =>
    fetch(`${app.url}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': method,
        'access-control-request-headers': 'content-type',
      },
    });
  const upload = await preflight('/uploads/x', 'PUT');
  expect(Object.fromEntries(upload.headers)).toMatchObject({
    'access-control-allow-origin': 'https://app.example',
    'access-control-allow-methods': 'PUT',
    'access-control-allow-headers': 'content-type',
  });
  const graphql = await preflight('/graphql', 'POST');
  expect(graphql.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST');
  const explorer = await preflight('/explorer', 'GET');
  expect(explorer.headers.get('access-control-allow-origin')).toBeNull();
});

it('gives tickets back when the server stops', async () => {
  await using stopping = await FilesApp.start();
  const owner = await stopping.person('ada');
  const begun = Promise.withResolvers<void>();
  stopping.receivers.register('DOCUMENT', async (_ticket, _content, signal) => {
    begun.resolve();
    await once(signal, 'abort');
    throw signal.reason;
  });
  const { database } = stopping.resources;
  const { url } = await database.transaction(owner.companyId, (tx) =>
    stopping.tickets.issue(tx, owner, {
      purpose: 'DOCUMENT',
      name: 'a',
      mediaType: 'text/plain',
      maxBytes: 10,
      subjectId: null,
    }),
  );
  const sent = begin(stopping.here(url), 10);
  sent.write('Bon');
  await begun.promise;
  await stopping.nest.close();
  const rows = await database.transaction(owner.companyId, (tx) =>
    tx.query('SELECT used_at AS "usedAt" FROM upload'),
  );
  expect(rows).toEqual([{ usedAt: null }]);
});
