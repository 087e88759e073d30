import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

import { zipOf } from '../../harness/pack-uploads.js';

const MB = 1024 * 1024;

export type Bytes = Buffer<ArrayBuffer>;

export function textFile(written: string): Bytes {
  return Buffer.from(written);
}

/** Of an office file, by path. */
type Parts = Record<string, string>;

async function zipped(parts: Parts): Promise<Bytes> {
  return Buffer.from(await zipOf(parts));
}

const OFFICE = 'http://schemas.openxmlformats.org';
const RELATIONSHIPS = `${OFFICE}/officeDocument/2006/relationships`;

function relationships(targets: Record<string, readonly [type: string, target: string]>): string {
  const each = Object.entries(targets).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${RELATIONSHIPS}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${OFFICE}/package/2006/relationships">${each.join('')}</Relationships>`;
}

function docx(body: string, styles = ''): Promise<Bytes> {
  const word = `xmlns:w="${OFFICE}/wordprocessingml/2006/main"`;
  return zipped({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'word/document.xml'] }),
    'word/document.xml': `<w:document ${word}><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relationships({ r1: ['styles', 'styles.xml'] }),
    'word/styles.xml': `<w:styles ${word}>${styles}</w:styles>`,
  });
}

export function deepDocx(): Promise<Bytes> {
  return docx('<w:sdt><w:sdtContent>'.repeat(100_000));
}

export function wideDocx(): Promise<Bytes> {
  return docx(`<w:p>${'<w:r><w:t>a</w:t></w:r>'.repeat(2_000_000)}</w:p>`);
}

/** Each style is based on the next one, and the last one on the first. */
export function cyclicDocx(): Promise<Bytes> {
  const count = 100_000;
  const styles = Array.from(
    { length: count },
    (_, index) =>
      `<w:style w:type="paragraph" w:styleId="s${index}"><w:basedOn w:val="s${(index + 1) % count}"/></w:style>`,
  );
  const paragraph = (index: number): string =>
    `<w:p><w:pPr><w:pStyle w:val="s${index * 7}"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>`;
  return docx(Array.from({ length: 10_000 }, (_, index) => paragraph(index)).join(''), styles.join(''));
}

/** Tables in cells of tables, to the depth that is read, with as many cells as fit. */
export function nestedTablesDocx(): Promise<Bytes> {
  const depth = 60;
  const cell = '<w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>';
  const nested = `${'<w:tbl><w:tr><w:tc>'.repeat(depth)}<w:tbl>${`<w:tr>${cell.repeat(60)}</w:tr>`.repeat(3_000)}</w:tbl>${'</w:tc></w:tr></w:tbl>'.repeat(depth)}`;
  return docx(nested);
}

function xlsx(sheet: string, strings = ''): Promise<Bytes> {
  const main = `xmlns="${OFFICE}/spreadsheetml/2006/main" xmlns:r="${RELATIONSHIPS}"`;
  return zipped({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': `<workbook ${main}><sheets><sheet name="A" sheetId="1" r:id="s1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships({
      s1: ['worksheet', 'worksheets/sheet1.xml'],
      s2: ['sharedStrings', 'sharedStrings.xml'],
    }),
    'xl/sharedStrings.xml': `<sst ${main}>${strings}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${main}>${sheet}</worksheet>`,
  });
}

const FARTHEST = 'XFD1048576';

export function vastXlsx(): Promise<Bytes> {
  const cell = (name: string): string => `<c r="${name}" t="inlineStr"><is><t>a</t></is></c>`;
  return xlsx(
    `<dimension ref="A1:${FARTHEST}"/><cols><col min="1" max="16384"/></cols>
     <sheetData><row r="1">${cell('A1')}</row><row r="1048576">${cell(FARTHEST)}</row></sheetData>
     <mergeCells><mergeCell ref="A1:${FARTHEST}"/></mergeCells>`,
  );
}

/** One cell in each row, each in another column. */
export function diagonalXlsx(): Promise<Bytes> {
  const column = (index: number): string => {
    let name = '';
    for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
      name = String.fromCodePoint(65 + ((rest - 1) % 26)) + name;
    return name;
  };
  const row = (index: number): string =>
    `<row r="${index + 1}"><c r="${column(index % 16_384)}${index + 1}"><v>1</v></c></row>`;
  return xlsx(`<sheetData>${Array.from({ length: 300_000 }, (_, index) => row(index)).join('')}</sheetData>`);
}

export function stringsXlsx(): Promise<Bytes> {
  return xlsx(
    '<sheetData><row r="1"><c r="A1" t="s"><v>2999999</v></c></row></sheetData>',
    '<si><t>a</t></si>'.repeat(3_000_000),
  );
}

/** One long text that very many cells refer to. */
export function repeatedTextXlsx(): Promise<Bytes> {
  const row = (index: number): string => `<row r="${index + 1}">${'<c t="s"><v>0</v></c>'.repeat(10)}</row>`;
  return xlsx(
    `<sheetData>${Array.from({ length: 20_000 }, (_, index) => row(index)).join('')}</sheetData>`,
    `<si><t>${'a '.repeat(MB)}</t></si>`,
  );
}

function pptx(shapes: string): Promise<Bytes> {
  const main = `xmlns:p="${OFFICE}/presentationml/2006/main" xmlns:a="${OFFICE}/drawingml/2006/main" xmlns:r="${RELATIONSHIPS}"`;
  return zipped({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': `<p:presentation ${main}><p:sldIdLst><p:sldId r:id="s1"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships({ s1: ['slide', 'slides/slide1.xml'] }),
    'ppt/slides/slide1.xml': `<p:sld ${main}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
    // Its layout is itself.
    'ppt/slides/_rels/slide1.xml.rels': relationships({ s1: ['slideLayout', 'slide1.xml'] }),
  });
}

/** So many shapes, all in the same place, that each is compared with each. */
export function crowdedPptx(): Promise<Bytes> {
  const shape = (index: number): string =>
    `<p:sp><p:spPr><a:xfrm><a:off x="${index % 97}" y="${index % 89}"/><a:ext cx="9" cy="9"/></a:xfrm></p:spPr><p:txBody><a:p><a:r><a:t>a${index}</a:t></a:r></a:p></p:txBody></p:sp>`;
  return pptx(Array.from({ length: 100_000 }, (_, index) => shape(index)).join(''));
}

interface ZipEntry {
  name: string;
  packed: Buffer;
  bytes: number;
  crc: number;
  /** Where it really is, if it has no place of its own. */
  at?: number;
}

/** An archive whose directory says what one likes. */
function archive(entries: readonly ZipEntry[]): Bytes {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let position = 0;
  for (const { name, packed, bytes, crc, at } of entries) {
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(8, 4);
    about.writeUInt32LE(crc, 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(bytes, 18);
    about.writeUInt16LE(Buffer.byteLength(name), 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at ?? position, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), about, tail, Buffer.from(name));
    if (at !== undefined) continue;
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), about, Buffer.from(name), packed]);
    locals.push(local);
    position += local.length;
  }
  const all = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(all.length, 8);
  end.writeUInt32LE(position, 12);
  return Buffer.concat([...locals, all, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

function entry(name: string, content: Buffer): ZipEntry {
  return { name, packed: deflateRawSync(content), bytes: content.length, crc: crc32(content) };
}

/** An entry of a ZIP that says it is as large as it is not, or is larger than anybody would keep. */
export function zipBomb(path: string, unpackedBytes: number): Bytes {
  return archive([entry(path, Buffer.alloc(unpackedBytes, ' '))]);
}

/** As if nothing of it was large. */
export function quotedZip(): Bytes {
  return archive([{ ...entry('word/document.xml', Buffer.alloc(90 * MB, ' ')), bytes: 100 }]);
}

/** The parts by which a format is told, each as large as may be without a look at how well it is packed. */
export function formatParts(): Bytes {
  const content = Buffer.alloc(19_900_000, ' ');
  return archive(
    ['mimetype', 'META-INF/manifest.xml', '[Content_Types].xml'].map((name) => entry(name, content)),
  );
}

/** Ten thousand sheets that are all the same bytes. */
export function overlappingXlsx(): Bytes {
  const count = 9_990;
  const main = `xmlns="${OFFICE}/spreadsheetml/2006/main" xmlns:r="${RELATIONSHIPS}"`;
  const names = Array.from({ length: count }, (_, index) => index);
  const sheet = entry(
    'xl/worksheets/sheet0.xml',
    Buffer.from(
      `<worksheet ${main}><sheetData>${'<row><c><v>1</v></c></row>'.repeat(100_000)}</sheetData></worksheet>`,
    ),
  );
  const parts = {
    '_rels/.rels': relationships({ r1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': `<workbook ${main}><sheets>${names.map((name) => `<sheet name="s${name}" sheetId="${name + 1}" r:id="s${name}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(
      Object.fromEntries(names.map((name) => [`s${name}`, ['worksheet', `worksheets/sheet${name}.xml`]])),
    ),
  };
  return archive([
    sheet,
    ...Object.entries(parts).map(([name, part]) => entry(name, Buffer.from(part))),
    ...names.slice(1).map((name) => ({ ...sheet, name: `xl/worksheets/sheet${name}.xml`, at: 0 })),
  ]);
}

/** Two files in each other's place, few enough not to be too many. */
export function overlappingDocx(): Bytes {
  const part = entry('word/document.xml', Buffer.from('<a/>'));
  return archive([part, { ...part, name: 'word/styles.xml', at: 0 }]);
}

/** Archives in archives, to such a depth. */
export async function nestedZip(depth: number): Promise<Bytes> {
  let inner = await zipped({ 'a.txt': 'a' });
  for (let level = 0; level < depth; level += 1) {
    inner = Buffer.from(await zipOf({ 'a.zip': inner, 'b.zip': inner }));
  }
  return inner;
}

/** `site`: whose resources it refers to in every way. */
export function svg(site: string, entities: number): Bytes {
  const multiplied = Array.from(
    { length: entities },
    (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`,
  ).join('');
  return textFile(`<?xml version="1.0"?><?xml-stylesheet href="${site}/a.css"?>
    <!DOCTYPE svg SYSTEM "${site}/a.dtd" [<!ENTITY % p SYSTEM "${site}/p.dtd"> %p;
      <!ENTITY e0 "lol"><!ENTITY file SYSTEM "file:///etc/passwd">${multiplied}]>
    <svg xmlns="http://www.w3.org/2000/svg" onload="fetch('${site}/load')"><script href="${site}/a.js">alert(1)</script>
      <image href="${site}/a.png"/><use href="${site}/a.svg#a"/><text>&e${entities};&file;</text></svg>`);
}

/** A PDF that is an office document from its end, or what one likes as a head. */
export async function polyglot(head: Buffer = pageOf('BT (a) Tj ET', '', [])): Promise<Bytes> {
  return Buffer.concat([head, await docx('<w:p><w:r><w:t>a</w:t></w:r></w:p>')]);
}

type PdfObject = string | { dictionary: string; stream: Buffer };

function pdf(objects: readonly PdfObject[]): Bytes {
  const pieces = objects.map((body, index) => {
    const [head, end] = [`${index + 1} 0 obj\n`, '\nendobj\n'];
    if (typeof body === 'string') return Buffer.from(`${head}${body}${end}`);
    return Buffer.concat([
      Buffer.from(`${head}<< ${body.dictionary} /Length ${body.stream.length} >>\nstream\n`),
      body.stream,
      Buffer.from(`\nendstream${end}`),
    ]);
  });
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...pieces,
    Buffer.from(`trailer\n<< /Root 1 0 R /Size ${objects.length + 1} >>\nstartxref\n0\n%%EOF`),
  ]);
}

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
const ONE_PAGE = '<< /Type /Pages /Count 1 /Kids [3 0 R] >>';

/** Pages that are their own children. */
export function circularPdf(): Bytes {
  return pdf([
    CATALOG,
    '<< /Type /Pages /Count 1000000000 /Kids [2 0 R 2 0 R 3 0 R] >>',
    '<< /Type /Page /Parent 3 0 R /Contents 3 0 R /Resources 3 0 R >>',
  ]);
}

export function deepPdf(): Bytes {
  return pdf([CATALOG, `${'[ '.repeat(200_000)}${'] '.repeat(200_000)}`]);
}

/** A page that draws this. `resources`: what it names; `more`: from object 5 on. */
function pageOf(drawing: string, resources: string, more: readonly PdfObject[]): Bytes {
  return pdf([
    CATALOG,
    ONE_PAGE,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << ${resources} >> >>`,
    { dictionary: '/Filter /FlateDecode', stream: deflateSync(Buffer.from(drawing)) },
    ...more,
  ]);
}

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

export function drawingPdf(): Bytes {
  const drawing = 'q 1 0 0 1 0 0 cm BT /F1 12 Tf (a) Tj ET '.repeat(200_000);
  return pageOf(drawing, '/Font << /F1 5 0 R >>', [HELVETICA]);
}

/** Forms that draw each other ten times each. */
export function recursiveFormsPdf(): Bytes {
  const levels = 12;
  const form = (level: number): PdfObject => ({
    dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /A ${5 + ((level + 1) % levels)} 0 R >> >>`,
    stream: Buffer.from('/A Do '.repeat(10)),
  });
  return pageOf(
    '/A Do',
    '/XObject << /A 5 0 R >>',
    Array.from({ length: levels }, (_, level) => form(level)),
  );
}

export function manyPagesPdf(): Bytes {
  const count = 100_000;
  return pdf([
    CATALOG,
    `<< /Type /Pages /Count ${count} /Kids [${Array.from({ length: count }, (_, page) => `${page + 3} 0 R`).join(' ')}] >>`,
    ...Array<string>(count).fill('<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>'),
  ]);
}

/** Streams in which objects are, which extend each other. */
export function objectStreamsPdf(): Bytes {
  const many = Array.from({ length: 50_000 }, (_, index) => `${index + 10} ${index * 3}`).join(' ');
  const stream = deflateSync(Buffer.from(`${many} ${'[] '.repeat(50_000)}`));
  const dictionary = (other: number): string =>
    `/Type /ObjStm /N 1000000000 /First ${many.length + 1} /Extends ${other} 0 R /Filter /FlateDecode`;
  return pdf([
    '<< /Type /Catalog /Pages 10 0 R >>',
    { dictionary: dictionary(3), stream },
    { dictionary: dictionary(2), stream },
  ]);
}

/** What is drawn unpacks to ten times what anybody would draw, and is packed several times. */
export function packedPdf(): Bytes {
  let stream: Buffer = Buffer.alloc(400 * MB, '(a) Tj ');
  for (let times = 0; times < 3; times += 1) stream = deflateSync(stream);
  return pdf([
    CATALOG,
    ONE_PAGE,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>',
    { dictionary: '/Filter [/FlateDecode /FlateDecode /FlateDecode]', stream },
  ]);
}

/** A font whose every code means a text of its own. */
export function mappedFontPdf(): Bytes {
  const ranges = '<0000> <ffff> <0041>\n'.repeat(100);
  const map = `/CIDInit /ProcSet findresource begin begincmap\n${`100 beginbfrange\n${ranges}endbfrange\n`.repeat(200)}endcmap`;
  return pageOf('BT /F1 12 Tf <0001> Tj ET', '/Font << /F1 5 0 R >>', [
    '<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /ToUnicode 6 0 R /DescendantFonts [7 0 R] >>',
    { dictionary: '/Filter /FlateDecode', stream: deflateSync(Buffer.from(map)) },
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << >> /W [0 2000000000 500 ${'0 65535 500 '.repeat(500)}] >>`,
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.byteLength);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

interface Png {
  width: number;
  height: number;
  /** 8 or 16, of each of red, green, blue and alpha. */
  bits?: number;
  interlaced?: boolean;
  /** Between the head and the pixels. */
  before?: readonly Buffer[];
  pixels: Buffer;
}

function png({ width, height, bits = 8, interlaced = false, before = [], pixels }: Png): Bytes {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([bits, 6, 0, 0, interlaced ? 1 : 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', head),
    ...before,
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A picture of one pixel. */
export function smallPng(): Bytes {
  return png({ width: 1, height: 1, pixels: deflateSync(Buffer.alloc(5)) });
}

/** As many pixels as are read, which have to be unpacked before the first line is whole: half a MB. */
export function giantPng(): Bytes {
  const [width, height] = [7_700, 7_700];
  // A little more than the lines of all seven passes.
  const pixels = deflateSync(Buffer.alloc(width * height * 8 + height * 8), { level: 9 });
  return png({ width, height, bits: 16, interlaced: true, pixels });
}

export function claimedPng(): Bytes {
  return png({ width: 60_000, height: 60_000, pixels: deflateSync(Buffer.alloc(10_000)) });
}

/** Moving, with very many pictures. */
export function apng(): Bytes {
  const control = Buffer.alloc(8);
  control.writeUInt32BE(50_000);
  const frame = Buffer.alloc(26);
  frame.writeUInt32BE(1_000, 4);
  frame.writeUInt32BE(1_000, 8);
  const row = deflateSync(Buffer.alloc(1_000 * 4_001));
  const frames = Array.from({ length: 2_000 }, () => [
    pngChunk('fcTL', frame),
    pngChunk('fdAT', Buffer.concat([Buffer.alloc(4), row])),
  ]).flat();
  return png({ width: 1_000, height: 1_000, before: [pngChunk('acTL', control), ...frames], pixels: row });
}

/** A profile and texts that unpack to more than the picture. */
export function pngOfTexts(): Bytes {
  const packed = deflateSync(Buffer.alloc(200 * MB));
  return png({
    width: 10,
    height: 10,
    before: [
      pngChunk('iCCP', Buffer.concat([Buffer.from('a\0\0', 'latin1'), packed])),
      ...Array.from({ length: 50 }, () =>
        pngChunk('zTXt', Buffer.concat([Buffer.from('a\0\0', 'latin1'), packed])),
      ),
    ],
    pixels: deflateSync(Buffer.alloc(10 * 41)),
  });
}

/** Of 10,000 pictures, each as large as may be. */
export function movingGif(width: number, height: number): Bytes {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  const frame = Buffer.from('\x21\xf9\x04\0\x01\0\0\0\x2c\0\0\0\0\0\0\0\0\0\x02\x02\x44\x01\0', 'latin1');
  frame.writeUInt16LE(width, 13);
  frame.writeUInt16LE(height, 15);
  return Buffer.concat([head, ...Array<Buffer>(10_000).fill(frame), Buffer.from(';')]);
}

const ENTITIES = Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`,
).join('');

/** Each entity is ten of the one before. */
export async function entitiesDocx(): Promise<Bytes> {
  const xml = `<!DOCTYPE a [<!ENTITY e0 "lol">${ENTITIES}]><w:document>&e9;</w:document>`;
  return zipped({ 'word/document.xml': xml, '[Content_Types].xml': '<Types/>' });
}

/** A line of mail that goes on and on, and parts in parts. */
export function mail(): Bytes {
  const parts = Array.from(
    { length: 5_000 },
    (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\n\n--b${index}\n`,
  );
  return textFile(
    `From: a@example.org\nSubject: ${'=?utf-8?B?YQ==?=\n '.repeat(200_000)}\n${parts.join('')}`,
  );
}
