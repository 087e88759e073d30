import { setTimeout as sleep } from 'node:timers/promises';

import { CREATE_UPLOAD as CREATE_DOCUMENT } from '../../harness/document-view.js';
import { CREATE_UPLOAD as CREATE_PACK, zipOf } from '../../harness/pack-uploads.js';
import type { Attack, Attacker } from '../attacker.js';
import * as files from './hostile-files.js';
import type { Bytes } from './hostile-files.js';

interface Place {
  url: string;
  method: string;
  headers: Record<string, string>;
}

const CREATE_ATTACHMENT = `mutation ($input: CreateAttachmentUploadInput!) {
  createAttachmentUpload(input: $input) { url method headers } }`;

interface Given {
  createDocumentUpload?: Place;
  createSkillUpload?: Place;
  createAttachmentUpload?: Place;
}

/** By what the name says: a pack, an image for a question, or a document. */
async function placeFor(attacker: Attacker, name: string, bytes: number): Promise<Place> {
  const [, extension = ''] = /\.(\w+)$/.exec(name) ?? [];
  const given = await attacker.ask<Given>(...asked({ name, bytes }, extension));
  const place = given.createDocumentUpload ?? given.createSkillUpload ?? given.createAttachmentUpload;
  if (!place) throw new Error('There is no place for it.');
  return place;
}

function asked(file: { name: string; bytes: number }, extension: string): [query: string, variables: object] {
  if (extension === 'skill') return [CREATE_PACK, { input: file }];
  const isImage = IMAGES.has(extension);
  const input = { ...file, mediaType: isImage ? `image/${extension}` : '' };
  return [isImage ? CREATE_ATTACHMENT : CREATE_DOCUMENT, { input }];
}

const IMAGES = new Set(['png', 'gif', 'webp']);

function uploading(name: string, content: (site: string) => Bytes | Promise<Bytes>, atOnce = 3) {
  return async (attacker: Attacker): Promise<void> => {
    const body = await content(attacker.site);
    await attacker.storm(atOnce, async () => {
      const { url, method, headers } = await placeFor(attacker, name, body.byteLength);
      const { pathname, search } = new URL(url);
      const response = await attacker.request(`${pathname}${search}`, { method, headers, body });
      await response.arrayBuffer();
    });
  };
}

async function manyEntries(): Promise<Bytes> {
  return Buffer.from(
    await zipOf(
      Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`a/${index}/SKILL.md`, 'x'])),
    ),
  );
}

const MB = 1024 * 1024;
/** Begins an upload and sends what `write` writes. */
function trickling(write: (count: number) => string) {
  return async (attacker: Attacker): Promise<void> => {
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { url, method, headers } = await placeFor(attacker, 'notes.txt', MB);
        const { pathname, search } = new URL(url);
        const said = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        const socket = await attacker.connection();
        socket.write(
          `${method} ${pathname}${search} HTTP/1.1\r\nHost: a\r\nContent-Length: ${MB}\r\n${said.join('')}\r\n`,
        );
        for (let count = 0; !attacker.signal.aborted && !socket.destroyed; count += 1) {
          socket.write(write(count));
          await sleep(50);
        }
      }),
    );
  };
}

/** Begins requests of so many bytes, as many as `places` has, and keeps the last byte of each back. */
function withholding(bytes: number, placeOf: (attacker: Attacker) => Promise<Place>) {
  return async (attacker: Attacker): Promise<void> => {
    const body = Buffer.alloc(bytes - 1, ' ');
    await Promise.all(
      Array.from({ length: 60 }, async () => {
        const { url, method, headers } = await placeOf(attacker);
        const { pathname, search } = new URL(url);
        const said = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        const socket = await attacker.connection();
        socket.write(
          `${method} ${pathname}${search} HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n${said.join('')}\r\n`,
        );
        socket.write(body);
      }),
    );
    await attacker.untilOver();
  };
}

async function importPlace({ url, token }: Attacker): Promise<Place> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return { url: `${url}/graphql`, method: 'POST', headers };
}

/** Files: archives that unpack to more, documents that are hard to read, uploads that never end. */
export const uploadAttacks: Attack[] = [
  {
    name: 'a DOCX that unpacks to 300 MB',
    run: uploading('bomb.docx', () => files.zipBomb('word/document.xml', 300 * MB)),
  },
  {
    name: 'an XLSX that unpacks to 300 MB',
    run: uploading('bomb.xlsx', () => files.zipBomb('xl/worksheets/sheet1.xml', 300 * MB)),
  },
  {
    name: 'a pack that unpacks to 300 MB',
    run: uploading('bomb.skill', () => files.zipBomb('a/SKILL.md', 300 * MB)),
  },
  { name: 'a pack of 3,000 files', run: uploading('many.skill', manyEntries) },
  { name: 'a PDF in circles', isQuick: true, run: uploading('circle.pdf', files.circularPdf) },
  { name: 'a DOCX of entities that multiply', run: uploading('entities.docx', files.entitiesDocx) },
  { name: 'a PDF 200,000 deep', run: uploading('deep.pdf', files.deepPdf) },
  { name: 'a PDF that draws without an end', run: uploading('draw.pdf', files.drawingPdf) },
  { name: 'a DOCX 100,000 deep', run: uploading('deep.docx', files.deepDocx) },
  { name: 'a DOCX of 2,000,000 words', run: uploading('wide.docx', files.wideDocx) },
  { name: 'a DOCX of styles in a circle', run: uploading('styles.docx', files.cyclicDocx) },
  { name: 'a DOCX of tables in tables', run: uploading('tables.docx', files.nestedTablesDocx) },
  { name: 'an XLSX as vast as may be', run: uploading('vast.xlsx', files.vastXlsx) },
  { name: 'an XLSX of a cell in each of 300,000 rows', run: uploading('diagonal.xlsx', files.diagonalXlsx) },
  { name: 'an XLSX of 3,000,000 texts', run: uploading('texts.xlsx', files.stringsXlsx) },
  { name: 'an XLSX of one text again and again', run: uploading('again.xlsx', files.repeatedTextXlsx) },
  { name: 'an XLSX of 10,000 sheets in one place', run: uploading('sheets.xlsx', files.overlappingXlsx) },
  { name: 'a PPTX of 100,000 shapes', run: uploading('crowded.pptx', files.crowdedPptx) },
  { name: 'an archive that says it is small', run: uploading('quoted.docx', files.quotedZip) },
  { name: 'small archives whose kind is hard to tell', run: uploading('kind.txt', files.formatParts) },
  { name: 'a PDF of forms in forms', run: uploading('forms.pdf', files.recursiveFormsPdf) },
  { name: 'a PDF of 100,000 pages', run: uploading('pages.pdf', files.manyPagesPdf) },
  { name: 'a PDF of objects in each other’s streams', run: uploading('objects.pdf', files.objectStreamsPdf) },
  { name: 'a PDF packed three times', run: uploading('packed.pdf', files.packedPdf) },
  { name: 'a PDF whose font means anything', run: uploading('font.pdf', files.mappedFontPdf) },
  {
    name: 'a CSV of one line of 16 MB',
    run: uploading('line.csv', () => files.textFile('a,'.repeat(8 * MB))),
  },
  {
    name: 'HTML 1,000,000 deep',
    run: uploading('deeper.html', () => files.textFile('<div>'.repeat(1_000_000))),
  },
  { name: 'giant images', isQuick: true, run: uploading('giant.png', files.giantPng, 8) },
  { name: 'PDFs that are archives as well', run: uploading('paper.pdf', () => files.polyglot()) },
  {
    name: 'images that are archives as well',
    run: uploading('photo.png', () => files.polyglot(files.smallPng())),
  },
  { name: 'drawings of scripts and entities', run: uploading('drawing.svg', (site) => files.svg(site, 9)) },
  { name: 'archives in archives', run: uploading('nested.zip', () => files.nestedZip(12)) },
  { name: 'packs of archives in archives', run: uploading('nested.skill', () => files.nestedZip(12)) },
  { name: 'a DOCX of files in one place', run: uploading('overlap.docx', files.overlappingDocx) },
  { name: 'images that say they are giant', run: uploading('claim.png', files.claimedPng, 8) },
  { name: 'a moving PNG of 2,000 pictures', run: uploading('moving.png', files.apng) },
  { name: 'images of texts that unpack', run: uploading('texts.png', files.pngOfTexts) },
  { name: 'images of 10,000 pictures', run: uploading('moving.gif', () => files.movingGif(7_000, 8_000)) },
  { name: 'HTML 100,000 deep', run: uploading('deep.html', () => files.textFile('<div>'.repeat(100_000))) },
  {
    name: 'HTML of unclosed attributes',
    run: uploading('open.html', () => files.textFile('<a href="'.repeat(300_000))),
  },
  {
    name: 'Markdown of brackets',
    run: uploading('deep.md', () => files.textFile(`${'['.repeat(200_000)}${'> '.repeat(100_000)}`)),
  },
  { name: 'Markdown of stars', run: uploading('stars.md', () => files.textFile('*a _b '.repeat(200_000))) },
  {
    name: 'a text of one line of 5 MB',
    run: uploading('line.txt', () => files.textFile('a'.repeat(5 * MB))),
  },
  { name: 'a text of blanks', run: uploading('blank.txt', () => files.textFile(`${' \n'.repeat(MB)}x`)) },
  {
    name: 'a text that expressions choke on',
    run: uploading('hostile.txt', () => files.textFile(`${'a'.repeat(100)}@${'.a'.repeat(500_000)}`)),
  },
  {
    name: 'a CSV of quotes',
    run: uploading('quotes.csv', () => files.textFile('"a","",""""\n'.repeat(300_000))),
  },
  {
    name: 'a CSV of 100,000 columns',
    run: uploading('wide.csv', () => files.textFile(`${'a,'.repeat(100_000)}\n`.repeat(10))),
  },
  { name: 'a mail of parts in parts', run: uploading('mail.eml', files.mail) },
  { name: 'bytes that are nothing', run: uploading('noise.pdf', () => Buffer.alloc(2 * MB, 0x9d)) },
  {
    name: 'uploads announced and never sent',
    run: (attacker) => attacker.storm(8, () => placeFor(attacker, 'a.txt', 1_000)),
  },
  { name: 'uploads a byte at a time', isQuick: true, run: trickling(() => 'a') },
  {
    name: 'images that lack their last byte',
    run: withholding(19 * MB, (attacker) => placeFor(attacker, 'a.png', 19 * MB)),
  },
  { name: 'imports that lack their last byte', run: withholding(15 * MB, importPlace) },
  { name: 'uploads that stop', run: trickling((count) => (count === 0 ? 'a'.repeat(MB / 2) : '')) },
];
