import { deflateSync } from 'node:zlib';

import fc from 'fast-check';

import { inEnglish } from '../remarks.js';
import { drawnPdf } from './fixtures/drawn-pdf.double.js';
import { drawnLines, pagesPdf, rawPdf, type RawObject, type RawPage } from './fixtures/raw-pdf.double.js';
import { readPdf } from './read-pdf.js';

async function read(
  bytes: Uint8Array,
): Promise<{ pages: number | null; warnings: string[]; texts: string[] }> {
  const reading = readPdf({ bytes, name: 'document.pdf' });
  const texts: string[] = [];
  for (;;) {
    const { value, done } = await reading.next();
    if (done) return { ...value, warnings: value.warnings.map(inEnglish), texts };
    expect(value.number).toBe(texts.length + 1);
    texts.push(value.markdown);
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
function utf16(text: string): string {
  return hex(Buffer.from(text, 'utf16le').swap16());
}

function asianFont(encoding: string, ordering: string): RawObject {
  return `<< /Type /Font /Subtype /Type0 /BaseFont /NotEmbedded /Encoding /${encoding} /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /NotEmbedded /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /DW 1000 /FontDescriptor << /Type /FontDescriptor /FontName /NotEmbedded /Flags 4 >> >>] >>`;
}

/** What the types of PDFKit do not know of. */
type Pinnable = PDFKit.PDFDocument & {
  fileAnnotation(x: number, y: number, width: number, height: number, file: object): void;
};

describe('encodings without an embedded font', () => {
  it.each([
    ['simplified Chinese', 'UniGB-UCS2-H', 'GB1', utf16('中文报告第一页'), '中文报告第一页'],
    ['traditional Chinese', 'ETen-B5-H', 'CNS1', 'a4a4a4e5b3f8a769', '中文報告'],
    ['Japanese', '90ms-RKSJ-H', 'Japan1', '93fa967b8cea82cc95b68f91', '日本語の文書'],
    ['Korean', 'KSCms-UHC-H', 'Korea1', 'c7d1b1b920bab8b0edbcad', '한국 보고서'],
  ])('reads %s', async (_, encoding, ordering, codes, text) => {
    const content = drawnLines([codes], { hex: true });
    const { texts } = await read(pagesPdf([{ content }], { fonts: [asianFont(encoding, ordering)] }));
    expect(texts).toEqual([text]);
  });

  it('reads columns of characters from the right to the left', async () => {
    const columns = ['この文書は縦に書いて', 'あります。'];
    const content = columns
      .map((column, index) => drawnLines([utf16(column)], { hex: true, x: 500 - index * 16 }))
      .join('\n');
    const { texts } = await read(pagesPdf([{ content }], { fonts: [asianFont('UniJIS-UCS2-V', 'Japan1')] }));
    expect(texts).toEqual(['この文書は縦に書いてあります。']);
  });
});

describe('pages', () => {
  const lines = ['The first line of the page says something,', 'and the second one goes on.'];
  const text = lines.join(' ');

  it.each([
    ['turned', { entries: '/Rotate 90' }],
    ['upside down', { entries: '/Rotate 180' }],
    ['measured in other units', { entries: '/UserUnit 10' }],
    ['huge', { entries: '/MediaBox [0 0 14400 14400]' }],
    ['cropped', { entries: '/CropBox [0 600 595 842]' }],
    ['of broken measures', { entries: '/MediaBox [0 0 0 0]' }],
  ])('are read when they are %s', async (_, page) => {
    const { texts } = await read(pagesPdf([{ content: drawnLines(lines), ...page }]));
    expect(texts).toEqual([text]);
  });

  it('are read when their text is turned', async () => {
    const content = lines
      .map((line, index) => `BT /F1 11 Tf 0 1 -1 0 ${100 + index * 14} 100 Tm (${line}) Tj ET`)
      .join('\n');
    expect((await read(pagesPdf([{ content }]))).texts).toEqual([text]);
  });

  it('give what is turned after the rest', async () => {
    const content = `BT /F1 9 Tf 0 1 -1 0 20 300 Tm (Draft) Tj ET\n${drawnLines(lines)}`;
    expect((await read(pagesPdf([{ content }]))).texts).toEqual([`${text}\n\nDraft`]);
  });

  it('do not say what is not on them', async () => {
    const content = `${drawnLines(lines)}\n${drawnLines(['Beyond the edge'], { y: 2000 })}`;
    expect((await read(pagesPdf([{ content }]))).texts).toEqual([text]);
  });

  it('are put together when their letters are drawn one by one', async () => {
    const content = [...'Bonjour le monde']
      .map((letter, index) => `BT /F1 10 Tf 1 0 0 1 ${60 + index * 6} 700 Tm (${letter}) Tj ET`)
      .join('\n');
    const fonts = ['<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>'];
    expect((await read(pagesPdf([{ content }], { fonts }))).texts).toEqual(['Bonjour le monde']);
  });

  describe('with layers', () => {
    const form = { dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 595 842] /OC 4 0 R', stream: '' };
    const more: RawObject[] = ['<< /Type /OCG /Name (Off) >>', '<< /Type /OCG /Name (On) >>', form];
    const catalog = '/OCProperties << /OCGs [3 0 R 4 0 R] /D << /OFF [3 0 R] /Order [3 0 R 4 0 R] >> >>';
    const entries =
      '/Resources << /Font << /F1 6 0 R >> /XObject << /Form 5 0 R >> /Properties << /Off 3 0 R /On 4 0 R >> >>';
    const on = (layer: string, text: string, y: number): string =>
      `/OC /${layer} BDC /Span << /Lang (fr) >> BDC ${drawnLines([text], { y })} EMC EMC`;

    it.each([
      ['in the page', ''],
      ['and in what it draws', '/Form Do'],
      ['and around what it draws', '/OC /On BDC /Form Do EMC'],
    ])('leave out those that are switched off, %s', async (_, drawing) => {
      const content = `${on('On', 'Shown', 760)} ${drawing} ${on('Off', 'Not shown', 700)} ${drawnLines(['Always'], { y: 640 })}`;
      expect(await read(pagesPdf([{ content, entries }], { more, catalog }))).toEqual({
        texts: ['Shown\n\nAlways'],
        pages: 1,
        warnings: ['Page 1: text on layers that are switched off was left out.'],
      });
    });

    it('give them where all are switched on', async () => {
      const content = on('Off', 'Shown', 700);
      const all = catalog.replace('/OFF [3 0 R]', '');
      expect((await read(pagesPdf([{ content, entries }], { more, catalog: all }))).texts).toEqual(['Shown']);
    });
  });

  it('say once what is drawn twice to look bold', async () => {
    const content = `${drawnLines(['Overdrawn'])}\n${drawnLines(['Overdrawn'], { x: 60.4 })}`;
    expect((await read(pagesPdf([{ content }]))).texts).toEqual(['Overdrawn']);
  });

  it('are read where a part of them is broken', async () => {
    const content = `${drawnLines(lines)}\nBT /Missing 11 Tf (lost) Tj ET /NoSuchForm Do ((((`;
    expect((await read(pagesPdf([{ content }]))).texts[0]).toContain(text);
  });
});

describe('what is lost', () => {
  const picture: RawObject = {
    dictionary:
      '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
    stream: '\u0000',
  };
  const scan = {
    content: 'q 595 0 0 842 0 0 cm /Scan Do Q',
    entries: '/Resources << /XObject << /Scan 3 0 R >> >>',
  };
  const written = { content: drawnLines(['Some text.']) };

  it('is all of a scanned document', async () => {
    await expect(read(pagesPdf([scan, scan], { more: [picture] }))).rejects.toThrow(
      'This PDF holds pictures of pages, not text: it needs OCR (text recognition) first.',
    );
  });

  it('is told of pages without text', async () => {
    const { warnings, texts, pages } = await read(
      pagesPdf([written, scan, written, scan, scan, scan], { more: [picture] }),
    );
    expect(texts).toEqual(['Some text.', '', 'Some text.', '', '', '']);
    expect(pages).toBe(6);
    expect(warnings).toEqual(['4 of 6 pages have no text (2, 4–6): they are probably scanned and need OCR.']);
  });

  describe('of scanned pages with a stamp', () => {
    const stamped = (stamp: string, more = ''): RawPage => ({
      ...scan,
      content: `${scan.content}\n${more} ${drawnLines([stamp], { y: 815, size: 8 })}`,
    });
    const long = (page: number): RawPage => ({ content: drawnLines([`Some text of page ${page}.`]) });

    it.each([
      ['their number', (page: number) => `${page}`],
      ['an envelope', () => 'Envelope ID: 3F2A7C11-9D1B-4C6E-8A55-0D3C9E1B7F21'],
    ])('is all, where that is %s', async (_, stamp) => {
      const pages = [1, 2, 3, 4].map((page) => stamped(stamp(page)));
      await expect(read(pagesPdf(pages, { more: [picture] }))).rejects.toThrow(/needs OCR/);
    });

    it('is told, in any number of bands', async () => {
      const bands = [0, 1, 2, 3].map((band) => `q 595 0 0 210 0 ${band * 210} cm /Scan Do Q`).join('\n');
      const inBands = { ...scan, content: `${bands}\n${drawnLines(['Received 3 May'])}` };
      const { texts, warnings } = await read(
        pagesPdf([long(1), stamped('Exhibit A, page 1'), long(3), inBands], { more: [picture] }),
      );
      expect(texts[1]).toBe('Exhibit A, page 1');
      expect(warnings).toEqual([
        '2 of 4 pages are pictures with hardly any text (2, 4): they are probably scanned and need OCR.',
      ]);
    });

    it('is nothing where the text was recognised, is a title, or goes with a small picture', async () => {
      const title = { ...scan, content: `${scan.content}\n${drawnLines(['Annual report'], { size: 30 })}` };
      const small = { ...scan, content: `q 300 0 0 300 0 0 cm /Scan Do Q\n${drawnLines(['A chart'])}` };
      const { warnings } = await read(
        pagesPdf([stamped('Total: 12 t', '3 Tr'), title, small], { more: [picture] }),
      );
      expect(warnings).toEqual([]);
    });
  });

  it('is told of text whose characters are unknown', async () => {
    const font =
      '<< /Type /Font /Subtype /Type0 /BaseFont /AAAAAA+Secret /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+Secret /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>] >>';
    const glyphs = [...'Hello my world'].map((letter) => (letter.codePointAt(0) ?? 0) - 29);
    const content = drawnLines([hex(Buffer.from(Uint16Array.from(glyphs).buffer).swap16())], { hex: true });
    const { warnings } = await read(
      pagesPdf([{ content }, { content: drawnLines(['Known'], { font: 'F2' }) }], {
        fonts: [font, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
      }),
    );
    expect(warnings).toEqual([
      'Page 1: the text could not be decoded in part, as its fonts do not say which characters they show.',
    ]);
  });

  it('is told apart from pages with nothing on them', async () => {
    const framed = 'q .24 0 0 .24 0 0 cm 1 1 1 rg 0 0 2480 3508 re f Q BT /F1 11 Tf 60 700 Td ( ) Tj ET';
    const damaged = { content: 'not packed', contentEntries: '/Filter /FlateDecode' };
    const { warnings } = await read(
      pagesPdf([written, scan, { content: '' }, { content: framed }, damaged], { more: [picture] }),
    );
    expect(warnings).toEqual([
      '1 of 5 pages have no text (2): they are probably scanned and need OCR.',
      '3 of 5 pages have nothing on them (3–5): they are empty, or damaged.',
    ]);
  });

  it.each([
    ['a picture in the page itself', 'q 595 0 0 842 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \u0000 EI Q'],
    ['letters as outlines', '10 10 m 20 10 l 20 20 l f\n'.repeat(200)],
  ])('is all of %s', async (_, content) => {
    await expect(read(pagesPdf([{ content }]))).rejects.toThrow(/needs OCR/);
  });

  it('is nothing of a document with nothing on its pages', async () => {
    await expect(read(pagesPdf([{ content: '' }, { content: 'q Q' }]))).rejects.toThrow(
      'The pages of this PDF have nothing on them: they are empty, or damaged. Open it in its program, save it again and upload that.',
    );
  });

  describe('of characters', () => {
    const type3 = (names: readonly string[], more = ''): RawObject =>
      `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 750 750] /FontMatrix [.001 0 0 .001 0 0] /CharProcs << ${names.map((name) => `/${name} 3 0 R`).join(' ')} >> /Encoding << /Type /Encoding /Differences [65 ${names.map((name) => `/${name}`).join(' ')}] >> /FirstChar 65 /LastChar 70 /Widths [700 700 700 700 700 700] /Resources << >> ${more} >>`;
    const table = (text: string): string =>
      `1 begincodespacerange <00> <ff> endcodespacerange\n1 beginbfrange <41> <46> <${utf16(text)}> endbfrange`;
    const glyphs = (name: (index: number) => string): string[] =>
      Array.from({ length: 6 }, (_, at) => name(at));
    const warned = [
      'Page 1: the text could not be decoded in part, as its fonts do not say which characters they show.',
    ];

    it.each([
      ['are numbered', type3(glyphs((at) => `g${at + 1}`)), 'ABCDEF', warned],
      ['have names', type3(['P', 'u', 'b', 'l', 'i', 'c']), 'Public', []],
      ['are numbered as characters are', type3(glyphs((at) => `a${at + 65}`)), 'ABCDEF', []],
      [
        'are in a table',
        type3(
          glyphs((at) => `g${at + 1}`),
          '/ToUnicode 4 0 R',
        ),
        'nopqrs',
        [],
      ],
    ])('that %s', async (_, font, text, warnings) => {
      const more: RawObject[] = [{ stream: '700 0 0 0 750 750 d1 0 0 700 700 re f' }, { stream: table('n') }];
      const content = drawnLines(['ABCDEF']);
      expect(await read(pagesPdf([{ content }], { fonts: [font], more }))).toEqual({
        texts: [text],
        pages: 1,
        warnings,
      });
    });
  });

  it('is told of files within', async () => {
    const { warnings } = await read(
      await drawnPdf((document) => {
        document.text('See the annex.');
        document.file(Buffer.from('a;b'), { name: 'annex.csv' });
        const file = { src: Buffer.from('x'), name: 'note.txt' };
        (document as Pinnable).fileAnnotation(300, 60, 20, 20, file);
      }),
    );
    expect(warnings).toEqual([
      '2 files inside of this PDF were not read (annex.csv, note.txt). Upload what should be found on its own.',
    ]);
  });
});

describe('what people filled in', () => {
  it('is read with its name', async () => {
    const field = (entries: string): RawObject =>
      `<< /Type /Annot /Subtype /Widget /Rect [60 60 200 80] /F 4 ${entries} >>`;
    const more = [
      field('/FT /Tx /T (company) /TU (Company name) /V (Korhogo SA)'),
      field('/FT /Tx /T (empty)'),
      field('/FT /Tx /T (secret) /V (hush) /Ff 8192'),
      field('/FT /Ch /T (country) /V (CI) /Opt [(CI) (SN)]'),
      field(
        '/FT /Ch /T (sectors) /Ff 2097152 /V [(1) (3)] /Opt [[(1) (Farming)] [(2) (Trade)] [(3) (Transport)]]',
      ),
      field('/FT /Btn /T (audited) /V /Yes /AS /Yes /AP << /N << /Yes 11 0 R /Off 11 0 R >> >>'),
      field('/FT /Btn /T (bankrupt) /V /Off /AS /Off /AP << /N << /Yes 11 0 R /Off 11 0 R >> >>'),
      '<< /Type /Annot /Subtype /Text /Rect [60 60 80 80] /Contents (Check this figure.) >>',
      { dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 1 1]', stream: '' },
    ];
    const { texts, warnings } = await read(
      pagesPdf(
        [
          {
            content: drawnLines(['Form']),
            entries: '/Annots [3 0 R 4 0 R 5 0 R 6 0 R 7 0 R 8 0 R 9 0 R 10 0 R]',
          },
        ],
        { more, catalog: '/AcroForm << /Fields [3 0 R 4 0 R 5 0 R 6 0 R 7 0 R 8 0 R 9 0 R] >>' },
      ),
    );
    expect(texts).toEqual([
      'Form\n\n- Check this figure.\n- Company name: Korhogo SA\n- country: CI\n- sectors: Farming, Transport\n- audited: Yes',
    ]);
    expect(warnings).toEqual([]);
  });
});

describe('files that are not as they should be', () => {
  const good = pagesPdf([{ content: drawnLines(['Still here.']) }]);
  const text = good.toString('latin1');

  it.each([
    ['lies about its table', text.replace(/startxref\n\d+/, 'startxref\n7')],
    ['has no table', text.slice(0, text.indexOf('xref\n'))],
    ['begins with something else', `\u0000\u0000garbage\n${text}`],
    ['claims more pages than it has', text.replace('/Count 1', '/Count 1000000000')],
    ['claims to have none', text.replace('/Count 1', '/Count 0')],
    ['says the wrong length of a stream', text.replace(/\/Length \d+/, '/Length 3')],
    ['has more after its end', `${text}\n${'x'.repeat(5000)}`],
  ])('is read when it %s', async (_, changed) => {
    const { texts } = await read(Buffer.from(changed, 'latin1'));
    expect(texts.filter((each) => each !== '')).toEqual(['Still here.']);
  });

  it.each([
    ['nothing', ''],
    ['its head alone', '%PDF-1.7\n'],
    ['an empty list of pages', text.replace(/Kids \[.*?\] \/Count 1/, 'Kids [] /Count 0')],
    ['no pages', rawPdf(['<< /Type /Catalog >>']).toString('latin1')],
    [
      'a page tree that bites its tail',
      rawPdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R] /Count 1 >>']).toString(
        'latin1',
      ),
    ],
    ['deep arrays', `%PDF-1.7\n1 0 obj\n${'['.repeat(100_000)}`],
  ])('is refused when it holds %s', async (_, content) => {
    await expect(read(Buffer.from(content, 'latin1'))).rejects.toThrow(/PDF|page|Root/i);
  });

  describe('has pages that cannot be found,', () => {
    const pages = (kids: string, ...more: RawObject[]): Buffer =>
      rawPdf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        `<< /Type /Pages /Kids ${kids} /Count 4 /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> >>`,
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
        '<< /Type /Page /Parent 2 0 R /Contents 5 0 R >>',
        { stream: drawnLines(['One.']) },
        '<< /Type /Page /Parent 8 0 R /Contents 7 0 R >>',
        { stream: drawnLines(['Two.']) },
        '<< /Type /Pages /Parent 2 0 R /Kids [6 0 R] /Count 1 >>',
        ...more,
      ]);

    it.each([
      ['missing', pages('[4 0 R 90 0 R 8 0 R 91 0 R]'), ['One.', '', 'Two.', ''], 'Pages 2, 4'],
      ['leading back', pages('[2 0 R 4 0 R 2 0 R 8 0 R]'), ['', 'One.', '', 'Two.'], 'Pages 1, 3'],
      ['no pages', pages('[4 0 R 7 0 R 8 0 R]'), ['One.', '', 'Two.'], 'Page 2'],
      ['listed elsewhere', pages('9 0 R', '[4 0 R 90 0 R 8 0 R]'), ['One.', '', 'Two.'], 'Page 2'],
    ])('%s', async (_, file, texts, list) => {
      expect(await read(file)).toEqual({
        texts,
        pages: texts.length,
        warnings: [`${list}: could not be read, as the file is damaged there.`],
      });
    });

    it('as its end is cut off', async () => {
      const whole = pages('[8 0 R 4 0 R 10 0 R 9 0 R]', ...Array<RawObject>(2).fill('<< /Type /Page >>'));
      const { texts, pages: count } = await read(whole.subarray(0, whole.indexOf('9 0 obj')));
      expect(texts).toEqual(['Two.', 'One.', '', '']);
      expect(count).toBe(4);
    });

    it('and are packed, so that nobody knows how many', async () => {
      const packed = [
        '<< /Type /Catalog /Pages 2 0 R >> ',
        '<< /Type /Pages /Kids [3 0 R 90 0 R 3 0 R] /Count 3 >> ',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >> ',
      ];
      const index = `1 0 2 ${packed[0]?.length} 3 ${packed.slice(0, 2).join('').length} `;
      const objects = `${index}${packed.join('')}`;
      const content = drawnLines(['One.']);
      const file = `%PDF-1.7
4 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj
5 0 obj << /Length ${content.length} >> stream\n${content}\nendstream endobj
6 0 obj << /Type /ObjStm /N 3 /First ${index.length} /Length ${objects.length} >> stream\n${objects}\nendstream endobj
7 0 obj << /Type /XRef /Size 8 /Root 1 0 R /W [1 1 1] /Index [1 3] /Length 9 >> stream\n\x02\x06\x00\x02\x06\x01\x02\x06\x02\nendstream endobj
startxref\n0\n%%EOF\n`;
      const { texts, warnings } = await read(Buffer.from(file, 'latin1'));
      expect(texts).toEqual(['One.', '']);
      expect(warnings).toEqual([
        'Page 2: could not be read, as the file is damaged there.',
        'After page 2 more pages may be missing: the file is damaged there.',
      ]);
    });
  });

  it('is refused when it asks for a password', async () => {
    const locked = await drawnPdf((document) => document.text('Secret'), { userPassword: 'open sesame' });
    await expect(read(locked)).rejects.toThrow(
      'The file is protected by a password. Open it in its program, save it without one and upload that.',
    );
  });

  it('is read when only changing it asks for one', async () => {
    const bytes = await drawnPdf((document) => document.text('Public'), { ownerPassword: 'mine' });
    expect((await read(bytes)).texts).toEqual(['Public']);
  });

  it('is refused at once when it has too many pages', async () => {
    const pages = readPdf({
      bytes: pagesPdf(Array.from({ length: 10_001 }, () => ({ content: '' }))),
      name: 'a.pdf',
    });
    await expect(pages.next()).rejects.toThrow(/^The document has more than 10,000 pages\./);
  });

  it('keeps its bytes', async () => {
    const bytes = new Uint8Array(good);
    await read(bytes);
    expect(Buffer.compare(bytes, good)).toBe(0);
  });

  it('is cut where a page says too much', async () => {
    const content = deflateSync(
      `BT /F1 1 Tf 1 0 0 1 60 700 Tm\n${`(${'word '.repeat(2000)}) Tj 0 -1 Td\n`.repeat(120)}ET`,
    );
    const { texts, warnings } = await read(
      pagesPdf([
        { content, contentEntries: '/Filter /FlateDecode', entries: '/MediaBox [0 0 14400 14400]' },
        { content: drawnLines(['After it.']) },
      ]),
    );
    expect(texts[0]!.length).toBeLessThanOrEqual(1_100_000);
    expect(texts[1]).toContain('After it.');
    expect(warnings).toEqual([
      'Page 1: has more text than is read, or takes too long; the rest was left out.',
    ]);
  });

  it('is read when its forms draw each other', async () => {
    const form = (other: number): RawObject => ({
      dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /Other ${other} 0 R >> >>`,
      stream: '/Other Do /Other Do',
    });
    const { texts } = await read(
      pagesPdf(
        [
          {
            content: `${drawnLines(['Round'])} /Other Do`,
            entries: '/Resources << /Font << /F1 5 0 R >> /XObject << /Other 3 0 R >> >>',
          },
        ],
        { more: [form(4), form(3)] },
      ),
    );
    expect(texts).toEqual(['Round']);
  });
});

describe('whatever becomes of its bytes', () => {
  const seconds = 10;

  it('ends in pages or an error', async () => {
    const good = Buffer.from(
      await drawnPdf((document) => {
        document
          .fontSize(20)
          .text('A title')
          .fontSize(11)
          .text('Some text below it.')
          .addPage()
          .text('The end.');
      }),
    );
    const mutation = fc.record({
      at: fc.nat(good.length - 1),
      removed: fc.nat(40),
      put: fc.oneof(
        fc.uint8Array({ maxLength: 8 }),
        fc.constantFrom(
          ...['endobj', '0 R', '[[[', '<<', '999999999', '-1', 'stream\\n'].map((put) => Buffer.from(put)),
        ),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 6 }), async (mutations) => {
        let bytes = good;
        for (const { at, removed, put } of mutations)
          bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + removed)]);
        const outcome = await read(bytes).catch((error: unknown) => error);
        if (outcome instanceof Error) return;
        const { texts, pages } = outcome as Awaited<ReturnType<typeof read>>;
        expect(pages).toBeGreaterThan(0);
        for (const text of texts) expect(text.isWellFormed()).toBe(true);
      }),
      { seed: 20_240, numRuns: 40, interruptAfterTimeLimit: seconds * 1000 },
    );
  });
});
