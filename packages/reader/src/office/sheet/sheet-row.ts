/** A cell with content. */
export interface SheetCell {
  /** From 0. */
  column: number;
  /** On one line. */
  text: string;
  /** A number, a date or the like, which a header would not contain. */
  isValue: boolean;
  /** The number of columns that it spans, if more than one. */
  columns?: number;
}

/** A row with its cells in column order. */
export interface SheetRow {
  /** From 0. */
  index: number;
  cells: SheetCell[];
}

/** The limit of spreadsheet programs. */
export const MAX_COLUMNS = 16_384;
export const MAX_ROWS = 1_048_576;
