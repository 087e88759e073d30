import { plainNumber, cellLine, oneLine } from '../markdown/text.js';
import { MAX_COLUMNS, MAX_ROWS, type SheetCell, type SheetRow } from '../sheet/sheet-blocks.js';
import { childrenOf, integerOf, type XmlElement } from '../xml/xml-element.js';
import type { OdfText } from './odf-text.js';

/** Converts the rows of a sheet (table:table-row) to cells. Repeated rows and cells are repeated. */
export class OdfRows {
  private index = 0;

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
    let column = 0;
    for (const cell of childrenOf(row)) {
      const { name, attributes } = cell;
      if (name !== 'table:covered-table-cell' && name !== 'table:table-cell') continue;
      const times = Math.max(integerOf(attributes['table:number-columns-repeated']) ?? 1, 1);
      const text = name === 'table:table-cell' ? this.textOf(cell) : '';
      const isValue = !['string', undefined].includes(attributes['office:value-type']);
      const columns = integerOf(attributes['table:number-columns-spanned']) ?? 1;
      const rows = columns === 1 ? (integerOf(attributes['table:number-rows-spanned']) ?? 1) : 1;
      const last = text === '' ? column : Math.min(column + times, MAX_COLUMNS);
      for (let at = column; at < last; at++) cells.push({ column: at, text, isValue, columns, rows });
      column += times;
    }
    return cells;
  }

  private textOf(cell: XmlElement): string {
    const lines = childrenOf(cell, 'text:p').map((paragraph) => this.text.read(paragraph).text);
    this.text.tellComments(cell);
    return valueOf(cell, cellLine(lines.join('\n')));
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
