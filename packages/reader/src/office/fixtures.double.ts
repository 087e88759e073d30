import { strToU8, zipSync } from 'fflate';

import type { ReadPages } from '../page-reader.js';
import type { ParsedPage } from '../parsed-document.js';
import { inEnglish } from '../remarks.js';

/** The parts of an office file by name. */
export type Parts = Record<string, string | Uint8Array>;

export function zipOf(parts: Parts): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part]),
    ),
  );
}

/** Everything that a reader gives, with the warnings in English. */
export async function readAll(
  read: ReadPages,
  bytes: Uint8Array,
): Promise<{ pages: ParsedPage[]; summary: { pages: number | null; warnings: string[] } }> {
  const pages: ParsedPage[] = [];
  const reading = read({ bytes, name: 'file' });
  for (;;) {
    const next = await reading.next();
    if (next.done === true) {
      const { value } = next;
      return { pages, summary: { ...value, warnings: value.warnings.map(inEnglish) } };
    }
    pages.push(next.value);
  }
}

export async function markdownOf(read: ReadPages, bytes: Uint8Array): Promise<string> {
  return (await readAll(read, bytes)).pages.map(({ markdown }) => markdown).join('\n\n');
}

const OFFICE = 'http://schemas.openxmlformats.org';
export const RELATIONSHIPS = `${OFFICE}/officeDocument/2006/relationships`;
export const WORD = `${OFFICE}/wordprocessingml/2006/main`;
const SHEET = `${OFFICE}/spreadsheetml/2006/main`;
const SLIDE = `${OFFICE}/presentationml/2006/main`;
const DRAWING = `${OFFICE}/drawingml/2006/main`;
const MATH = `${OFFICE}/officeDocument/2006/math`;

/** A relationships part: ids with types and targets. */
export function relationships(targets: Record<string, readonly [type: string, target: string]>): string {
  return `<Relationships xmlns="${OFFICE}/package/2006/relationships">${Object.entries(targets)
    .map(
      ([id, [type, target]]) =>
        `<Relationship Id="${id}" Type="${RELATIONSHIPS}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;
}

/** An element of a Word document around `content`. */
export function wordXml(name: string, content: string): string {
  return (
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:${name} xmlns:w="${WORD}" xmlns:r="${RELATIONSHIPS}" ` +
    `xmlns:m="${MATH}" xmlns:a="${DRAWING}" xmlns:mc="${OFFICE}/markup-compatibility/2006">${content}</w:${name}>`
  );
}

/** A Word document with this body. `parts`, such as `styles`, are added with their relationships. */
export function docxOf(body: string, parts: Record<string, string> = {}): Uint8Array {
  return zipOf({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'word/document.xml'] }),
    'word/document.xml': wordXml('document', `<w:body>${body}</w:body>`),
    'word/_rels/document.xml.rels': relationships(
      Object.fromEntries(Object.keys(parts).map((name) => [name, [name.replace(/\d+$/, ''), `${name}.xml`]])),
    ),
    ...Object.fromEntries(Object.entries(parts).map(([name, part]) => [`word/${name}.xml`, part])),
  });
}

/** A paragraph of a Word document. */
export function word(text: string, properties = ''): string {
  return `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** A workbook whose sheets have these rows, with additional parts by name. */
export function xlsxOf(sheets: Record<string, string>, parts: Parts = {}, workbook = ''): Uint8Array {
  const names = Object.keys(sheets);
  return zipOf({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': `<workbook xmlns="${SHEET}" xmlns:r="${RELATIONSHIPS}">${workbook}<sheets>${names
      .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="s${index + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships({
      ...Object.fromEntries(
        names.map((_, index) => [
          `s${index + 1}`,
          ['worksheet', `worksheets/sheet${index + 1}.xml`] as const,
        ]),
      ),
      strings: ['sharedStrings', 'sharedStrings.xml'],
      styles: ['styles', 'styles.xml'],
    }),
    'xl/sharedStrings.xml': sheetXml('sst', ''),
    'xl/styles.xml': sheetXml('styleSheet', ''),
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        sheetXml('worksheet', sheets[name] ?? ''),
      ]),
    ),
    ...parts,
  });
}

export function sheetXml(name: string, content: string): string {
  return `<${name} xmlns="${SHEET}" xmlns:r="${RELATIONSHIPS}">${content}</${name}>`;
}

/** A presentation whose slides have these shapes, with additional parts by name. */
export function pptxOf(slides: readonly string[], parts: Parts = {}): Uint8Array {
  return zipOf({
    '_rels/.rels': relationships({ r1: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': slideXml(
      'presentation',
      `<p:sldIdLst>${slides.map((_, index) => `<p:sldId id="${index + 256}" r:id="s${index + 1}"/>`).join('')}</p:sldIdLst>`,
    ),
    'ppt/_rels/presentation.xml.rels': relationships(
      Object.fromEntries(
        slides.map((_, index) => [`s${index + 1}`, ['slide', `slides/slide${index + 1}.xml`]]),
      ),
    ),
    ...Object.fromEntries(
      slides.map((shapes, index) => [`ppt/slides/slide${index + 1}.xml`, slideOf('sld', shapes)]),
    ),
    ...parts,
  });
}

export function slideOf(name: string, shapes: string, attributes = ''): string {
  return slideXml(name, `<p:cSld><p:spTree>${shapes}</p:spTree></p:cSld>`, attributes);
}

function slideXml(name: string, content: string, attributes = ''): string {
  return `<p:${name} xmlns:p="${SLIDE}" xmlns:a="${DRAWING}" xmlns:r="${RELATIONSHIPS}" xmlns:c="${OFFICE}/drawingml/2006/chart"${attributes}>${content}</p:${name}>`;
}

/** A shape with paragraphs. `at`: its corner in English metric units. */
export function shape(
  paragraphs: readonly string[],
  { placeholder = '', at }: { placeholder?: string; at?: readonly [x: number, y: number] } = {},
): string {
  return (
    `<p:sp><p:nvSpPr><p:cNvPr id="1" name=""/><p:cNvSpPr/><p:nvPr>${placeholder === '' ? '' : `<p:ph ${placeholder}/>`}</p:nvPr></p:nvSpPr>` +
    `<p:spPr>${at ? `<a:xfrm><a:off x="${at[0]}" y="${at[1]}"/></a:xfrm>` : ''}</p:spPr>` +
    `<p:txBody>${paragraphs.map((text) => (text.startsWith('<') ? text : drawn(text))).join('')}</p:txBody></p:sp>`
  );
}

export function drawn(text: string, properties = ''): string {
  return `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`;
}

const ODF = 'urn:oasis:names:tc:opendocument:xmlns';

/** An OpenDocument file. `body`: the content of office:text, office:spreadsheet or office:presentation. */
export function odfOf(
  kind: 'text' | 'spreadsheet' | 'presentation',
  body: string,
  { styles = '', parts = {} }: { styles?: string; parts?: Parts } = {},
): Uint8Array {
  return zipOf({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': odfXml(
      'document-content',
      `<office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body>`,
    ),
    ...parts,
  });
}

export function odfXml(name: string, content: string): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?><office:${name} xmlns:office="${ODF}:office:1.0" xmlns:text="${ODF}:text:1.0" ` +
    `xmlns:table="${ODF}:table:1.0" xmlns:draw="${ODF}:drawing:1.0" xmlns:presentation="${ODF}:presentation:1.0" ` +
    `xmlns:style="${ODF}:style:1.0" xmlns:svg="${ODF}:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink">${content}</office:${name}>`
  );
}
