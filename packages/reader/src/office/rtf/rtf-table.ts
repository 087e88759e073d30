import type { Spans } from '../markdown/table-head.js';

/** Where a cell ends. */
interface Edge {
  /** In twips from the margin. */
  right: number;
  /** It goes on from the cell above. */
  isBelow: boolean;
  /** It goes on from the cell before. */
  isBeside: boolean;
}

export interface RtfRow {
  cells: readonly string[];
  /** Of each of its cells; fewer: nobody knows. */
  edges: readonly Edge[];
}

/** Edges that are no further apart are meant to be one. Three points. */
const NEAR_TWIPS = 60;
/** More than any program has. */
const MAX_COLUMNS = 1_000;
/** A label over many rows stands in each of them; a text is not said again. */
const MAX_REPEATED_CHARACTERS = 100;

/** Takes the words that say where the cells of a row are. */
export class RtfRowDefinition {
  edges: Edge[] = [];
  private merged = { isBelow: false, isBeside: false };

  take(word: string, value: number | null): void {
    if (word === 'trowd') this.edges = [];
    else if (word === 'clvmrg') this.merged.isBelow = true;
    else if (word === 'clmrg') this.merged.isBeside = true;
    else if (word === 'cellx' && this.edges.length < MAX_COLUMNS)
      this.edges.push({ right: value ?? 0, ...this.merged });
    if (word === 'trowd' || word === 'cellx') this.merged = { isBelow: false, isBeside: false };
  }
}

/**
 * The text of every place of the grid, and over how many columns it goes. A cell over several columns is but a wide one
 * in this format: only where the cells of other rows end tells which columns these are.
 */
export function placedCells(rows: readonly RtfRow[]): { texts: string[][]; spans: Spans } {
  const columns = columnsOf(rows);
  if (columns.size > MAX_COLUMNS || rows.some(({ cells, edges }) => cells.length > edges.length))
    return { texts: rows.map(({ cells }) => [...cells]), spans: [] };
  let above: readonly string[] = [];
  const placed = rows.map((row) => {
    const next = placedRow(row, columns, above);
    above = next.texts;
    return next;
  });
  return { texts: placed.map(({ texts }) => texts), spans: placed.map(({ spans }) => spans) };
}

function placedRow(
  { cells, edges }: RtfRow,
  columns: ReadonlyMap<number, number>,
  above: readonly string[],
): { texts: string[]; spans: number[] } {
  const texts: string[] = [];
  const spans: number[] = [];
  /** Where the cell begins that others go on from. */
  let first = 0;
  for (const [index, text] of cells.entries()) {
    const { right = 0, isBelow = false, isBeside = false } = edges[index] ?? {};
    const at = texts.length;
    const others = Math.max(0, (columns.get(right) ?? at) - at);
    const label = above[at] ?? '';
    const isLabel = isBelow && text === '' && label.length <= MAX_REPEATED_CHARACTERS;
    texts.push(isLabel ? label : text, ...Array.from({ length: others }, () => ''));
    spans.push(1 + others, ...Array.from({ length: others }, () => 1));
    if (isBeside && text === '') spans[first] = texts.length - first;
    else first = at;
  }
  return { texts, spans };
}

/** The column that ends at an edge, by the edge. */
function columnsOf(rows: readonly RtfRow[]): ReadonlyMap<number, number> {
  const rights = [...new Set(rows.flatMap(({ edges }) => edges.map(({ right }) => right)))].toSorted(
    (a, b) => a - b,
  );
  const columns = new Map<number, number>();
  let column = -1;
  let begin = -Infinity;
  for (const right of rights) {
    if (right - begin > NEAR_TWIPS) {
      column += 1;
      begin = right;
    }
    columns.set(right, column);
  }
  return columns;
}
