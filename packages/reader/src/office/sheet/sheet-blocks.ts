import type { Block } from '../markdown/pieces.js';
import { MAX_REPEATED_CHARACTERS, tableHead } from '../markdown/table-head.js';
import { rowPieces, TABLE_PIECE_CHARACTERS } from '../markdown/table.js';
import { paragraph } from '../markdown/text.js';

/** Wider tables that are nearly empty would be mostly bars. */
const MAX_SPARSE_COLUMNS = 32;
const MIN_FILLED = 0.1;
/** The rows that are examined for column names: the names and a row below them. */
const HEAD_ROWS = 4;

/**
 * Converts a sheet to blocks: consecutive rows become a table with the first one as header, lone cells become lines of
 * text. Rows are streamed; no more than one table piece is held.
 */
export function* sheetBlocks(rows: Iterable<SheetRow>): Generator<Block> {
  let region = new Region(null);
  let next = -1;
  for (const row of labelled(rows)) {
    if (row.cells.length === 0) continue;
    if (next >= 0 && row.index > next) {
      yield* region.end();
      region = new Region(region);
    }
    yield* region.push(row);
    next = row.index + 1;
  }
  yield* region.end();
}

/** Repeats a label that is merged over rows in each of them. A row without content of its own is empty all the same. */
function* labelled(rows: Iterable<SheetRow>): Generator<SheetRow> {
  const labels = new Map<number, { text: string; lastRow: number }>();
  for (const { index, cells } of rows) {
    const filled = new Set(labels.size > 0 ? cells.map(({ column }) => column) : []);
    const repeated: SheetCell[] = [];
    for (const [column, { text, lastRow }] of labels)
      if (index > lastRow) labels.delete(column);
      else if (filled.size > 0 && !filled.has(column)) repeated.push({ column, text, isValue: false });
    for (const { column, text, rows: merged = 1 } of cells)
      if (merged > 1 && text.length <= MAX_REPEATED_CHARACTERS)
        labels.set(column, { text, lastRow: index + merged - 1 });
    yield { index, cells: [...cells, ...repeated].toSorted((a, b) => a.column - b.column) };
  }
}

interface Frame {
  header: readonly string[];
  columns: readonly number[];
}

/** Consecutive rows without an empty one between them. */
class Region {
  private rows: SheetRow[] = [];
  private characters = 0;
  private frame: Frame | null = null;
  /** The table above, which may continue here; null: there is none. */
  private readonly frameBefore: Frame | null;
  /** Whether a title is between that table and this region. */
  private isTitled: boolean;

  constructor(before: Region | null) {
    this.frameBefore = before?.frame ?? before?.frameBefore ?? null;
    this.isTitled = before !== null && before.frame === null && before.isTitled;
  }

  *push(row: SheetRow): Generator<Block> {
    this.rows.push(row);
    this.characters += row.cells.reduce((sum, { text }) => sum + text.length + 3, 0);
    if (this.characters > TABLE_PIECE_CHARACTERS) yield* this.end();
  }

  *end(): Generator<Block> {
    const rows = this.rows;
    this.rows = [];
    this.characters = 0;
    if (rows.length === 0) return;
    const titles = this.frame === null ? titlesOf(rows) : 0;
    this.isTitled ||= titles > 0;
    for (const row of rows.slice(0, titles)) yield { markdown: lineOf(row) };
    const body = rows.slice(titles);
    if (body.length === 0) return;
    const frame = this.frameFor(body);
    this.frame = frame.table;
    for (const markdown of piecesOf(frame.table, frame.body)) yield { markdown };
  }

  private frameFor(rows: readonly SheetRow[]): { table: Frame; body: readonly SheetRow[] } {
    if (this.frame) return { table: widened(this.frame, rows), body: rows };
    const [first] = rows;
    // A table continues after an empty row unless there is a new header. After a line that may be a title, it continues
    // only if the row fills the same columns.
    const isMeant =
      !this.isTitled || first?.cells.length === this.frameBefore?.header.filter((name) => name !== '').length;
    if (this.frameBefore && first && isMeant && isMore(this.frameBefore, first))
      return { table: widened(this.frameBefore, rows), body: rows };
    const columns = columnsOf(rows);
    // Names that span several columns are followed by those of the single columns.
    const top = rows.slice(0, HEAD_ROWS);
    const head = tableHead(
      top.map((row) => textsOf(row, columns)),
      top.map((row) => spansOf(row, columns)),
    );
    return { table: { columns, header: head.names }, body: rows.slice(head.rows) };
  }
}

/** The number of leading rows that hold a single text: titles above a table. */
function titlesOf(rows: readonly SheetRow[]): number {
  const first = rows.findIndex(({ cells }) => cells.length > 1);
  return first === -1 ? rows.length : first;
}

function isMore(before: Frame, row: SheetRow): boolean {
  const columns = new Set(before.columns);
  return (
    row.cells.length > 1 &&
    row.cells.some(({ isValue }) => isValue) &&
    !namesPeriods(row) &&
    row.cells.every(({ column }) => columns.has(column))
  );
}

/** A year, alone or followed by month and day. */
const PERIOD = /^(?<year>(?:19|20)\d\d)(?<closing>(?:-\d\d){0,2})$/;

/**
 * Whether a row of values is a header: names, followed by different years or the same day of different years. Other
 * dates are data.
 */
function namesPeriods({ cells }: SheetRow): boolean {
  const values = cells.slice(cells.findIndex(({ isValue }) => isValue));
  const periods = values.map(({ text, isValue }) => (isValue ? PERIOD.exec(text)?.groups : undefined));
  const years = new Set(periods.map((period) => period?.year));
  const closings = new Set(periods.map((period) => period?.closing));
  return years.size > 1 && years.size === values.length && !years.has(undefined) && closings.size === 1;
}

function columnsOf(rows: readonly SheetRow[]): number[] {
  return [...new Set(rows.flatMap(({ cells }) => cells.map(({ column }) => column)))].toSorted(
    (a, b) => a - b,
  );
}

/** Adds the columns of later rows. */
function widened(frame: Frame, rows: readonly SheetRow[]): Frame {
  const known = new Set(frame.columns);
  const added = columnsOf(rows).filter((column) => !known.has(column));
  if (added.length === 0) return frame;
  const names = new Map(frame.columns.map((column, index) => [column, frame.header[index] ?? '']));
  const columns = [...frame.columns, ...added].toSorted((a, b) => a - b);
  return { columns, header: columns.map((column) => names.get(column) ?? '') };
}

function textsOf({ cells }: SheetRow, columns: readonly number[]): string[] {
  const texts = new Map(cells.map(({ column, text }) => [column, text]));
  return columns.map((column) => texts.get(column) ?? '');
}

function spansOf({ cells }: SheetRow, columns: readonly number[]): number[] {
  const spans = new Map(cells.map(({ column, columns: span = 1 }) => [column, span]));
  return columns.map((column) => {
    const span = spans.get(column) ?? 1;
    if (span === 1) return 1;
    const last = column + span;
    return columns.filter((other) => other >= column && other < last).length;
  });
}

function piecesOf(frame: Frame, body: readonly SheetRow[]): Iterable<string> {
  const places = frame.columns.length * (body.length + 1);
  const filled = body.reduce((sum, { cells }) => sum + cells.length, 0) + frame.header.filter(Boolean).length;
  if (frame.columns.length > MAX_SPARSE_COLUMNS && filled < places * MIN_FILLED)
    return [paragraph([frame.header.filter(Boolean).join('; '), ...body.map(lineOf)].join('\n'))];
  return rowPieces(
    frame.header,
    body.map((row) => textsOf(row, frame.columns)),
  );
}

function lineOf({ cells }: SheetRow): string {
  return paragraph(cells.map(({ text }) => text).join('; '));
}

export interface SheetCell {
  /** From 0. */
  column: number;
  /** On one line. */
  text: string;
  /** A number, a date or the like, which a header would not contain. */
  isValue: boolean;
  /** The number of columns that it spans, if more than one. */
  columns?: number;
  /** The number of rows that it is merged over, if more than one and if that is in one column: it is a label. */
  rows?: number;
}

/** A row with its cells that have text, in column order. */
export interface SheetRow {
  /** From 0. */
  index: number;
  cells: SheetCell[];
}

/** The limit of spreadsheet programs. */
export const MAX_COLUMNS = 16_384;
export const MAX_ROWS = 1_048_576;
