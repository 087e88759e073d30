/** The number of columns that each text spans, by row and column; 1 if missing. */
export type Spans = readonly (readonly number[])[];

type Rows = readonly (readonly string[])[];

export interface TableHead {
  /** The number of leading rows that only hold a title of the table. */
  titles: number;
  /** The number of header rows below the titles; 0: there are no other rows. */
  rows: number;
  names: readonly string[];
}

/** Groups of columns, groups of groups, and the columns themselves. */
const MAX_NAME_ROWS = 3;
/** A label that spans rows or columns is repeated in each. A longer text is not. */
export const MAX_REPEATED_CHARACTERS = 100;

/** A cell with more text is not data: tables are also used for layout. */
export const MAX_CELL_CHARACTERS = 2_000;

/**
 * Finds the column names. A title that spans all columns names none of them. A name that spans several columns is put
 * before the names below it: with one header row alone the values could not be told apart.
 */
export function tableHead(rows: Rows, spans: Spans): TableHead {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  let titles = 0;
  while (isTitle(rows, spans, titles, width)) titles += 1;
  let last = titles;
  while (last < titles + MAX_NAME_ROWS - 1 && groupsNames(rows, spans, last)) last += 1;
  const levels = rows.slice(titles, last + 1).map((row, index) => spread(row, spans[titles + index]));
  const names = Array.from({ length: width }, (_, column) =>
    nameOf(levels.map((level) => level[column] ?? '')),
  );
  return { titles, rows: levels.length, names: levels.length === 1 ? (rows[titles] ?? []) : names };
}

/** In a narrow table a single name may be the header. */
function isTitle(rows: Rows, spans: Spans, index: number, width: number): boolean {
  return (
    width > 1 &&
    rows[index]?.findLastIndex((text) => text !== '') === 0 &&
    (width > 2 || (spans[index]?.[0] ?? 1) >= width) &&
    rows.slice(index + 1).some((row) => filledIn(row) > 1)
  );
}

function filledIn(row: readonly string[]): number {
  return row.filter((text) => text !== '').length;
}

/** Whether the row below names each column under these names, and no others. */
function groupsNames(rows: Rows, spans: Spans, index: number): boolean {
  const [row = [], below = []] = [rows[index], rows[index + 1]];
  if (index + 2 >= rows.length || !below.every((text) => text === '' || isName(text))) return false;
  if (row.some((name) => name.length > MAX_REPEATED_CHARACTERS)) return false;
  const groups = [...row.entries()].filter(([column, name]) => {
    const span = spans[index]?.[column] ?? 1;
    return span > 1 && name !== '' && filledIn(below.slice(column, column + span)) > 1;
  });
  const [label = ''] = below;
  const isOfItsOwn = label !== '' && label !== row[0] && !groups.some(([column]) => column === 0);
  return groups.length > 0 && !isOfItsOwn;
}

const PERIOD = /^(?:(?:19|20)\d\d(?:\s?[-–/]\s?\d{2,4})?|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d\d-\d\d)$/;
/** Longer texts beside an amount are not units. */
const MAX_UNIT = 5;

function isName(text: string): boolean {
  if (PERIOD.test(text)) return true;
  const words = text.match(/\p{L}+/gu) ?? [];
  return /\d/.test(text)
    ? words.some(({ length }) => length > MAX_UNIT) || /^\p{L}/u.test(text)
    : /[^\s.–—−-]/.test(text);
}

/** Repeats each name in all columns that it spans. */
function spread(row: readonly string[], spans: readonly number[] = []): string[] {
  const places = [...row];
  for (const [column, text] of row.entries()) {
    const end = text === '' ? column : column + (spans[column] ?? 1);
    for (let next = column + 1; next < end; next += 1) if ((places[next] ?? '') === '') places[next] = text;
  }
  return places;
}

function nameOf(levels: readonly string[]): string {
  return levels.filter((text, level) => text !== '' && text !== levels[level - 1]).join(' / ');
}
