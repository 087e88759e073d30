import { joinLines, sentenceEnd } from './lines/join-text.js';
import { isMarker } from './list-marker.js';
import type { Row } from './lines/row.js';
import { textOf } from './lines/segment.js';
import { type Column, isAligned, MAX_COLUMNS, type PlacedRow, TableColumns } from './table-columns.js';

export interface Table {
  /** The first row has the column names. All rows have the same length. */
  rows: string[][];
}

/** Rows that are further apart do not belong together. In text sizes. */
const MAX_GAP = 4.5;
/** A wider row begins another table if its distance exceeds all before it by this factor. */
const WIDER = 2;
/** The maximum distance between lines of one cell. */
const CELL_LINE_GAP = 1.45;
/** Cells centred beside each other differ by less. Lines do not. */
const BETWEEN_LINES = 0.85;

/** Replaces lines that form a table. In doubt they stay lines. */
export function findTables(rows: readonly Row[]): (Row | Table)[] {
  const found: (Row | Table)[] = [];
  let index = 0;
  while (index < rows.length) {
    const row = rows[index] as Row;
    const run = row.cells.length > 1 ? tableFrom(rows, index) : null;
    found.push(...(run?.parts ?? [row]));
    index += run?.length ?? 1;
  }
  return found;
}

function tableFrom(
  rows: readonly Row[],
  start: number,
): { parts: readonly (Row | Table)[]; length: number } | null {
  const columns = new TableColumns();
  const placed: PlacedRow[] = [];
  let widest = 0;
  for (const row of rows.slice(start, start + 2000)) {
    const last = placed.at(-1);
    const gap = last ? row.baseline - last.row.baseline : 0;
    const isOther = placed.length > 2 && gap > WIDER * widest && row.cells.length > columns.columns.length;
    if (gap > MAX_GAP * row.size || isOther) break;
    widest = Math.max(widest, gap);
    const next = columns.place(row);
    if (!next || columns.columns.length > MAX_COLUMNS) break;
    placed.push(next);
  }
  const order = columns.inOrder();
  while (placed.length > 0 && isTail(placed, order)) placed.pop();
  if (!isTable(placed, order)) return null;
  const parts = areLabelled(placed, order)
    ? placed.map((row) => labelled(row, order))
    : [{ rows: cellsOf(placed, order) }];
  return { parts, length: placed.length };
}

/** Numbers in a label. */
const numerals = /\p{N}+|[〇零一二三四五六七八九十百千]+|\b[IVXLC]+\b/gu;

/** Figures have no such characters: `第#條`, `（#）`, `§ #`, but not `#.#%`. */
const wordOrSign = /[^#\s.,:/%+-]/;

/** A label without its number, such as `Article`; null: it has no number. */
function kindOf(label: string): string | null {
  const kind = label.replaceAll(numerals, '#');
  return kind !== label && wordOrSign.test(kind) ? kind : null;
}

/**
 * Labels with a text beside each are paragraphs and no table, if no row names the columns because the first is like the
 * others, or if the labels count up and the texts are sentences, as in articles of a law.
 */
function areLabelled(placed: readonly PlacedRow[], order: readonly Column[]): boolean {
  const [label, text] = order;
  if (!label || !text || order.length !== 2) return false;
  const paragraphs: { kind: string | null; end: string }[] = [];
  for (const { cells } of placed) {
    const [name, words] = [cells.get(label), cells.get(text)];
    const last = paragraphs.at(-1);
    if (name) paragraphs.push({ kind: kindOf(textOf(name)), end: words ? textOf(words) : '' });
    else if (last && words) last.end = textOf(words);
  }
  const [first] = paragraphs;
  const kinds = paragraphs.map(({ kind }) => kind).toSorted();
  const kind = kinds[Math.floor(kinds.length / 2)] ?? null;
  const isMost = (count: number): boolean => count * 2 > paragraphs.length;
  const isCounted = kind !== null && isMost(kinds.filter((each) => each === kind).length);
  const areSentences = isMost(paragraphs.filter(({ end }) => sentenceEnd.test(end)).length);
  if (isCounted) return areSentences || first?.kind === kind;
  return areSentences && first !== undefined && sentenceEnd.test(first.end);
}

/** A labelled row as a line of text that begins where the text does. */
function labelled({ row, cells }: PlacedRow, [label, text]: readonly Column[]): Row {
  const left = (text && cells.get(text)?.left) ?? row.left;
  return { ...row, left, isLabelled: label !== undefined && cells.has(label) };
}

/** A single cell at the end is a line after the table, unless it continues a cell. */
function isTail(placed: readonly PlacedRow[], [leftmost]: readonly Column[]): boolean {
  const last = placed.at(-1);
  const before = placed.at(-2);
  if (!last || last.cells.size > 1) return false;
  if (!before) return true;
  if (leftmost && last.cells.has(leftmost) && !(before.cells.has(leftmost) && goesOn(last.row.text)))
    return true;
  return last.row.baseline - before.row.baseline > CELL_LINE_GAP * last.row.size;
}

/** Whether the text continues a line: no label begins like this. */
function goesOn(text: string): boolean {
  return /^(?:\p{Ll}|\()/u.test(text);
}

function isTable(placed: readonly PlacedRow[], order: readonly Column[]): boolean {
  const full = placed.filter(({ cells }) => cells.size > 1);
  if (order.length < 2 || full.length < (order.length === 2 ? 3 : 2)) return false;
  const [leftmost] = order;
  const labels = placed.flatMap(({ cells }) => (leftmost && cells.get(leftmost)) ?? []);
  const isList = labels.filter((label) => isMarker(textOf(label))).length * 2 >= labels.length;
  if (isList) return false;
  const cells = full.reduce((sum, row) => sum + row.cells.size, 0);
  const isSparse = cells * 2 < full.length * order.length;
  return !isSparse && order.filter((column) => isAligned(column, placed)).length >= order.length * 0.6;
}

/** The texts of the cells, with their lines joined. */
function cellsOf(placed: readonly PlacedRow[], order: readonly Column[]): string[][] {
  // Not the header: it may be the only row with so many cells.
  const most = placed.slice(1).reduce((most, { cells }) => Math.max(most, cells.size), 2);
  const gap = usualGap(placed, most);
  const rows: string[][] = [];
  let before: Row | null = null;
  for (const { row, cells } of placed) {
    const texts = order.map((column) => {
      const cell = cells.get(column);
      return cell ? textOf(cell) : '';
    });
    const last = rows.at(-1);
    const distance = before ? row.baseline - before.baseline : Infinity;
    const isBetween = distance < BETWEEN_LINES * row.size;
    const isNear = distance <= CELL_LINE_GAP * row.size;
    const isCloser = isNear && distance < 0.9 * gap;
    const isSame = isBetween || (cells.size < most && isCloser);
    if (last && (isSame || (isNear && isLabelTorn(last, texts))))
      for (const [index, text] of texts.entries()) last[index] = joinLines(last[index] ?? '', text);
    else rows.push(texts);
    before = row;
  }
  return rows;
}

/** Whether a label has two lines and the values are beside one of them. */
function isLabelTorn(
  [above = '', ...values]: readonly string[],
  [label = '', ...others]: readonly string[],
): boolean {
  return (
    above !== '' && goesOn(label) && [values, others].some((texts) => texts.every((text) => text === ''))
  );
}

/** The usual distance between complete rows, each of which certainly begins a row. */
function usualGap(placed: readonly PlacedRow[], most: number): number {
  const gaps = placed
    .flatMap(({ row, cells }, index) => {
      const before = placed[index - 1];
      return before && cells.size >= most ? [row.baseline - before.row.baseline] : [];
    })
    .toSorted((one, other) => one - other);
  return gaps[Math.floor(gaps.length / 2)] ?? Infinity;
}
