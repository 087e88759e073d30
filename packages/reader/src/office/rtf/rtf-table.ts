import { MAX_REPEATED_CHARACTERS, type Spans } from '../markdown/table-head.js';

/** The right edge of a cell. */
interface Edge {
  /** In twips from the margin. */
  right: number;
  /** Continues the cell above. */
  isBelow: boolean;
  /** Continues the cell on the left. */
  isBeside: boolean;
}

export interface RtfRow {
  cells: readonly string[];
  /** One per cell. If there are fewer, the rest are unknown. */
  edges: readonly Edge[];
}

/** Edges that are closer than this are the same. Three points. */
const NEAR_TWIPS = 60;
/** More than any program supports. */
const MAX_COLUMNS = 1_000;
/** Collects the control words that define the cells of a row. */
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
 * The text at each place of the grid, and its column span. RTF has no column spans, only wide cells: the edges of other
 * rows show which columns a cell covers.
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
  /** The column of the first cell of a merge. */
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

/** The index of the column that ends at an edge. */
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
