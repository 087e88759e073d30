import type { GridCell } from '../markdown/grid.js';
import type { Block } from '../markdown/pieces.js';
import { childrenOf, descendantsOf, integerOf, type XmlElement } from '../xml/xml-element.js';

/** The limit of repetitions. A table in a text has fewer than a sheet. */
const MAX_REPEATED = 200;

type ReadCell = (cell: readonly XmlElement[]) => Iterable<Block>;

/** The rows of a table in a text or on a slide. `read` gives the content of a cell. */
export function tableRows(table: XmlElement, read: ReadCell): GridCell[][] {
  /** By column: how many more rows the cell above spans. */
  const spans: number[] = [];
  return [...descendantsOf(table, 'table:table-row')].flatMap((row) => {
    const times = repeated(row.attributes['table:number-rows-repeated']);
    return Array.from({ length: times }, () => cellsOf(row, spans, read));
  });
}

function cellsOf(row: XmlElement, spans: number[], read: ReadCell): GridCell[] {
  const cells: GridCell[] = [];
  for (const cell of childrenOf(row)) {
    const isCovered = cell.name === 'table:covered-table-cell';
    if (!isCovered && cell.name !== 'table:table-cell') continue;
    const times = repeated(cell.attributes['table:number-columns-repeated']);
    for (let time = 0; time < times; time++) {
      const column = cells.length;
      const isContinued = isCovered && (spans[column] ?? 0) > 0;
      if (isContinued) spans[column] = (spans[column] ?? 0) - 1;
      else spans[column] = (integerOf(cell.attributes['table:number-rows-spanned']) ?? 1) - 1;
      const blocks = isCovered ? [] : [...read(childrenOf(cell))].filter(({ markdown }) => markdown !== '');
      const spanned = integerOf(cell.attributes['table:number-columns-spanned']) ?? 1;
      cells.push({ blocks, columns: 1, spanned, isContinued });
    }
  }
  return cells;
}

function repeated(times: string | undefined): number {
  return Math.min(Math.max(integerOf(times) ?? 1, 1), MAX_REPEATED);
}
