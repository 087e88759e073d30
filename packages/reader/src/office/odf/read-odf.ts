import type { ReadPages } from '../../page-reader.js';
import { joined, piecesOf, type Block } from '../markdown/pieces.js';
import { paragraph } from '../markdown/text.js';
import { untilBroken } from '../package/losses.js';
import { saysMore } from '../package/page-frame.js';
import { sheetBlocks, type SheetRow } from '../sheet/sheet-blocks.js';
import { sheetPages } from '../sheet/sheet-pages.js';
import { childrenOf, descendantsOf, type XmlElement } from '../xml/xml-element.js';
import { elementsOf, type FoundElement } from '../xml/xml-reader.js';
import { OdfBlocks } from './odf-blocks.js';
import { openOdf, type OdfFile } from './odf-file.js';
import { OdfRows } from './odf-sheets.js';
import { slideBlocks } from './odf-slide.js';

const TEXT = [
  'text:p',
  'text:h',
  'text:list',
  'text:table-of-content',
  'text:tracked-changes',
  'office:automatic-styles',
  'office:forms',
  'table:table',
];
const SHEET = {
  whole: ['table:table-row', 'table:shapes', 'office:automatic-styles'],
  opened: ['table:table'],
};

/** Reads OpenDocument texts (.odt, .ott). They have no pages: page breaks depend on the printer. */
export const readOdt: ReadPages = async function* ({ bytes }) {
  const file = await openOdf(bytes, '.odt');
  for (const markdown of piecesOf(textBlocks(file))) yield { number: null, markdown };
  return { pages: null, warnings: file.parts.losses.warnings() };
};

/** Reads OpenDocument presentations (.odp, .otp). Each slide with its notes is a page. */
export const readOdp: ReadPages = async function* ({ bytes }) {
  const { content, parts } = await openOdf(bytes, '.odp');
  const pages = untilBroken(elementsOf(content, { whole: ['draw:page'] }), parts.losses);
  let number = 0;
  for (const { element } of pages) {
    number++;
    if (parts.styles.isHiddenSlide(element.attributes['draw:style-name']))
      parts.losses.count('HIDDEN_SLIDES');
    const markdown = joined(slideBlocks(element, parts));
    if (markdown === '') parts.losses.count('SLIDES_WITHOUT_TEXT');
    yield { number, markdown };
  }
  return { pages: number, warnings: parts.losses.warnings() };
};

/** Reads OpenDocument spreadsheets (.ods, .ots). Each sheet is a page, in one or more pieces. */
export const readOds: ReadPages = async function* ({ bytes }) {
  const file = await openOdf(bytes, '.ods');
  const { content, parts } = file;
  const found = untilBroken(elementsOf(content, SHEET), parts.losses);
  let next = found.next();
  let number = 0;
  while (next.done !== true) {
    if (!isSheet(next.value)) {
      next = found.next();
      continue;
    }
    number++;
    const { attributes } = next.value.element;
    if (parts.styles.isHiddenSheet(attributes['table:style-name'])) parts.losses.count('HIDDEN_SHEETS');
    const rows: FoundRows = { found, after: null };
    yield* sheetPages(number, attributes['table:name'] ?? '', contentOf(file, rows));
    next = rows.after ?? found.next();
  }
  return { pages: number, warnings: parts.losses.warnings() };
};

function* textBlocks(file: OdfFile): Generator<Block> {
  const blocks = new OdfBlocks(file.parts);
  const elements = untilBroken(elementsOf(file.content, { whole: TEXT }), file.parts.losses);
  for (const { element } of elements)
    if (element.name !== 'office:automatic-styles') yield* blocks.of([element]);
  const frames = new Set<string>();
  for (const frame of file.pageFrames)
    for (const element of descendantsOf(frame, 'text:p', 'text:h'))
      frames.add(paragraph(file.parts.text.read(element).text));
  for (const markdown of frames) if (saysMore(markdown)) yield { markdown };
}

interface FoundRows {
  found: Iterator<FoundElement>;
  /** The beginning of the next sheet, once this one was read. */
  after: IteratorResult<FoundElement> | null;
}

function isSheet({ element, parent }: FoundElement): boolean {
  return element.name === 'table:table' && parent === 'office:spreadsheet';
}

function* contentOf({ parts }: OdfFile, rows: FoundRows): Generator<Block> {
  const shapes: XmlElement[] = [];
  yield* sheetBlocks(sheetRows(new OdfRows(parts.text), rows, shapes));
  yield* new OdfBlocks(parts).of(shapes);
}

function* sheetRows(rows: OdfRows, following: FoundRows, shapes: XmlElement[]): Generator<SheetRow> {
  for (;;) {
    const next = following.found.next();
    if (next.done === true || isSheet(next.value)) {
      following.after = next;
      return;
    }
    const { element, parent } = next.value;
    if (element.name === 'table:shapes') shapes.push(element);
    else if (element.name === 'table:table-row' && parent !== 'office:spreadsheet') {
      shapes.push(...drawnIn(element));
      yield* rows.of(element);
    }
  }
}

/** Drawings that are anchored to a cell are inside it. */
function drawnIn(row: XmlElement): XmlElement[] {
  return childrenOf(row).flatMap((cell) => childrenOf(cell).filter(({ name }) => name.startsWith('draw:')));
}
