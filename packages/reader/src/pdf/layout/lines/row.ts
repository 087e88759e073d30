import { isRightToLeft } from './join-text.js';
import { levelRuns, type Segment, splitCells, textOf } from './segment.js';

/** A line of text in reading order. */
export interface Row {
  cells: Segment[];
  left: number;
  right: number;
  baseline: number;
  size: number;
  text: string;
  /** Whether it begins a paragraph with a label, such as the number of an article. */
  isLabelled: boolean;
}

/** Converts parts of a page to lines. Cells that are far apart stay separate. */
export function toRows(segments: readonly Segment[]): Row[] {
  return levelRuns(segments).map(rowOf);
}

function rowOf(parts: readonly Segment[]): Row {
  const segments = parts.flatMap(splitCells);
  const isReversed = segments.every((segment) => isRightToLeft(textOf(segment)));
  const cells = segments.toSorted((one, other) =>
    isReversed ? other.right - one.right : one.left - other.left,
  );
  const main = cells.reduce((most, cell) => (cell.weight > most.weight ? cell : most));
  return {
    cells,
    left: cells.reduce((least, { left }) => Math.min(least, left), Infinity),
    right: cells.reduce((most, { right }) => Math.max(most, right), -Infinity),
    baseline: main.baseline,
    size: main.size,
    text: textOf({ pieces: parts.flatMap(({ pieces }) => pieces) }),
    isLabelled: false,
  };
}
