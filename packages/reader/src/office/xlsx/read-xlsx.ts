import type { ReadPages } from '../../page-reader.js';
import { DocumentRefused } from '../../parsed-document.js';
import { FrameReader } from '../drawing/frames.js';
import { drawingText } from '../drawing/drawing-text.js';
import { piecesOf, type Block } from '../markdown/pieces.js';
import { heading, paragraph } from '../markdown/text.js';
import { counted } from '../package/lost.js';
import { OfficePackage } from '../package/office-package.js';
import { untilBroken } from '../package/until-broken.js';
import { sheetBlocks } from '../sheet/sheet-blocks.js';
import { descendantsOf } from '../xml/xml-element.js';
import { elementOf } from '../xml/xml-reader.js';
import type { CellContext } from './cell-text.js';
import { sheetRows } from './sheet-rows.js';
import { readWorkbook, type Sheet } from './workbook.js';

function hiddenSheets(count: number): string {
  return `${counted(count, 'hidden sheet')} read like the others.`;
}

/** Reads workbooks (.xlsx, .xlsm, .xltx). Each sheet is a page, in one or more pieces. */
export const readXlsx: ReadPages = async function* ({ bytes }) {
  const file = await OfficePackage.open(bytes);
  refuseBinary(file);
  const main = file.mainPart('xl/workbook.xml');
  if (!main)
    throw new DocumentRefused(
      'The file holds no workbook. Open it in a spreadsheet program, save it as .xlsx and upload that.',
    );
  const { sheets, cells } = readWorkbook(file, main.name, main.bytes);
  for (const [index, sheet] of sheets.entries()) {
    if (sheet.isHidden) file.lost.count(hiddenSheets);
    let isEmpty = true;
    for (const markdown of piecesOf(blocksOf(file, sheet, cells))) {
      yield { number: index + 1, markdown };
      isEmpty = false;
    }
    if (isEmpty) yield { number: index + 1, markdown: '' };
  }
  return { pages: sheets.length, warnings: file.lost.warnings() };
};

function refuseBinary(file: OfficePackage): void {
  if (file.has('xl/workbook.bin'))
    throw new DocumentRefused(
      'This is a binary Excel workbook (.xlsb). Open it in Excel, save it as .xlsx and upload that.',
    );
}

/** The name of the sheet precedes its first block. */
function* blocksOf(file: OfficePackage, sheet: Sheet, cells: CellContext): Generator<Block> {
  let isFirst = true;
  for (const block of contentOf(file, sheet, cells)) {
    if (block.markdown === '') continue;
    if (isFirst) yield { markdown: heading(1, sheet.name) };
    isFirst = false;
    yield block;
  }
}

function* contentOf(file: OfficePackage, sheet: Sheet, cells: CellContext): Generator<Block> {
  const what = `The sheet “${sheet.name.slice(0, 50)}” is`;
  const bytes = file.find(sheet.part ?? '', what, (found) => found);
  if (!bytes || sheet.part === null) return;
  yield* sheetBlocks(untilBroken(rowsOf(bytes, cells), file.lost));
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
  const root = file.find(part, 'A drawing is', (bytes) => elementOf(bytes));
  if (!root || part === null) return;
  const frames = new FrameReader(file, file.relationshipsOf(part));
  for (const found of descendantsOf(root, 'a:p', 'c:chart', 'dgm:relIds'))
    if (found.name === 'a:p') yield { markdown: paragraph(drawingText(found)) };
    else yield* frames.blocksOf(found);
}
