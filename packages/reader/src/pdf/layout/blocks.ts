import { joinLines, sentenceEnd } from './lines/join-text.js';
import { readItem } from './list-marker.js';
import type { Row } from './lines/row.js';
import type { Table } from './tables.js';
import { headingLevel, type TextStyle } from './text-style.js';

export type Block =
  | { type: 'heading'; level: number; text: string }
  | { type: 'paragraph'; text: string }
  | { type: 'item'; marker: string; left: number; text: string }
  | { type: 'table'; rows: string[][] };

/** A line that is this much further from the one before than usual begins a paragraph. */
const LOOSE = 1.3;
const HEADING_LINE_GAP = 1.7;
const MAX_HEADING_LINES = 4;
/** A line that leaves this share of the width empty may end a paragraph. */
const SHORT = 0.2;
const INDENT = 0.9;
const MAX_BOLD_LINES = 2;

/** Articles and points in Chinese and Japanese numbering, and numbered headings. */
const numbered =
  /^(?:第?[一二三四五六七八九十百〇零]{1,4}[、章節节條条項项款]|（[一二三四五六七八九十]{1,3}）|\d+(?:\.\d+)+\.?\s)/u;

/** Converts the lines and tables of a part of a page to paragraphs, headings, lists and tables. */
export function toBlocks(parts: readonly (Row | Table)[], style: TextStyle): Block[] {
  const builder = new BlockBuilder(parts, style);
  for (const [index, part] of parts.entries()) {
    if ('rows' in part) builder.addTable(part);
    else builder.addRow(part, index);
  }
  return builder.blocks;
}

class BlockBuilder {
  readonly blocks: Block[] = [];
  private readonly parts: readonly (Row | Table)[];
  private readonly style: TextStyle;
  private readonly left: number;
  private readonly right: number;
  private readonly pitch: number;
  private last: Row | null = null;
  private lines = 0;

  constructor(parts: readonly (Row | Table)[], style: TextStyle) {
    this.parts = parts;
    this.style = style;
    const rows = parts.filter((part): part is Row => !('rows' in part));
    const rights = rows.map(({ right }) => right).toSorted((one, other) => one - other);
    this.left = rows.reduce((least, { left }) => Math.min(least, left), Infinity);
    this.right = rights[Math.floor(rights.length * 0.95)] ?? 0;
    this.pitch = usualPitch(rows);
  }

  addTable({ rows }: Table): void {
    this.blocks.push({ type: 'table', rows });
    this.last = null;
  }

  addRow(row: Row, index: number): void {
    const level = this.levelOf(row, index);
    const item = level === null ? readItem(row.text) : null;
    const open = this.last ? this.blocks.at(-1) : undefined;
    if (level !== null) this.addHeading(row, level, open);
    else if (item) this.open({ type: 'item', left: row.left, ...item });
    else if (open && open.type !== 'table' && open.type !== 'heading' && this.goesOn(row, open))
      open.text = joinLines(open.text, row.text, this.style.compounds);
    else this.open({ type: 'paragraph', text: row.text });
    this.last = row;
  }

  private open(block: Block): void {
    this.blocks.push(block);
    this.lines = 1;
  }

  private addHeading(row: Row, level: number, open: Block | undefined): void {
    const isSame =
      open?.type === 'heading' &&
      open.level === level &&
      this.lines < MAX_HEADING_LINES &&
      this.distance(row) <= HEADING_LINE_GAP * row.size &&
      !numbered.test(row.text) &&
      !readItem(row.text);
    if (!isSame) return this.open({ type: 'heading', level, text: row.text });
    open.text = joinLines(open.text, row.text, this.style.compounds);
    this.lines += 1;
  }

  /** Whole paragraphs in bold are not headings. */
  private levelOf(row: Row, index: number): number | null {
    const level = headingLevel(row, this.style);
    if (level === null || row.size > this.style.bodySize * 1.06) return level;
    const isLine = (part: Row | Table | undefined): boolean =>
      part !== undefined && !('rows' in part) && headingLevel(part, this.style) === level;
    let first = index;
    let last = index;
    while (index - first <= MAX_BOLD_LINES && isLine(this.parts[first - 1])) first -= 1;
    while (last - index <= MAX_BOLD_LINES && isLine(this.parts[last + 1])) last += 1;
    return last - first + 1 > MAX_BOLD_LINES && row.cells[0]?.pieces[0]?.heading == null ? null : level;
  }

  private isCentred({ left, right, size }: Row): boolean {
    return Math.abs(left + right - this.left - this.right) < size && left > this.left + size;
  }

  private distance(row: Row): number {
    return this.last ? row.baseline - this.last.baseline : Infinity;
  }

  private goesOn(row: Row, open: Block): boolean {
    const { last } = this;
    if (!last || this.distance(row) > LOOSE * this.pitch) return false;
    if (row.isLabelled || numbered.test(row.text)) return false;
    if (Math.abs(row.size - last.size) > 0.12 * last.size) return false;
    const isShort = last.right < this.right - SHORT * (this.right - this.left);
    const indent = (row.left - last.left) / row.size;
    if (open.type === 'item') {
      if (row.left < open.left - row.size / 2) return false;
      return row.left > open.left + 0.3 * row.size || !isShort;
    }
    if (isShort && Math.abs(indent) > INDENT && !this.isCentred(row)) return false;
    return !(sentenceEnd.test(last.text) && (isShort || (indent > INDENT && indent < 6)));
  }
}

/** The usual distance between lines of running text. */
function usualPitch(rows: readonly Row[]): number {
  const gaps = rows
    .flatMap((row, index) => {
      const before = rows[index - 1];
      const gap = before ? row.baseline - before.baseline : 0;
      return gap > 0.8 * row.size && gap < 2.2 * row.size ? [gap] : [];
    })
    .toSorted((one, other) => one - other);
  const [last] = rows.slice(-1);
  // A low percentile: there may be many wider gaps between paragraphs.
  return gaps[Math.floor(gaps.length * 0.4)] ?? 1.4 * (last?.size ?? 12);
}
