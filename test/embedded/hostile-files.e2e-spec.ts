import sharp from 'sharp';
import { LocalSite } from '@palabre/outbound/local-site.double.js';

import * as files from '../attack/attacks/hostile-files.js';
import { type DocumentAnswer, hereOf, processed, sendBytes, upload } from '../harness/document-view.js';
import { skillMd, uploadPacks, zipOf } from '../harness/pack-uploads.js';
import { startOfflineApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const CREATE = `mutation ($input: CreateAttachmentUploadInput!) { createAttachmentUpload(input: $input) {
  attachment { id } url method headers } }`;
const ATTACHMENT = 'query ($id: ID!) { attachment(id: $id) { status error url } }';

const DAMAGED = /damaged or not what its name says/;
const TOO_MUCH = /unpacks to too much/;

let app: TestApp;
let client: TestClient;
/** What files refer to. */
let site: LocalSite;

beforeAll(async () => {
  site = await LocalSite.start((_, response) => void response.end('a'));
  app = await startOfflineApp();
  client = await app.client();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function read(name: string, content: Uint8Array): Promise<DocumentAnswer> {
  return processed(client, await upload(client, name, content));
}

interface AttachmentAnswer {
  status: string;
  error: string | null;
  url: string | null;
}

/** Sends an image, and gives what became of it. */
async function attached(name: string, content: Uint8Array): Promise<AttachmentAnswer> {
  const input = { name, mediaType: 'image/png', bytes: content.byteLength };
  const { createAttachmentUpload: created } = await client.get<{
    createAttachmentUpload: Parameters<typeof sendBytes>[1] & { attachment: { id: string } };
  }>(CREATE, { input });
  expect((await sendBytes(client, created, content)).status).toBe(200);
  const { attachment } = await client.get<{ attachment: AttachmentAnswer }>(ATTACHMENT, created.attachment);
  return attachment;
}

it.each<[what: string, name: string, make: () => Promise<Uint8Array> | Uint8Array, reason: RegExp]>([
  ['a PDF that is an office file as well', 'paper.pdf', () => files.polyglot(), DAMAGED],
  ['the same by its other name', 'paper.docx', () => files.polyglot(), DAMAGED],
  [
    'a text that is an office file as well',
    'a.txt',
    () => files.polyglot(Buffer.from('a '.repeat(40_000))),
    DAMAGED,
  ],
  ['an image that is an office file', 'a.docx', () => files.polyglot(files.smallPng()), /picture \(PNG\)/],
  ['a drawing', 'a.svg', () => files.svg(site.url, 0), /picture \(SVG\)/],
  ['a drawing of entities that multiply', 'a.txt', () => files.svg(site.url, 9), /picture \(SVG\)/],
  ['archives in archives', 'a.docx', () => files.nestedZip(8), /archive \(ZIP\)/],
  ['files in one place', 'a.docx', () => files.overlappingDocx(), DAMAGED],
  ['10,000 sheets in one place', 'a.xlsx', () => files.overlappingXlsx(), TOO_MUCH],
  ['a part of an absurd size', 'a.docx', () => files.zipBomb('word/document.xml', 300_000_000), TOO_MUCH],
  ['a part that says it is small', 'a.docx', () => files.quotedZip(), TOO_MUCH],
])('%s is no document', async (_, name, make, reason) => {
  expect(await read(name, await make())).toMatchObject({
    status: 'FAILED',
    error: expect.stringMatching(reason),
  });
});

it('a page refers to nothing that is fetched, and its scripts are no text', async () => {
  const page = `<!doctype html><html><head><link rel="stylesheet" href="${site.url}/a.css">
    <script src="${site.url}/a.js">alert("never")</script></head><body><p>Le verger.</p>
    <img src="${site.url}/a.png"><iframe src="${site.url}/frame"></iframe>${files.svg(site.url, 2).toString()}</body></html>`;
  expect((await read('page.html', Buffer.from(page))).status).toBe('COMPLETED');
  await read('drawing.svg', files.svg(site.url, 0));
  expect(site.requests).toEqual([]);
});

describe('an image', () => {
  it('keeps nothing but its pixels, whatever else it is', async () => {
    const { status, url } = await attached('photo.png', await files.polyglot(files.smallPng()));
    expect(status).toBe('COMPLETED');
    const stored = Buffer.from(await (await fetch(hereOf(client, url!))).arrayBuffer());
    expect(await sharp(stored).metadata()).toMatchObject({ format: 'png', width: 1 });
    expect(stored.includes('PK')).toBe(false);
  });

  it.each<[what: string, make: () => Uint8Array]>([
    ['is a drawing', () => files.svg(site.url, 9)],
    ['says that it is giant', () => files.claimedPng()],
    ['unpacks to 480 MB', () => files.giantPng()],
  ])('that %s is refused, and nothing of it goes on', async (_, make) => {
    expect(await attached('photo.png', make())).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining('This is no image that can be read.'),
    });
    expect(sharp.counters()).toEqual({ queue: 0, process: 0 });
    expect(site.requests).toEqual([]);
  });
});

describe('a pack', () => {
  const pack = { 'a/SKILL.md': skillMd('a', 'Compares offers.', 'Body.') };

  it('may hold archives in archives, of which none is opened', async () => {
    const archive = await zipOf({ ...pack, 'a/more.zip': await files.nestedZip(8) });
    const { status, body } = await uploadPacks(client, archive);
    expect([status, body.skills?.map(({ key }) => key)]).toEqual([200, ['a']]);
  });

  it.each<[what: string, make: () => Uint8Array | Promise<Uint8Array>, reason: RegExp]>([
    ['is an archive of archives', () => files.nestedZip(8), /no SKILL\.md/],
    ['unpacks to 300 MB', () => files.zipBomb('a/SKILL.md', 300_000_000), /larger than|unpacks to more/],
    ['is a PDF as well', () => files.polyglot(), /no SKILL\.md|not a zip/],
  ])('that %s is refused', async (_, make, reason) => {
    const { status, body } = await uploadPacks(client, Buffer.from(await make()));
    expect([status, body.errors?.[0]?.message]).toEqual([400, expect.stringMatching(reason)]);
  });
});
