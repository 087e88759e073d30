import type { ReadPages } from '../page-reader.js';
import { readDocx } from './docx/read-docx.js';
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
} from './fixtures.double.js';
import { readOdt } from './odf/read-odf.js';
import { sentences } from '../remarks.js';
import { readPptx } from './pptx/read-pptx.js';
import { readRtf } from './rtf/read-rtf.js';
import { readXlsx } from './xlsx/read-xlsx.js';

const contents = wordXml(
  'styles',
  '<w:style w:type="paragraph" w:styleId="T1"><w:name w:val="toc 1"/></w:style>',
);
const embedded = relationships({ o: ['package', '../embeddings/annex.docx'] });
function odt(xml: string): Uint8Array {
  return odfOf('text', `${xml}<text:p>a</text:p>`);
}

describe('what a file has besides its text', () => {
  it.each<[string, ReadPages, Uint8Array, string]>([
    [
      'a table of contents in Word',
      readDocx,
      docxOf(word('A ... 1', '<w:pStyle w:val="T1"/>') + word('a'), { styles: contents }),
      sentences.CONTENTS_LEFT_OUT,
    ],
    ['a file in Word', readDocx, docxOf(word('a'), { oleObject: '' }), sentences.OBJECTS_LEFT_OUT],
    [
      'a file on a slide',
      readPptx,
      pptxOf([shape(['a'])], { 'ppt/slides/_rels/slide1.xml.rels': embedded }),
      sentences.OBJECTS_LEFT_OUT,
    ],
    [
      'a file on a sheet',
      readXlsx,
      xlsxOf(
        { S: '<sheetData><row><c t="inlineStr"><is><t>a</t></is></c></row></sheetData>' },
        { 'xl/worksheets/_rels/sheet1.xml.rels': embedded },
      ),
      sentences.OBJECTS_LEFT_OUT,
    ],
    [
      'a table of contents in OpenDocument',
      readOdt,
      odt(
        '<text:table-of-content><text:index-body><text:p>A 1</text:p></text:index-body></text:table-of-content>',
      ),
      sentences.CONTENTS_LEFT_OUT,
    ],
    [
      'a file in OpenDocument',
      readOdt,
      odt('<text:p><draw:frame><draw:object-ole xlink:href="./Object 1"/></draw:frame></text:p>'),
      sentences.OBJECTS_LEFT_OUT,
    ],
    [
      'a form in OpenDocument',
      readOdt,
      odt(
        '<office:forms><form:form xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0"/></office:forms>',
      ),
      sentences.FORM_LEFT_OUT,
    ],
    [
      'a file in RTF',
      readRtf,
      Buffer.from(String.raw`{\rtf1 a{\object\objemb{\*\objdata 00}}}`),
      sentences.OBJECTS_LEFT_OUT,
    ],
  ])('is told: %s', async (_, read, bytes, warning) => {
    const { pages, summary } = await readAll(read, bytes);
    expect(pages.map(({ markdown }) => markdown).join('')).toMatch(/a$/m);
    expect(summary.warnings).toEqual([warning]);
  });

  it('is not told where there is none of it', async () => {
    const plain = odt('<office:forms/><text:table-of-content/>');
    expect((await readAll(readOdt, plain)).summary.warnings).toEqual([]);
  });
});
