import type { Row } from './lines/row.js';
import type { Segment } from './lines/segment.js';

/** The horizontal extent of a column's cells. */
export interface Column {
  left: number;
  right: number;
}

export interface PlacedRow {
  row: Row;
  /** By column. Later rows may add columns in between. */
  cells: Map<Column, Segment>;
}

/** The tolerance for aligned edges, in text sizes. */
const ALIGNED = 0.6;
const ALIGNED_SHARE = 0.6;
/** More than any table for people. */
export const MAX_COLUMNS = 40;
const SLACK_POINTS = 0.5;

function overlap(one: Column, other: Column): boolean {
  return one.left < other.right - SLACK_POINTS && other.left < one.right - SLACK_POINTS;
}

/** Columns that grow with the rows placed in them. */
export class TableColumns {
  readonly columns: Column[] = [];
  private readonly placed: PlacedRow[] = [];

  /** Assigns the cells of a row to columns; null: they do not fit, and nothing changed. */
  place(row: Row): PlacedRow | null {
    if (row.cells.length > MAX_COLUMNS) return null;
    const cells = new Map<Column, Segment>();
    const grown = new Map<Column, Column>();
    const fresh: Column[] = [];
    for (const cell of row.cells) {
      const hit = this.columns.filter((column) => overlap(column, cell));
      const [column = { left: cell.left, right: cell.right }] = hit.length > 1 ? this.joined(hit) : hit;
      if (this.columns.filter((other) => overlap(other, cell)).length > 1 || cells.has(column)) return null;
      if (hit.length === 0) fresh.push(column);
      cells.set(column, cell);
      const wide = { left: Math.min(column.left, cell.left), right: Math.max(column.right, cell.right) };
      if (this.columns.some((other) => other !== column && overlap(other, wide))) return null;
      grown.set(column, wide);
    }
    // A single line beside a table does not begin a column.
    if (fresh.length > 0 && fresh.length === row.cells.length && this.columns.length > 0) return null;
    if (fresh.some((one) => fresh.some((other) => one !== other && overlap(one, other)))) return null;
    for (const [column, wide] of grown) Object.assign(column, wide);
    this.columns.push(...fresh);
    const placed = { row, cells };
    this.placed.push(placed);
    return placed;
  }

  /** From left to right. A column name beside its values, because it begins where they end, is moved above them. */
  inOrder(): Column[] {
    for (const name of this.columns.filter((column) => this.isNameOnly(column))) {
      const others = this.columns.toSorted((one, other) => one.left - other.left);
      const index = others.indexOf(name);
      const [nearest] = [others[index - 1], others[index + 1]]
        .filter((other) => other !== undefined)
        .filter((other) => !this.placed[0]?.cells.has(other))
        .toSorted((one, other) => distance(name, one) - distance(name, other));
      if (nearest) this.joined([name, nearest]);
    }
    return this.columns.toSorted((one, other) => one.left - other.left);
  }

  private isNameOnly(column: Column): boolean {
    return this.placed.every(({ cells }, index) => cells.has(column) === (index === 0));
  }

  /** Joins a column that only has a name with one that only lacks it. Others stay as they are. */
  private joined(columns: readonly Column[]): readonly Column[] {
    const [first] = this.placed;
    const name = columns.find((column) => this.isNameOnly(column));
    const values = columns.find((column) => column !== name);
    const cell = name && first?.cells.get(name);
    if (columns.length !== 2 || !first || !name || !values || !cell || first.cells.has(values))
      return columns;
    const wide = { left: Math.min(name.left, values.left), right: Math.max(name.right, values.right) };
    if (this.columns.some((other) => !columns.includes(other) && overlap(other, wide))) return columns;
    first.cells.delete(name);
    first.cells.set(values, cell);
    Object.assign(values, wide);
    this.columns.splice(this.columns.indexOf(name), 1);
    return [values];
  }
}

function distance(one: Column, other: Column): number {
  return Math.max(one.left, other.left) - Math.min(one.right, other.right);
}

/** Whether the cells of a column are deliberately aligned. */
export function isAligned(column: Column, rows: readonly PlacedRow[]): boolean {
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
}
