import { isTable, tableInCell, tablePieces } from './table.js';
import { MAX_CELL_CHARACTERS, MAX_REPEATED_CHARACTERS, type Spans } from './table-head.js';
import { cellLine } from './text.js';
import type { Block } from './pieces.js';

/** A table cell of a text. It may be merged. */
export interface GridCell {
  blocks: readonly Block[];
  /** The number of columns that it covers, at least 1. */
  columns: number;
  /** The number of columns that its text spans, while the other places are cells of their own. */
  spanned?: number;
  /** Continues the cell above. */
  isContinued: boolean;
}

/**
 * Converts a table to Markdown. A table with a single column, with nested tables that are no part of it, or with long
 * texts is used for layout: its cells are given one by one.
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
 * Whether nested tables are part of the outer table: each is below the column names and beside another cell. True if
 * there are none.
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

/** The text at each place of the grid. A cell that spans columns fills the first, one that spans rows fills each. */
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

/** In a cell, headings and tables become plain text. */
export function blockInCell({ markdown }: Block): string {
  return isTable(markdown) ? tableInCell(markdown) : markdown.replace(/^#+ /, '');
}
