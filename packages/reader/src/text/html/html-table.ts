import { blockInCell, holdsTables } from '../../office/markdown/grid.js';
import type { Block } from '../../office/markdown/pieces.js';
import {
  MAX_CELL_CHARACTERS,
  MAX_REPEATED_CHARACTERS,
  type Spans,
} from '../../office/markdown/table-head.js';
import { tablePieces } from '../../office/markdown/table.js';
import { cellLine, oneLine, paragraph } from '../../office/markdown/text.js';

const MAX_COLUMNS_SPANNED = 100;
const MAX_ROWS_SPANNED = 1000;

/** The limit of grid places: with large spans a short page could claim any number. */
const MAX_PLACES = 2_000_000;

/** A fenced code block. Cells cannot contain fences. */
const CODE = /^(`{3,})\n([\s\S]*)\n\1$/;

/** Text, or a block such as a list, code or a nested table. */
type Part = string | Block;

interface Cell {
  parts: Part[];
  columns: number;
  rows: number;
  /** A header cell, of a column or a row. */
  isName: boolean;
}

export class HtmlTable {
  private readonly rows: Cell[][] = [];
  private readonly outside: Part[] = [];
  private cell: Cell | null = null;

  beginRow(): void {
    this.rows.push([]);
    this.cell = null;
  }

  beginCell(name: 'td' | 'th', { colspan, rowspan }: Readonly<Record<string, string>>): void {
    this.cell = {
      parts: [],
      columns: spanOf(colspan, MAX_COLUMNS_SPANNED),
      rows: spanOf(rowspan, MAX_ROWS_SPANNED),
      isName: name === 'th',
    };
    if (this.rows.length === 0) this.rows.push([]);
    this.rows.at(-1)?.push(this.cell);
  }

  endCell(): void {
    this.cell = null;
  }

  /** Adds text to the open cell, or else to the caption. */
  addText(text: string): void {
    (this.cell?.parts ?? this.outside).push(text);
  }

  /** Adds a list item, or a block of a nested table, to the open cell. */
  addBlock(block: Block): void {
    (this.cell?.parts ?? this.outside).push(block);
  }

  /** Whether a table that begins now may be part of this one. */
  canHoldTable(): boolean {
    const [names = []] = this.rows;
    return this.cell !== null && this.rows.length > 1 && names.length > 1;
  }

  /** Whether a list or code that begins now may be part of it. */
  canHoldList(): boolean {
    return this.canHoldTable() || this.isAmongNames();
  }

  /** Whether the open cell is in a row of header cells only. */
  isAmongNames(): boolean {
    return this.cell !== null && this.rows.at(-1)?.every(({ isName }) => isName) === true;
  }

  /** The caption and the table as Markdown pieces; the contents if it is a layout table. */
  blocks(): Block[] {
    const isOneColumn = this.rows.every((row) => row.length <= 1);
    const cells = this.rows.map((row) => row.map(({ parts }) => blocksOf(parts)));
    if (isOneColumn || this.rows.some((row) => row.some(isText)) || !holdsTables(cells))
      return this.contents();
    const { texts, spans } = filled(this.rows);
    return [...blocksOf(this.outside), ...tablePieces(texts, spans).map((markdown) => ({ markdown }))];
  }

  /** The contents cell by cell. */
  contents(): Block[] {
    return [this.outside, ...this.rows.flat().map(({ parts }) => parts)].flatMap(blocksOf);
  }
}

function isText({ parts }: Cell): boolean {
  return (
    parts.some((part) => typeof part !== 'string' && (part.isItem === true || CODE.test(part.markdown))) &&
    cellText(parts).length > MAX_CELL_CHARACTERS
  );
}

/** Adjacent texts become paragraphs; blocks stay as they are. */
function blocksOf(parts: readonly Part[]): Block[] {
  const blocks: Block[] = [];
  let text = '';
  const endText = (): void => {
    const markdown = paragraph(oneLine(text));
    if (markdown !== '') blocks.push({ markdown });
    text = '';
  };
  for (const part of parts)
    if (typeof part === 'string') text += part;
    else {
      endText();
      blocks.push(part);
    }
  endText();
  return blocks;
}

function cellText(parts: readonly Part[]): string {
  return cellLine(parts.map((part) => (typeof part === 'string' ? part : `\n${inCell(part)}\n`)).join(''));
}

function inCell(block: Block): string {
  return CODE.exec(block.markdown)?.[2] ?? blockInCell(block);
}

function spanOf(value: string | undefined, most: number): number {
  const span = Number(value);
  return Number.isInteger(span) && span >= 1 ? Math.min(span, most) : 1;
}

/** The text at each place of the grid. A cell that spans columns fills the first, one that spans rows fills each. */
function filled(rows: readonly (readonly Cell[])[]): { texts: string[][]; spans: Spans } {
  const above: ({ label: string; rows: number; columns: number } | undefined)[] = [];
  const spans: number[][] = [];
  let places = 0;
  const texts = rows.map((row) => {
    const texts: string[] = [];
    const spansOfRow: number[] = [];
    const isTooMuch = places > MAX_PLACES;
    const goOn = (): void => {
      if (isTooMuch) return;
      for (let cell = above[texts.length]; cell !== undefined && cell.rows > 0; cell = above[texts.length]) {
        cell.rows -= 1;
        spansOfRow.push(cell.columns);
        texts.push(cell.label);
      }
    };
    for (const { parts, columns, rows } of row) {
      goOn();
      const text = cellText(parts);
      const label = text.length <= MAX_REPEATED_CHARACTERS ? text : '';
      for (let column = 0; column < (isTooMuch ? 1 : columns); column += 1) {
        const spanned = column === 0 ? columns : 1;
        above[texts.length] = {
          label: column === 0 ? label : '',
          rows: isTooMuch ? 0 : rows - 1,
          columns: spanned,
        };
        spansOfRow.push(spanned);
        texts.push(column === 0 ? text : '');
      }
    }
    goOn();
    places += texts.length;
    spans.push(spansOfRow);
    return texts;
  });
  return { texts, spans };
}
