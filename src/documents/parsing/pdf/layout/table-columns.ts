import type { Row } from './row.js';
import type { Segment } from './segment.js';

/** Where the cells of a table's column stand. */
export interface Column {
  left: number;
  right: number;
}

/** A row and the column of each of its cells. */
export interface PlacedRow {
  row: Row;
  /** By column; columns may still come between them. */
  cells: Map<Column, Segment>;
}

/** Edges that are meant to stand below each other differ by less, in sizes of the text. */
const ALIGNED = 0.6;
const ALIGNED_SHARE = 0.6;
/** More than any table that people read. */
export const MAX_COLUMNS = 40;
const SLACK_POINTS = 0.5;

const overlap = (one: Column, other: Column): boolean =>
  one.left < other.right - SLACK_POINTS && other.left < one.right - SLACK_POINTS;

/** Columns that grow with the rows that are put into them. */
export class TableColumns {
  readonly columns: Column[] = [];

  /** The row's cells in their columns; null: they do not fit, and nothing has changed. */
  place(row: Row): PlacedRow | null {
    if (row.cells.length > MAX_COLUMNS) return null;
    const cells = new Map<Column, Segment>();
    const grown = new Map<Column, Column>();
    const fresh: Column[] = [];
    for (const cell of row.cells) {
      const hit = this.columns.filter((column) => overlap(column, cell));
      const [column = { left: cell.left, right: cell.right }] = hit;
      if (hit.length > 1 || cells.has(column)) return null;
      if (hit.length === 0) fresh.push(column);
      cells.set(column, cell);
      const wide = { left: Math.min(column.left, cell.left), right: Math.max(column.right, cell.right) };
      if (this.columns.some((other) => other !== column && overlap(other, wide))) return null;
      grown.set(column, wide);
    }
    // Beside a table's rows a line of its own begins no column.
    if (fresh.length > 0 && fresh.length === row.cells.length && this.columns.length > 0) return null;
    if (fresh.some((one) => fresh.some((other) => one !== other && overlap(one, other)))) return null;
    for (const [column, wide] of grown) Object.assign(column, wide);
    this.columns.push(...fresh);
    return { row, cells };
  }

  /** Left to right. */
  inOrder(): Column[] {
    return this.columns.toSorted((one, other) => one.left - other.left);
  }
}

/** Whether a column's cells stand below each other by design. */
export const isAligned = (column: Column, rows: readonly PlacedRow[]): boolean => {
  const cells = rows.flatMap(({ cells }) => cells.get(column) ?? []);
  const edges = [
    ({ left }: Segment) => left,
    ({ right }: Segment) => right,
    ({ left, right }: Segment) => (left + right) / 2,
  ];
  return edges.some((edge) => {
    const places = cells.map(edge).toSorted((one, other) => one - other);
    const middle = places[Math.floor(places.length / 2)] ?? 0;
    const near = cells.filter((cell) => Math.abs(edge(cell) - middle) <= ALIGNED * cell.size);
    return near.length >= Math.max(2, ALIGNED_SHARE * cells.length);
  });
};
