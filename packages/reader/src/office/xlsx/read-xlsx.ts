import type { ReadPages } from '../../page-reader.js';
import { DocumentRefused } from '../../parsed-document.js';
import { drawingText } from '../drawing/drawing-text.js';
import { FrameReader } from '../drawing/frames.js';
import type { Block } from '../markdown/pieces.js';
import { paragraph } from '../markdown/text.js';
import { untilBroken } from '../package/losses.js';
import { OfficePackage } from '../package/office-package.js';
import { sheetBlocks, MAX_COLUMNS, MAX_ROWS, type SheetCell, type SheetRow } from '../sheet/sheet-blocks.js';
import { sheetPages } from '../sheet/sheet-pages.js';
import { descendantsOf, childrenOf, integerOf, type XmlElement } from '../xml/xml-element.js';
import { elementOf, elementsOf } from '../xml/xml-reader.js';
import { type CellContext, cellText } from './cell-text.js';
import { readWorkbook, type Sheet } from './workbook.js';
import { remark } from '../../remarks.js';

/** Reads workbooks (.xlsx, .xlsm, .xltx). Each sheet is a page, in one or more pieces. */
export const readXlsx: ReadPages = async function* ({ bytes }) {
  const file = await OfficePackage.open(bytes);
  const main = file.mainPart('xl/workbook.xml');
  if (!main) throw new DocumentRefused(remark('NOT_ITS_FORMAT', { extension: '.xlsx' }));
  const { sheets, cells } = readWorkbook(file, main.name, main.bytes);
  for (const [index, sheet] of sheets.entries()) {
    if (sheet.isHidden) file.losses.count('HIDDEN_SHEETS');
    yield* sheetPages(index + 1, sheet.name, contentOf(file, sheet, cells));
  }
  return { pages: sheets.length, warnings: file.losses.warnings() };
};

function* contentOf(file: OfficePackage, sheet: Sheet, cells: CellContext): Generator<Block> {
  const missing = remark('SHEET_MISSING', { name: sheet.name.slice(0, 50) });
  const bytes = file.find(sheet.part ?? '', missing, (found) => found);
  if (!bytes || sheet.part === null) return;
  yield* sheetBlocks(untilBroken(rowsOf(bytes, cells), file.losses));
  yield* drawingBlocks(file, sheet.part);
  file.countComments(sheet.part, 'x:comment');
}

/** A sheet whose beginning is damaged has no rows. Other sheets may be intact. */
function* rowsOf(bytes: Uint8Array, cells: CellContext): ReturnType<typeof sheetRows> {
  yield { index: 0, cells: [] };
  yield* sheetRows(bytes, cells);
}

/** Text boxes and charts on a sheet. */
function* drawingBlocks(file: OfficePackage, sheetPart: string): Generator<Block> {
  const part = file.relatedTo(sheetPart, 'drawing');
  const root = file.find(part, 'DRAWING_MISSING', (bytes) => elementOf(bytes));
  if (!root || part === null) return;
  const frames = new FrameReader(file, file.relationshipsOf(part));
  for (const found of descendantsOf(root, 'a:p', 'c:chart', 'dgm:relIds'))
    if (found.name === 'a:p') yield { markdown: paragraph(drawingText(found)) };
    else yield* frames.blocksOf(found);
}

const MERGES_BYTES = 5_000_000;

function* sheetRows(bytes: Uint8Array, context: CellContext): Generator<SheetRow> {
  const merged = mergedCells(bytes);
  let before = -1;
  for (const { element } of elementsOf(bytes, { whole: ['x:row'] })) {
    const index = (integerOf(element.attributes['r']) ?? before + 2) - 1;
    if (index < 0 || index >= MAX_ROWS) continue;
    before = index;
    const cells = cellsOf(element, context);
    const placed = (cell: SheetCell): SheetCell => ({
      ...cell,
      ...merged.get(index * MAX_COLUMNS + cell.column),
    });
    yield { index, cells: merged.size === 0 ? cells : cells.map(placed) };
  }
}

function cellsOf(row: XmlElement, context: CellContext): SheetCell[] {
  const cells: SheetCell[] = [];
  let column = -1;
  for (const cell of childrenOf(row, 'x:c')) {
    column = columnOf(cell.attributes['r'] ?? '') ?? column + 1;
    if (column >= MAX_COLUMNS) break;
    const { text, isValue } = cellText(cell, context);
    if (text !== '') cells.push({ column, text, isValue });
  }
  return cells;
}

/** The column from 0 of a name such as `AB12`; null: not a cell name. */
function columnOf(name: string): number | null {
  const letters = /^([A-Z]{1,3})\d+$/.exec(name)?.[1];
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** Merged cells by the place of the first. The list comes after the rows, so it is read in a pass of its own. */
function mergedCells(bytes: Uint8Array): ReadonlyMap<number, Pick<SheetCell, 'columns' | 'rows'>> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = buffer.lastIndexOf('sheetData');
  const merged = new Map<number, Pick<SheetCell, 'columns' | 'rows'>>();
  if (start < 0) return merged;
  const end = buffer.toString('latin1', start, start + MERGES_BYTES);
  for (const [, first, firstRow, last, lastRow] of end.matchAll(
    /mergeCell\s[^>]{0,300}?ref=["']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})["']/g,
  )) {
    const column = columnOf(`${first}1`) ?? 0;
    const columns = (columnOf(`${last}1`) ?? column) - column + 1;
    const place = (Number(firstRow) - 1) * MAX_COLUMNS + column;
    // A block over several columns is a title or a drawing, and no label.
    merged.set(place, columns > 1 ? { columns } : { rows: Number(lastRow) - Number(firstRow) + 1 });
  }
  return merged;
}
