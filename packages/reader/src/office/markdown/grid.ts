import { isTable, tableInCell, tablePieces } from './table.js';
import type { Spans } from './table-head.js';
import { cellLine } from './text.js';
import type { Block } from './pieces.js';

/** Tables are what pages are laid out with, too: cells with as much text as this are no cells of a table. */
const MAX_CELL_CHARACTERS = 2_000;
/** A label over many rows stands in each of them; a text is not said again. */
const MAX_REPEATED_CHARACTERS = 100;

/** A cell of a table in a text, or several that are one. */
export interface GridCell {
  blocks: readonly Block[];
  /** How many it stands for; at least 1. */
  columns: number;
  /** Over how many it goes, where the others stand beside it for themselves. */
  spanned?: number;
  /** Goes on from the cell above. */
  isContinued: boolean;
}

/**
 * A table as Markdown. One with a single column, with tables in it that stand by themselves or with long texts is a frame
 * for something else, and gives that, cell by cell.
 */
export function* gridBlocks(rows: readonly (readonly GridCell[])[]): Generator<Block> {
  const isFrame =
    rows.every((row) => row.length <= 1) ||
    rows.some((row) => row.some(({ blocks }) => cellText(blocks).length > MAX_CELL_CHARACTERS)) ||
    !holdsTables(rows.map((row) => row.map(({ blocks }) => blocks)));
  if (isFrame) for (const { blocks } of rows.flat()) yield* blocks;
  else for (const markdown of tablePieces(filled(rows), spansOf(rows))) yield { markdown };
}

/**
 * Whether tables that are in the cells of another one are a part of it: each below the names of the columns and beside
 * something else. Where there are none, nothing speaks against it.
 */
export function holdsTables(rows: readonly (readonly (readonly Block[])[])[]): boolean {
  const inTables = rows.filter((row) => row.some(hasTable));
  const [names = []] = rows;
  return (
    inTables.length === 0 ||
    (!inTables.includes(names) && [names, ...inTables].every((row) => row.filter(isFilled).length > 1))
  );
}

function hasTable(blocks: readonly Block[]): boolean {
  return blocks.some(({ markdown }) => isTable(markdown));
}

function isFilled(blocks: readonly Block[]): boolean {
  return blocks.some(({ markdown }) => markdown !== '');
}

/** The text of every place of the grid: of cells over several columns in the first, over several rows in each. */
function filled(rows: readonly (readonly GridCell[])[]): string[][] {
  let above: string[] = [];
  return rows.map((row) => {
    const texts = row.flatMap(({ blocks, columns }) => [
      cellText(blocks),
      ...Array.from({ length: columns - 1 }, () => ''),
    ]);
    let column = 0;
    for (const { columns, isContinued } of row) {
      const label = above[column] ?? '';
      if (isContinued && texts[column] === '' && label.length <= MAX_REPEATED_CHARACTERS)
        texts[column] = label;
      column += columns;
    }
    above = texts;
    return texts;
  });
}

function spansOf(rows: readonly (readonly GridCell[])[]): Spans {
  return rows.map((row) =>
    row.flatMap(({ columns, spanned }) => [
      spanned ?? columns,
      ...Array.from({ length: columns - 1 }, () => 1),
    ]),
  );
}

function cellText(blocks: readonly Block[]): string {
  return cellLine(blocks.map(blockInCell).join('\n'));
}

/** A heading in a cell is just text, and so is a table. */
export function blockInCell({ markdown }: Block): string {
  return isTable(markdown) ? tableInCell(markdown) : markdown.replace(/^#+ /, '');
}
