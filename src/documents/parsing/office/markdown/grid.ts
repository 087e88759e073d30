import { tablePieces } from './table.js';
import { oneLine } from './text.js';
import type { Block } from './pieces.js';

/** Tables are what pages are laid out with, too: cells with as much text as this are no cells of a table. */
const MAX_CELL_CHARACTERS = 2_000;
/** A label over many rows stands in each of them; a text is not said again. */
const MAX_REPEATED_CHARACTERS = 100;

/** A cell of a table in a text, or several that are one. */
export interface GridCell {
  blocks: readonly Block[];
  /** How many it goes over; at least 1. */
  columns: number;
  /** Goes on from the cell above. */
  isContinued: boolean;
}

/**
 * A table as Markdown. One with a single column, with tables in it or with long texts is a frame for something else, and
 * gives that, cell by cell.
 */
export function* gridBlocks(rows: readonly (readonly GridCell[])[]): Generator<Block> {
  const isFrame =
    rows.every((row) => row.length <= 1) ||
    rows.some((row) =>
      row.some(({ blocks }) => hasTable(blocks) || cellText(blocks).length > MAX_CELL_CHARACTERS),
    );
  if (isFrame) for (const { blocks } of rows.flat()) yield* blocks;
  else for (const markdown of tablePieces(filled(rows))) yield { markdown };
}

const hasTable = (blocks: readonly Block[]): boolean =>
  blocks.some(({ markdown }) => markdown.startsWith('|'));

/** The text of every place of the grid: of cells over several columns in the first, over several rows in each. */
const filled = (rows: readonly (readonly GridCell[])[]): string[][] => {
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
};

/** A heading in a cell is just text. */
const cellText = (blocks: readonly Block[]): string =>
  oneLine(blocks.map(({ markdown }) => markdown.replace(/^#+ /, '')).join(' '));
