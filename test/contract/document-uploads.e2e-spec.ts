import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';

import { DomainError } from '../../src/common/errors/domain-error.js';
import { newId } from '../../src/common/ids.js';
import { DocumentRefused, remark } from '@palabre/reader';
import { PendingUploads, UPLOAD_DEADLINE_MS } from '../../src/documents/upload/pending-uploads.service.js';
import { DocumentReceiver } from '../../src/documents/upload/document-receiver.service.js';
import { LINK_MS } from '../../src/companies/files/signed-links.js';
import {
  announce,
  CREATE_UPLOAD,
  DELETE_DOCUMENT,
  findDocument,
  hereOf,
  processed,
  progressOf,
  searchDocuments,
  type SentAnswer,
  sendBytes,
  upload,
} from '../harness/document-view.js';
import { eventually } from '../harness/eventually.js';
import { FilesApp, type Person } from '../harness/files-app.js';
import { gate, parseBy } from '../harness/scripted-parsing.js';

const TEXT = 'Le karité de Kolda est mûr en juillet.';

let app: FilesApp;
let ada: Person;

beforeAll(async () => {
  app = await FilesApp.start();
});
afterAll(() => app[Symbol.asyncDispose]());

beforeEach(async () => {
  parseBy();
  ada = await app.person('ada', await app.company());
});
afterEach(() => {
  vi.restoreAllMocks();
});

function isOf({ companyId }: Person, key: string): boolean {
  return key.startsWith(`documents/${companyId}/`);
}

function keysOf(person: Person): string[] {
  return app.storage.keys.filter((key) => isOf(person, key));
}

function rowsOf({ companyId }: Person, table: string): Promise<unknown[]> {
  return app.resources.database.transaction(companyId, (tx) => tx.query(`SELECT id FROM ${table}`));
}

function begin({ client }: Person, url: string, bytes: number): ClientRequest {
  const begun = request(hereOf(client, url), { method: 'PUT', headers: { 'content-length': bytes } });
  begun.on('error', () => undefined);
  return begun;
}

async function answerTo(sent: ClientRequest): Promise<SentAnswer> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: (await json(response)) as SentAnswer['body'] };
}

/** Resolves once the storage has been given something to write. */
function nextWrite(): Promise<void> {
  const begun = Promise.withResolvers<void>();
  const { write } = app.storage;
  vi.spyOn(app.storage, 'write').mockImplementationOnce((key, content, options) => {
    begun.resolve();
    return write.call(app.storage, key, content, options);
  });
  return begun.promise;
}

describe('an upload', () => {
  it('is announced with how the file is to be sent', async () => {
    const { document, ...issued } = await announce(ada.client, {
      name: 'a.md',
      mediaType: 'text/markdown',
      bytes: 3,
    });
    expect(issued).toEqual({
      url: expect.stringMatching(/\/uploads\/[\w-]+\.[\w-]+$/),
      method: 'PUT',
      headers: { 'content-type': 'text/markdown' },
      expiresAt: expect.any(String),
    });
    expect(document).toMatchObject({
      name: 'a.md',
      mediaType: 'text/markdown',
      bytes: 3,
      status: 'PENDING',
      url: null,
    });
    expect(await findDocument(ada.client, document.id)).toEqual(document);
    const sent = await sendBytes(ada.client, { ...issued }, 'abc');
    expect(sent).toEqual({ status: 200, body: { documentId: document.id, status: 'PENDING' } });
  });

  it('may be of a type that the client does not know', async () => {
    const { document } = await announce(ada.client, { mediaType: '', bytes: 1 });
    expect(document.mediaType).toBe('application/octet-stream');
  });

  it.each([
    ['BAD_USER_INPUT', 'name', { name: '../etc/passwd' }],
    ['BAD_USER_INPUT', 'name', { name: ' ' }],
    ['BAD_USER_INPUT', 'name', { name: '\u200b' }],
    ['BAD_USER_INPUT', 'name', { name: 'a'.repeat(201) }],
    ['BAD_USER_INPUT', 'mediaType', { mediaType: 'text' }],
    ['BAD_USER_INPUT', 'bytes', { bytes: -1 }],
    ['PAYLOAD_TOO_LARGE', 'bytes', { bytes: 52_428_801 }],
  ])('is refused with %s for a wrong %s', async (code, field, wrong) => {
    const input = { name: 'a.txt', mediaType: 'text/plain', bytes: 1, ...wrong };
    const { errors } = await ada.client.send(CREATE_UPLOAD, { input });
    expect(errors?.map(({ extensions }) => extensions)).toEqual([
      expect.objectContaining({ code, path: ['input', field] }),
    ]);
    if (code === 'PAYLOAD_TOO_LARGE') expect(errors?.[0]?.extensions.limit).toBe(52_428_800);
    expect(await rowsOf(ada, 'document')).toEqual([]);
  });

  it('is for one file', async () => {
    const issued = await announce(ada.client, { bytes: TEXT.length * 2 });
    expect(await sendBytes(ada.client, issued, TEXT)).toMatchObject({ status: 200 });
    expect(await sendBytes(ada.client, issued, TEXT)).toMatchObject({
      status: 409,
      body: { errors: [{ extensions: { code: 'CONFLICT' } }] },
    });
  });

  it('is over when its link is', async () => {
    const issued = await announce(ada.client, { bytes: 3 });
    app.clock.advance(LINK_MS);
    expect(await sendBytes(ada.client, issued, 'abc')).toMatchObject({
      status: 410,
      body: { errors: [{ extensions: { code: 'NOT_FOUND', expired: true } }] },
    });
    expect(keysOf(ada)).toEqual([]);
  });

  it.each([
    [3, 'abcd', 'abc'],
    [0, 'a', ''],
  ])('announced with %s bytes takes no more, and still takes these', async (bytes, content, right) => {
    const issued = await announce(ada.client, { bytes });
    expect(await sendBytes(ada.client, issued, content)).toMatchObject({
      status: 413,
      body: { errors: [{ extensions: { code: 'PAYLOAD_TOO_LARGE', limit: bytes } }] },
    });
    expect(keysOf(ada)).toEqual([]);
    expect(await findDocument(ada.client, issued.document.id)).toMatchObject({ status: 'PENDING' });
    expect(await sendBytes(ada.client, issued, right)).toMatchObject({ status: 200 });
  });

  it('may have fewer bytes than announced, which are told', async () => {
    const issued = await announce(ada.client, { bytes: 1_000 });
    await sendBytes(ada.client, issued, 'Karité');
    expect(await findDocument(ada.client, issued.document.id)).toMatchObject({
      bytes: Buffer.byteLength('Karité'),
    });
  });
});

describe('nothing is left', () => {
  it('of a file whose sender leaves in the middle, who may come again', async () => {
    const issued = await announce(ada.client, { bytes: Buffer.byteLength(TEXT) });
    const writing = nextWrite();
    const sent = begin(ada, issued.url, Buffer.byteLength(TEXT));
    sent.write('Le ');
    await writing;
    sent.destroy();
    const again = await eventually(
      () => sendBytes(ada.client, issued, TEXT),
      ({ status }) => status !== 409,
    );
    expect(again).toMatchObject({ status: 200 });
    expect(keysOf(ada)).toHaveLength(1);
    expect(await processed(ada.client, issued.document.id)).toMatchObject({ status: 'COMPLETED' });
  });

  it('of a file that the database cannot take in, which may come again', async () => {
    const issued = await announce(ada.client, { bytes: 100 });
    vi.spyOn(DocumentReceiver.prototype, 'keep').mockRejectedValueOnce(
      new DomainError('UNAVAILABLE', 'Later.'),
    );
    expect(await sendBytes(ada.client, issued, TEXT)).toMatchObject({ status: 503 });
    expect(keysOf(ada)).toEqual([]);
    expect(await rowsOf(ada, 'document_content')).toEqual([]);
    expect(await sendBytes(ada.client, issued, TEXT)).toMatchObject({ status: 200 });
  });

  it('of a file whose document is deleted meanwhile', async () => {
    const { document, url } = await announce(ada.client, { bytes: 3 });
    const writing = nextWrite();
    const sent = begin(ada, url, 3);
    sent.write('ab');
    await writing;
    await ada.client.get(DELETE_DOCUMENT, { id: document.id });
    sent.end('c');
    expect(await answerTo(sent)).toMatchObject({
      status: 404,
      body: { errors: [{ extensions: { code: 'NOT_FOUND' } }] },
    });
    expect(keysOf(ada)).toEqual([]);
    expect(await rowsOf(ada, 'document_content')).toEqual([]);
  });

  it('but the file of which nobody could tell whether it was taken in', async () => {
    const issued = await announce(ada.client, { bytes: 100 });
    const { keep } = DocumentReceiver.prototype;
    vi.spyOn(DocumentReceiver.prototype, 'keep').mockImplementationOnce(async function (
      this: DocumentReceiver,
      tx,
      file,
    ) {
      const status = await keep.call(this, tx, file);
      // As a connection does that breaks when the database has committed and not said so.
      tx.afterCommit(() => {
        throw new DomainError('UNAVAILABLE', 'Nobody knows.');
      });
      return status;
    });
    expect(await sendBytes(ada.client, issued, TEXT)).toMatchObject({ status: 503 });
    expect(await processed(ada.client, issued.document.id)).toMatchObject({ status: 'COMPLETED' });
    expect(keysOf(ada)).toHaveLength(1);
    expect(await sendBytes(ada.client, issued, 'Something else.')).toMatchObject({ status: 409 });
  });
});

describe('the same bytes', () => {
  it('are stored and read once in a company, under every name', async () => {
    const first = await upload(ada.client, 'a.txt', TEXT);
    await processed(ada.client, first);
    const reads = vi.spyOn(app.storage, 'read');
    const issued = await announce(ada.client, { name: 'b.txt', bytes: 100 });
    expect(await sendBytes(ada.client, issued, TEXT)).toEqual({
      status: 200,
      body: { documentId: issued.document.id, status: 'COMPLETED' },
    });
    expect(await findDocument(ada.client, issued.document.id)).toMatchObject({
      name: 'b.txt',
      status: 'COMPLETED',
      progress: 1,
    });
    // Of this company: jobs of other tests' documents may still read theirs.
    expect(reads.mock.calls.map(([key]) => key).filter((key) => isOf(ada, key))).toEqual([]);
    await eventually(
      async () => keysOf(ada),
      (keys) => keys.length === 1,
    );
    expect(await searchDocuments(ada.client, 'karité')).toHaveLength(1);
  });

  it('sent at the same time are one content', async () => {
    const issued = await Promise.all([1, 2, 3, 4].map(() => announce(ada.client, { bytes: 100 })));
    const answers = await Promise.all(issued.map((one) => sendBytes(ada.client, one, TEXT)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const { document } of issued) {
      expect(await processed(ada.client, document.id)).toMatchObject({ status: 'COMPLETED' });
    }
    expect(await rowsOf(ada, 'document_content')).toHaveLength(1);
    await eventually(
      async () => keysOf(ada),
      (keys) => keys.length === 1,
    );
    expect(await searchDocuments(ada.client, 'karité')).toHaveLength(1);
  });

  it('that could not be read are tried again when they are sent again', async () => {
    parseBy(async function* ({ name }) {
      if (name === 'a.bin') throw new DocumentRefused(remark('NO_TEXT'));
      yield { number: null, markdown: TEXT };
      return undefined;
    });
    const first = await upload(ada.client, 'a.bin', TEXT);
    expect(await processed(ada.client, first)).toMatchObject({
      status: 'FAILED',
      error: 'There is no text in the file.',
    });
    const second = await upload(ada.client, 'a.txt', TEXT);
    expect(await processed(ada.client, second)).toMatchObject({ status: 'COMPLETED', error: null });
    expect(await processed(ada.client, first)).toMatchObject({ status: 'COMPLETED', error: null });
    await eventually(
      async () => keysOf(ada),
      (keys) => keys.length === 1,
    );
    const { url } = (await findDocument(ada.client, first)) ?? {};
    expect(await (await fetch(hereOf(ada.client, url ?? ''))).text()).toBe(TEXT);
  });

  it('that were lost are there again when they are sent again', async () => {
    const reading = gate();
    parseBy(async function* () {
      await reading.wait();
      yield { number: null, markdown: TEXT };
      return undefined;
    });
    const { read } = app.storage;
    let areLost = false;
    vi.spyOn(app.storage, 'read').mockImplementation(async (key, ...rest) => {
      if (!areLost && isOf(ada, key)) {
        areLost = true;
        await app.storage.remove(key);
      }
      return read.call(app.storage, key, ...rest);
    });
    const first = await upload(ada.client, 'a.txt', TEXT);
    expect(await processed(ada.client, first)).toMatchObject({
      status: 'FAILED',
      error: 'The bytes of this document are lost. Please upload it again.',
    });
    reading.open();
    const second = await upload(ada.client, 'a.txt', TEXT);
    expect(await processed(ada.client, second)).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('a file that never comes', () => {
  it('has its document say so, to those who follow it too', async () => {
    const { document } = await announce(ada.client, { bytes: 3 });
    const progress = progressOf(ada.client, document.id);
    expect(await progress.next()).toMatchObject({ value: { status: 'PENDING' } });
    // As a server leaves it that dies between the last byte and the database.
    const key = `documents/${ada.companyId}/${document.id}`;
    await app.storage.write(key, Buffer.from('abc'), { mediaType: 'text/plain', maxBytes: 3 });
    const awaited = app.nest.get(PendingUploads, { strict: false });
    await awaited.giveUp(app.clock.now());
    expect(await findDocument(ada.client, document.id)).toMatchObject({ status: 'PENDING' });
    await awaited.giveUp(new Date(app.clock.now().getTime() + UPLOAD_DEADLINE_MS + 1));
    expect(await progress.next()).toMatchObject({
      value: { status: 'FAILED', error: 'The file never came. Please upload it again.' },
    });
    expect(await progress.next()).toMatchObject({ done: true });
    await eventually(
      async () => keysOf(ada),
      (keys) => keys.length === 0,
    );
  });

  it('does not concern one that has come', async () => {
    const id = await upload(ada.client, 'a.txt', TEXT);
    await app.nest
      .get(PendingUploads, { strict: false })
      .giveUp(new Date(app.clock.now().getTime() + UPLOAD_DEADLINE_MS + 1));
    expect(await processed(ada.client, id)).toMatchObject({ status: 'COMPLETED' });
    expect(await findDocument(ada.client, newId())).toBeNull();
  });
});

it('leaves nothing in the storage when the server stops in the middle', async () => {
  await using stopping = await FilesApp.start();
  const owner = await stopping.person('ada');
  const { url } = await announce(owner.client, { bytes: 10 });
  const writing = Promise.withResolvers<void>();
  const { write } = stopping.storage;
  vi.spyOn(stopping.storage, 'write').mockImplementationOnce((key, content, options) => {
    writing.resolve();
    return write.call(stopping.storage, key, content, options);
  });
  const sent = begin(owner, url, 10);
  sent.write('Bon');
  await writing.promise;
  await stopping.nest.close();
  sent.destroy();
  expect(stopping.storage.keys).toEqual([]);
});
