import fc from 'fast-check';
import { zipSync } from 'fflate';

import { DocumentRefused } from './parsed-document.js';
import { drawnLines, pagesPdf } from './pdf/fixtures/raw-pdf.double.js';
import { readDocument } from './read-document.js';
import { inEnglish } from './remarks.js';

async function readAll(bytes: Uint8Array, name: string): Promise<string> {
  const pages = readDocument({ bytes, name });
  for (;;) {
    const { done, value } = await pages.next();
    if (done) return value.format;
  }
}

function zip(...names: string[]): Uint8Array {
  return zipSync(Object.fromEntries(names.map((name) => [name, Buffer.from('<a/>')])));
}

function bytes(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

function compound(stream: string): Uint8Array {
  return Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(2000),
    Buffer.from(stream, 'utf16le'),
    Buffer.alloc(1000),
  ]);
}

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(100)]);

describe('a file that cannot be read is refused with what it is', () => {
  it.each<[what: string, name: string, content: Uint8Array, reason: RegExp]>([
    ['empty', 'a.pdf', bytes(''), /^The file is empty\.$/],
    ['blanks', 'a.txt', bytes(' \n '), /nothing in it but blanks/],
    ['a picture', 'a.pdf', png, /^This is a picture \(PNG\)\. Upload a document/],
    [
      'a JPEG',
      'a.docx',
      Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(50)]),
      /picture \(JPG\)/,
    ],
    ['gzip', 'a.txt', Buffer.concat([Buffer.from('1f8b0800', 'hex'), Buffer.alloc(50)]), /archive \(GZ\)/],
    [
      'a program',
      'a.pdf',
      Buffer.concat([bytes('\x7fELF\x02\x01\x01'), Buffer.alloc(100)]),
      /program \(ELF\)/,
    ],
    [
      'a database',
      'a.csv',
      Buffer.concat([bytes('SQLite format 3\0'), Buffer.alloc(100)]),
      /database \(SQLITE\)/,
    ],
    ['a ZIP', 'a.docx', zip('a.txt', 'b.txt'), /^This is an archive \(ZIP\)\. Unpack it/],
    ['an empty ZIP', 'a.docx', zipSync({}), /nothing in it/],
    ['half a ZIP', 'a.docx', zip('word/document.xml').subarray(0, 60), /damaged or not complete/],
    ['xlsb', 'a.xlsx', zip('[Content_Types].xml', 'xl/workbook.bin'), /binary Excel workbook/],
    ['an e-book', 'a.pdf', zip('META-INF/container.xml'), /e-book \(EPUB\)/],
    ['Pages', 'a.docx', zip('Index/Document.iwa'), /Pages, Numbers or Keynote/],
    [
      'an old Word document',
      'a.docx',
      compound('WordDocument'),
      /Office before 2007 \(\.doc\)\. Save it as \.docx/,
    ],
    ['an old workbook', 'a.xls', compound('Workbook'), /before 2007 \(\.xls\)/],
    ['an old presentation', 'a.ppt', compound('PowerPoint Document'), /before 2007 \(\.ppt\)/],
    ['a locked one', 'a.docx', compound('EncryptedPackage'), /protected by a password/],
    ['Outlook', 'a.msg', compound('__substg1.0_1000001F'), /message of Outlook/],
    ['something old', 'a.doc', compound('nothing'), /older office program/],
    ['a PDF’s head alone', 'a.pdf', bytes('%PDF-1.7\n'), /PDF/],
    [
      'nonsense',
      'a.docx',
      Buffer.from(Array.from({ length: 999 }, (_, index) => (index * 37) % 256)),
      /neither a text nor/,
    ],
    ['zeros', 'a.txt', Buffer.alloc(5000), /neither a text nor/],
    ['a broken text', 'a.odt', zipSync({ mimetype: bytes('application/vnd.oasis.opendocument.text') }), /./],
    [
      'a drawing',
      'a.odg',
      zipSync({ mimetype: bytes('application/vnd.oasis.opendocument.graphics') }),
      /OpenDocument .* \(graphics\)/,
    ],
  ])('%s as %s', async (_, name, content, reason) => {
    const error: unknown = await readAll(content, name).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(DocumentRefused);
    expect((error as Error).message).toMatch(reason);
    expect((error as Error).message).toMatch(/^[A-Z].{10,}\.$/);
  });
});

it('goes by what a file is, not by what it is called', async () => {
  expect(await readAll(bytes('{\\rtf1 Hello}'), 'a.pdf')).toBe('rtf');
  expect(await readAll(bytes('<!doctype html><p>a'), 'a.docx')).toBe('html');
  expect(await readAll(bytes('Just a text.'), 'a.pdf')).toBe('text');
});

const page = bytes('<!doctype html><html><body><p>A page.</p></body></html>');
function misnamed(extension: string, kind: string): string {
  return `The name ends in .${extension}, but the file is of the kind ${kind} and was read as that. If another file was meant, upload that one.`;
}
const pdf = pagesPdf([{ content: drawnLines(['Some text.']) }]);
const tar = Buffer.alloc(512);
tar.write('a.pdf');
tar.write('0000644\0', 100);
tar.write('ustar', 257);
tar.write(
  `${[...tar]
    .reduce((sum, byte) => sum + byte, 8 * 32)
    .toString(8)
    .padStart(6, '0')}\0 `,
  148,
);

it('takes a PDF for one behind what is none of its own', async () => {
  const headers = bytes('HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n');
  expect(await readAll(Buffer.concat([headers, pdf]), 'a')).toBe('pdf');
  expect(await readAll(Buffer.concat([Buffer.alloc(900), pdf]), 'a')).toBe('pdf');
});

it.each<[name: string, content: Uint8Array, warnings: string[]]>([
  ['a.pdf', pdf, []],
  ['a', pdf, []],
  ['a.invoice', pdf, []],
  ['a.txt', bytes('# Markdown\n\n- by its content\n'), []],
  ['a.docx', pdf, [misnamed('docx', 'PDF')]],
  ['a.txt', pdf, [misnamed('txt', 'PDF')]],
  ['a.htm', pdf, [misnamed('htm', 'PDF')]],
  ['a.log', pdf, [misnamed('log', 'PDF')]],
  ['a.PDF', bytes('Hello.'), [misnamed('pdf', 'TEXT')]],
  ['a.pdf', page, [misnamed('pdf', 'HTML')]],
  ['a.xls', page, [misnamed('xls', 'HTML')]],
  ['a.txt', page, [misnamed('txt', 'HTML')]],
  ['a.md', page, [misnamed('md', 'HTML')]],
  ['a.html', bytes('No page.'), [misnamed('html', 'TEXT')]],
  ['a.doc', bytes('{\\rtf1 Hello}'), [misnamed('doc', 'RTF')]],
])(
  '%s is read by its bytes, and is said to have another kind’s name where it has',
  async (name, content, warnings) => {
    const pages = readDocument({ bytes: content, name });
    let next = await pages.next();
    while (!next.done) next = await pages.next();
    expect(next.value.warnings.map(inEnglish)).toEqual(warnings);
  },
);

it('takes nothing for a PDF that has or mentions one', async () => {
  expect(await readAll(bytes('Every PDF begins with %PDF-1.7.\n'), 'a.txt')).toBe('text');
  expect(await readAll(bytes('# PDF\n\nThe head is `%PDF-1.4`.\n\n- a\n'), 'a')).toBe('markdown');
  const example = '# PDF\n\n```\n%PDF-1.4\n1 0 obj\n<< >>\nendobj\n%%EOF\n```\n\nThat was *one*.\n';
  expect(await readAll(bytes(example), 'a.md')).toBe('markdown');
  await expect(readAll(zipSync({ 'a.pdf': [pdf, { level: 0 }] }), 'a.zip')).rejects.toThrow(
    /archive \(ZIP\)/,
  );
  await expect(readAll(Buffer.concat([tar, pdf]), 'a.tar')).rejects.toThrow(/archive \(TAR\)/);
});

describe('a file of two kinds is refused', () => {
  const office = { 'word/document.xml': bytes('<a/>') };
  it.each<[what: string, content: Uint8Array]>([
    ['a PDF that is an archive from its end', Buffer.concat([pdf, zipSync(office)])],
    ['an archive with a PDF in its first bytes', zipSync({ x: [pdf, { level: 0 }], ...office })],
    ['RTF and an archive', Buffer.concat([bytes('{\\rtf1 Hello}'), zipSync(office)])],
    ['a text and an archive', Buffer.concat([bytes('Hello. '.repeat(10_000)), zipSync(office)])],
    ['a page and an archive', Buffer.concat([page, zipSync(office)])],
  ])('%s', async (_, content) => {
    await expect(readAll(content, 'a.pdf')).rejects.toThrow(/damaged or not what its name says/);
  });

  it('but not one with another in it, which ends before it does', async () => {
    const within = Buffer.concat([zipSync(office), bytes('endstream endobj')]);
    expect(await readAll(Buffer.concat([bytes('Hello. '.repeat(10_000)), within]), 'a.txt')).toBe('text');
  });
});

it.each([
  ['scripts', '<script>fetch("http://example.org")</script>'],
  ['what lies elsewhere', '<image href="http://example.org/a.png"/><use href="file:///etc/passwd#a"/>'],
])('a drawing with %s is a picture', async (_, within) => {
  for (const above of [
    '',
    '<?xml version="1.0"?><?xml-stylesheet href="http://example.org/a.css"?>',
    '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b "&a;&a;&a;">]>',
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://example.org/a.dtd" [ <!ENTITY a "b"> ] >\n',
  ]) {
    for (const drawing of [`<svg>${within}&b;</svg>`, `<svg:svg xmlns:svg="x">${within}</svg:svg>`])
      await expect(readAll(bytes(above + drawing), 'a.svg')).rejects.toThrow(/picture \(SVG\)/);
  }
});

it('ends in pages or is refused in words for people, whatever the bytes are', async () => {
  const heads = fc.constantFrom(
    '',
    '%PDF-1.4\n',
    'PK\x03\x04',
    '{\\rtf1',
    '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
    '<html>',
    '\xff\xfe',
    '\x1f\x8b',
  );
  await fc.assert(
    fc.asyncProperty(heads, fc.uint8Array({ maxLength: 200 }), async (head, rest) => {
      const error: unknown = await readAll(Buffer.concat([bytes(head), rest]), 'a').then(
        () => null,
        (error: unknown) => error,
      );
      if (error !== null) expect(error).toBeInstanceOf(DocumentRefused);
    }),
    // A fixed seed: a failure must be caused by the tested change.
    { seed: 20_240, numRuns: 200 },
  );
});
