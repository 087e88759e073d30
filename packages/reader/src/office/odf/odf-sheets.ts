import { plainNumber, cellLine, oneLine } from '../markdown/text.js';
import { MAX_COLUMNS, MAX_ROWS, type SheetCell, type SheetRow } from '../sheet/sheet-blocks.js';
import { childrenOf, integerOf, type XmlElement } from '../xml/xml-element.js';
import type { OdfText } from './odf-text.js';
import { MAX_REPEATED_CHARACTERS } from '../markdown/table-head.js';

/** Converts the rows of a sheet (table:table-row) to cells. Repeated rows and cells are repeated. */
export class OdfRows {
  private index = 0;
  private readonly labels = new Map<number, { text: string; lastRow: number }>();

  constructor(private readonly text: OdfText) {}

  *of(row: XmlElement): Generator<SheetRow> {
    const times = Math.max(integerOf(row.attributes['table:number-rows-repeated']) ?? 1, 1);
    const cells = this.cellsOf(row);
    if (cells.length > 0)
      for (let index = this.index; index < Math.min(this.index + times, MAX_ROWS); index++)
        yield { index, cells };
    this.index += times;
  }

  private cellsOf(row: XmlElement): SheetCell[] {
    const cells: SheetCell[] = [];
    const labels: SheetCell[] = [];
    let column = 0;
    for (const cell of childrenOf(row)) {
      const isCovered = cell.name === 'table:covered-table-cell';
      if (!isCovered && cell.name !== 'table:table-cell') continue;
      const times = Math.max(integerOf(cell.attributes['table:number-columns-repeated']) ?? 1, 1);
      const { text, isValue } = isCovered ? this.labelAt(column) : this.cellText(cell, column);
      const last = text === '' ? column : Math.min(column + times, MAX_COLUMNS);
      const columns = integerOf(cell.attributes['table:number-columns-spanned']) ?? 1;
      for (let at = column; at < last; at++)
        (isCovered ? labels : cells).push({ column: at, text, isValue, columns });
      column += times;
    }
    // A row without content of its own is empty, even if a merged cell spans it.
    return cells.length === 0 ? [] : [...cells, ...labels].toSorted((a, b) => a.column - b.column);
  }

  private labelAt(column: number): { text: string; isValue: boolean } {
    const label = this.labels.get(column);
    return { text: label && label.lastRow >= this.index ? label.text : '', isValue: false };
  }

  private cellText(cell: XmlElement, column: number): { text: string; isValue: boolean } {
    const shown = cellLine(
      childrenOf(cell, 'text:p')
        .map((paragraph) => this.text.read(paragraph).text)
        .join('\n'),
    );
    this.text.tellComments(cell);
    const { attributes } = cell;
    const text = valueOf(cell, shown);
    const rows = integerOf(attributes['table:number-rows-spanned']) ?? 1;
    const isOneColumn = (integerOf(attributes['table:number-columns-spanned']) ?? 1) === 1;
    if (rows > 1 && isOneColumn && text.length <= MAX_REPEATED_CHARACTERS)
      this.labels.set(column, { text, lastRow: this.index + rows - 1 });
    else this.labels.delete(column);
    return { text, isValue: !['string', undefined].includes(attributes['office:value-type']) };
  }
}

/** Dates become ISO dates. Other values are given as displayed, if the file has that. */
function valueOf({ attributes }: XmlElement, shown: string): string {
  const date = attributes['office:date-value'];
  if (date !== undefined) return oneLine(date.replace(/T00:00:00(?:\.0+)?$/, '').replace('T', ' '));
  if (shown !== '') return shown;
  const value = attributes['office:value'];
  return value === undefined
    ? oneLine(attributes['office:string-value'] ?? attributes['office:boolean-value'] ?? '')
    : (plainNumber(value) ?? '');
}
