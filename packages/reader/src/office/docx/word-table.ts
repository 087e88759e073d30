import { gridBlocks, type GridCell } from '../markdown/grid.js';
import type { Block } from '../markdown/pieces.js';
import { childAt, childrenOf, descendantsOf, integerOf, type XmlElement } from '../xml/xml-element.js';

const MAX_COLUMNS = 1_000;

type ReadCell = (cell: readonly XmlElement[]) => Iterable<Block>;

/** Converts a table of a Word document; `read` gives the content of a cell. Deleted rows are left out. */
export function tableBlocks(table: XmlElement, read: ReadCell): Generator<Block> {
  return gridBlocks(
    [...descendantsOf(table, 'w:tr')]
      .filter((row) => !childAt(row, 'w:trPr', 'w:del'))
      .map((row) => cellsOf(row, read)),
  );
}

function cellsOf(row: XmlElement, read: ReadCell): GridCell[] {
  const before = integerOf(childAt(row, 'w:trPr', 'w:gridBefore')?.attributes['w:val']) ?? 0;
  const cells = [...descendantsOf(row, 'w:tc')].map((cell) => {
    const properties = childAt(cell, 'w:tcPr');
    const merge = childAt(properties, 'w:vMerge');
    return {
      blocks: [...read(childrenOf(cell))].filter(({ markdown }) => markdown !== ''),
      columns: columnsOf(integerOf(childAt(properties, 'w:gridSpan')?.attributes['w:val'])),
      isContinued: merge !== undefined && merge.attributes['w:val'] !== 'restart',
    };
  });
  return before > 0 ? [{ blocks: [], columns: columnsOf(before), isContinued: false }, ...cells] : cells;
}

function columnsOf(span: number | null): number {
  return Math.min(Math.max(span ?? 1, 1), MAX_COLUMNS);
}
