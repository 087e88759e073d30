/** A cell that has something in it. */
export interface SheetCell {
  /** From 0. */
  column: number;
  /** On one line. */
  text: string;
  /** A number, date or the like: nothing that a header would hold. */
  isValue: boolean;
  /** Over how many it goes, where it is more than one. */
  columns?: number;
}

/** A row that has cells, by their columns. */
export interface SheetRow {
  /** From 0. */
  index: number;
  cells: SheetCell[];
}

/** No spreadsheet program has more. */
export const MAX_COLUMNS = 16_384;
export const MAX_ROWS = 1_048_576;
