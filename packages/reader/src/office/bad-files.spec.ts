import fc from 'fast-check';
import { unzipSync, zipSync } from 'fflate';

import type { ReadPages } from '../page-reader.js';
import { DocumentRefused } from '../parsed-document.js';
import {
  docxOf,
  odfOf,
  pptxOf,
  readAll,
  relationships,
  shape,
  word,
  wordXml,
  xlsxOf,
  zipOf,
} from './fixtures.double.js';
import { readDocx, readOdp, readOds, readOdt, readPptx, readRtf, readXlsx } from './read-office.js';

const samples: readonly (readonly [string, ReadPages, Uint8Array])[] = [
  [
    'docx',
    readDocx,
    docxOf(
      `${word('Un')}<w:tbl><w:tr><w:tc>${word('a')}</w:tc><w:tc>${word('b')}</w:tc></w:tr></w:tbl>${word('é', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>')}`,
      { styles: wordXml('styles', '<w:style w:styleId="a"><w:basedOn w:val="a"/></w:style>') },
    ),
  ],
  [
    'xlsx',
    readXlsx,
    xlsxOf({
      A: '<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1" t="inlineStr"><is><t>x</t></is></c></row></sheetData>',
    }),
  ],
  ['pptx', readPptx, pptxOf([shape(['Un', 'Deux'], { placeholder: 'type="title"', at: [1, 2] })])],
  [
    'odt',
    readOdt,
    odfOf('text', '<text:h text:outline-level="1">T</text:h><text:p>Un<text:s text:c="3"/></text:p>'),
  ],
  [
    'ods',
    readOds,
    odfOf(
      'spreadsheet',
      '<table:table table:name="A"><table:table-row table:number-rows-repeated="3"><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
    ),
  ],
  [
    'odp',
    readOdp,
    odfOf(
      'presentation',
      '<draw:page><draw:frame svg:x="1cm" svg:y="1cm"><draw:text-box><text:p>x</text:p></draw:text-box></draw:frame></draw:page>',
    ),
  ],
  [
    'rtf',
    readRtf,
    Buffer.from(
      String.raw`{\rtf1\ansi{\fonttbl{\f0\fcharset134 A;}}\trowd\intbl \'c4\'dc\cell\row\pard a\u33021?\par{\footnote b}}`,
    ),
  ],
];

async function messageOf(read: ReadPages, bytes: Uint8Array): Promise<string> {
  return readAll(read, bytes).then(
    ({ summary }) => `read, with ${summary.warnings.length} warnings`,
    (error: unknown) => (error instanceof DocumentRefused ? error.message : 'broken'),
  );
}

describe.each(samples)('a %s that is not what it should be', (_, read, sample) => {
  it('is whole to begin with', async () => {
    const { pages, summary } = await readAll(read, sample);
    expect(pages.some(({ markdown }) => markdown !== '')).toBe(true);
    expect(summary.warnings).toEqual([]);
  });

  it('ends in pages or an error, whatever bytes it has', async () => {
    const change = fc.tuple(fc.nat({ max: sample.length - 1 }), fc.integer({ min: 0, max: 255 }));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 10 }), fc.nat(), async (changes, cut) => {
        const bytes = Uint8Array.from(sample);
        for (const [index, byte] of changes) bytes[index] = byte;
        const shortened = cut % 3 === 0 ? bytes.subarray(0, cut % sample.length) : bytes;
        expect(await messageOf(read, shortened)).not.toBe('');
      }),
      // A fixed seed: a failure must be caused by the tested change.
      { seed: 20_240, numRuns: 200 },
    );
  });
});

describe.each(samples.filter(([name]) => name !== 'rtf'))(
  'a %s with other bytes in its parts',
  (_, read, sample) => {
    it('ends in pages or an error', async () => {
      const parts = unzipSync(sample);
      const change = fc.record({ part: fc.nat(), place: fc.nat(), bytes: fc.uint8Array({ maxLength: 8 }) });
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
          const changed = { ...parts };
          for (const { part, place, bytes } of changes) {
            const name = Object.keys(parts)[part % Object.keys(parts).length]!;
            const content = changed[name]!;
            const start = place % Math.max(1, content.length);
            const after = content.subarray(start + bytes.length);
            changed[name] = Buffer.concat([content.subarray(0, start), bytes, after]);
          }
          expect(await messageOf(read, zipSync(changed))).not.toBe('');
        }),
        // A fixed seed: a failure must be caused by the tested change.
        { seed: 20_240, numRuns: 200 },
      );
    });
  },
);

describe('XML of any kind', () => {
  const name = fc.constantFrom(
    'w:p',
    'w:r',
    'w:t',
    'w:tbl',
    'w:tr',
    'w:tc',
    'w:sdt',
    'w:sdtContent',
    'w:pPr',
    'w:numPr',
    'w:vMerge',
    'm:oMath',
    'm:f',
    'mc:AlternateContent',
    'mc:Choice',
    'w:drawing',
    'w:txbxContent',
  );
  const { xml } = fc.letrec<{ xml: string }>((tie) => ({
    xml: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom('texte', ' ', '|', '# '),
      fc
        .tuple(name, fc.array(tie('xml'), { maxLength: 4 }))
        .map(([tag, inner]) => `<${tag} w:val="3">${inner.join('')}</${tag}>`),
    ),
  }));

  it('is read, wherever its elements stand', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(xml, { maxLength: 5 }), async (body) => {
        expect(await messageOf(readDocx, docxOf(body.join('')))).toMatch(/^read/);
      }),
      // A fixed seed: a failure must be caused by the tested change.
      { seed: 20_240 },
    );
  });
});

describe('bad files', () => {
  const nested = (depth: number): string =>
    '<w:sdt><w:sdtContent>'.repeat(depth) + '</w:sdtContent></w:sdt>'.repeat(depth);
  it.each<[string, ReadPages, Uint8Array, RegExp]>([
    ['another zip archive as docx', readDocx, zipOf({ 'a.txt': 'x' }), /save it as \.docx/],
    ['another zip archive as xlsx', readXlsx, zipOf({ 'a.txt': 'x' }), /save it as \.xlsx/],
    ['another zip archive as pptx', readPptx, zipOf({ 'a.txt': 'x' }), /save it as \.pptx/],
    ['another zip archive as odt', readOdt, zipOf({ 'a.txt': 'x' }), /save it as \.odt/],
    [
      'a main part that leads nowhere',
      readDocx,
      zipOf({ '_rels/.rels': relationships({ r: ['officeDocument', 'x.xml'] }) }),
      /holds nothing that a \.docx/,
    ],
    [
      'entities',
      readDocx,
      zipOf({ 'word/document.xml': '<!DOCTYPE a [<!ENTITY b "x">]><a>&b;</a>' }),
      /entities/,
    ],
    ['deep nesting', readDocx, docxOf(nested(1_000)), /nested more than 256 levels/],
    ['an empty document', readDocx, docxOf(''), /^read, with 0/],
    [
      'a document of another kind of XML',
      readDocx,
      zipOf({ 'word/document.xml': '<html/>' }),
      /^read, with 0/,
    ],
    ['no XML at all', readDocx, zipOf({ 'word/document.xml': 'x' }), /^broken/],
    ['no RTF', readRtf, Buffer.from('{\\html'), /^broken/],
    [
      'groups nested without end',
      readRtf,
      Buffer.from(`{\\rtf1 ${'{'.repeat(200_000)}x`),
      /nested more than 100,000 levels.*save it again/,
    ],
    [
      'a picture that claims to go on for ever',
      readRtf,
      Buffer.from('{\\rtf1 a{\\pict\\bin2000000000 x}'),
      /^read, with 2/,
    ],
    [
      'half of the sheets missing',
      readXlsx,
      xlsxOf({ A: '<sheetData/>', B: '' }, { 'xl/worksheets/sheet2.xml': '<broken' }),
      /^read, with 1/,
    ],
    [
      'an attribute of ten megabytes',
      readDocx,
      docxOf(word('x', `<w:pStyle w:val="${'y'.repeat(10_000_000)}"/>`)),
      /^read, with 0/,
    ],
    [
      'repetitions without end',
      readOdt,
      odfOf(
        'text',
        `<table:table><table:table-row table:number-rows-repeated="999999999"><table:table-cell table:number-columns-repeated="999999999"><text:p/></table:table-cell></table:table-row></table:table><text:p>a<text:s text:c="999999999"/>b</text:p>`,
      ),
      /^read, with 0/,
    ],
    [
      'styles based on each other',
      readDocx,
      docxOf(word('x', '<w:pStyle w:val="a"/>'), {
        styles: wordXml(
          'styles',
          '<w:style w:styleId="a"><w:basedOn w:val="b"/></w:style><w:style w:styleId="b"><w:basedOn w:val="a"/></w:style>',
        ),
      }),
      /^read, with 0/,
    ],
    [
      'references out of the file',
      readDocx,
      zipOf({
        'word/document.xml': wordXml('document', `<w:body>${word('x')}</w:body>`),
        'word/_rels/document.xml.rels': relationships({ r: ['styles', '../../../../etc/passwd'] }),
      }),
      /^read, with 1/,
    ],
  ])('%s', async (_, read, bytes, expected) => {
    expect(await messageOf(read, bytes)).toMatch(expected);
  });
});
