import { numeral, type Numerals, numeralsByFormat } from '../../office/markdown/numerals.js';
import type { Block } from '../../office/markdown/pieces.js';
import { atHeight, type TextHeight } from '../../office/markdown/raised-text.js';
import { heading, numberedItem, paragraph } from '../../office/markdown/text.js';
import { integerOf } from '../../office/xml/xml-element.js';
import type { HtmlHeights } from './html-heights.js';
import { HtmlTable } from './html-table.js';

export type HtmlAttributes = Readonly<Record<string, string>>;

/** Elements that begin a block and end the one before. */
const BLOCKS = new Set(
  (
    'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr li main ol p pre section summary table tbody td tfoot th thead title tr ul'
  ).split(' '),
);

const HEADING = /^h[1-6]$/;

/** Found in cells of data tables as well as of layout tables. */
const LIST_OR_CODE = /^(?:ul|ol|dl|pre)$/;

const MAX_DEPTH = 8;

/** Tables that are nested deeper are for layout. */
const MAX_TABLES = 4;

/** Text that is no longer valid: it is separated from the next word. */
const STRUCK = /^(?:s|strike)$/;

/** Elements that are separated from the words beside them. */
const CONTROL = /^(?:button|option|select|textarea)$/;

/** Inputs without a readable value. */
const NO_VALUE = /^(?:button|file|hidden|image|password|reset|submit)$/i;

interface OpenTable {
  table: HtmlTable;
  /** The number of lists around it, and the label of the next block after it. */
  lists: number;
  marker: string | null;
}

/** Builds the blocks of a page from a stream of tags and texts. */
export class HtmlBlocks {
  private blocks: Block[] = [];
  private parts: string[] = [];
  private readonly lists: HtmlList[] = [];
  /** Null: a layout table. */
  private readonly tables: (OpenTable | null)[] = [];
  private level = 0;
  private marker: string | null = null;
  private isCode = false;
  /** Open raised or lowered text; `inner`: open elements of the same name within it. Null: none. */
  private apart: { name: string; inner: number; height: TextHeight; text: string } | null = null;

  constructor(private readonly heights: HtmlHeights) {}

  drain(): Block[] {
    const { blocks } = this;
    this.blocks = [];
    return blocks;
  }

  text(text: string): void {
    const shown = this.isCode ? text : text.replaceAll(/\s+/g, ' ');
    if (this.apart === null) this.put(shown);
    else this.apart.text += shown;
  }

  open(name: string, attributes: HtmlAttributes): void {
    if (!this.canHold(name)) this.giveUpTables();
    if (!BLOCKS.has(name)) return this.openInline(name, attributes);
    this.end();
    if (name === 'table') this.beginTable();
    else if (name === 'tr') this.table?.beginRow();
    else if (name === 'td' || name === 'th') this.table?.beginCell(name, attributes);
    else if (name === 'pre') this.isCode = true;
    else if (name === 'ul' || name === 'ol') this.lists.push(new HtmlList(name, attributes));
    else if (name === 'dd') this.marker = '-';
    else if (name === 'li') this.marker = this.lists.at(-1)?.marker(attributes.value) ?? '-';
    else if (HEADING.test(name)) this.level = Number(name.slice(1));
  }

  close(name: string): void {
    if (!BLOCKS.has(name)) return this.closeInline(name);
    this.end();
    if (name === 'table') this.endTable();
    else if (name === 'td' || name === 'th') this.table?.endCell();
    else if (name === 'pre') this.isCode = false;
    else if (name === 'ul' || name === 'ol') this.lists.pop();
    else if (name === 'li' || name === 'dd') this.marker = null;
    else if (HEADING.test(name)) this.level = 0;
  }

  end(): void {
    this.endApart();
    // Within a cell, a block becomes a line.
    this.table?.addText('\n');
    const text = this.parts.join('');
    this.parts = [];
    const block = text.trim() === '' ? null : this.blockOf(text);
    if (block === null || block.markdown === '') return;
    if (this.table === null) this.blocks.push(block);
    else this.table.addBlock(block);
  }

  /** The innermost table; null: none, or a layout table. */
  private get table(): HtmlTable | null {
    return this.tables.at(-1)?.table ?? null;
  }

  private get depth(): number {
    return this.lists.length - (this.tables.at(-1)?.lists ?? 0);
  }

  /** Whether the open block is more than a paragraph. */
  private get isOfItsKind(): boolean {
    return this.isCode || this.level > 0 || this.depth > 0 || this.marker !== null;
  }

  private blockOf(text: string): Block {
    if (this.isCode) return { markdown: codeOf(text) };
    if (this.level > 0) return { markdown: heading(this.level, text) };
    return this.isOfItsKind ? this.itemOf(text) : { markdown: paragraph(text) };
  }

  private openInline(name: string, attributes: HtmlAttributes): void {
    const height = this.heights.of(name, attributes);
    if (height !== null) this.beginApart(name, height);
    else if (this.apart?.name === name) this.apart.inner += 1;
    if (name === 'br') this.lineBreak();
    else if (name === 'img') this.text(` ${attributes.alt ?? ''} `);
    else if (name === 'input') this.text(` ${filledIn(attributes)} `);
    else if (CONTROL.test(name)) this.text(' ');
    else if (STRUCK.test(name)) this.text(' ');
  }

  private closeInline(name: string): void {
    if (STRUCK.test(name) || CONTROL.test(name)) this.text(' ');
    if (this.apart?.name !== name) return;
    if (this.apart.inner === 0) this.endApart();
    else this.apart.inner -= 1;
  }

  private put(text: string): void {
    if (this.table === null || this.isOfItsKind) this.parts.push(text);
    else this.table.addText(text);
  }

  private beginApart(name: string, height: TextHeight): void {
    this.endApart();
    this.apart = { name, inner: 0, height, text: '' };
  }

  private endApart(): void {
    const { apart } = this;
    this.apart = null;
    if (apart !== null) this.put(atHeight(apart.text, apart.height));
  }

  private lineBreak(): void {
    this.endApart();
    this.put('\n');
  }

  /** Whether the current table, if any, may contain the element that begins. */
  private canHold(name: string): boolean {
    const { table } = this;
    if (name === 'table') return this.tables.length < MAX_TABLES && (table?.canHoldTable() ?? true);
    if (HEADING.test(name)) return table?.isAmongNames() ?? true;
    return !LIST_OR_CODE.test(name) || (table?.canHoldList() ?? true);
  }

  private beginTable(): void {
    this.tables.push({ table: new HtmlTable(), lists: this.lists.length, marker: this.marker });
    this.marker = null;
  }

  private endTable(): void {
    const ended = this.tables.pop() ?? null;
    if (ended === null) return;
    this.marker = ended.marker;
    for (const block of ended.table.blocks())
      if (this.table === null) this.blocks.push(block);
      else this.table.addBlock(block);
  }

  /** Treats the open tables as layout: their cells become blocks. */
  private giveUpTables(): void {
    this.end();
    // The outer ones were given up before.
    const first = this.tables.lastIndexOf(null) + 1;
    const given = this.tables.slice(first);
    this.tables.fill(null, first);
    for (const open of given) for (const block of open?.table.contents() ?? []) this.blocks.push(block);
    this.marker ??= given[0]?.marker ?? null;
  }

  /** A later block of an item is indented below its first. */
  private itemOf(text: string): Block {
    const depth = Math.min(MAX_DEPTH, Math.max(0, this.depth - 1));
    const { marker } = this;
    this.marker = null;
    if (marker !== null) return { markdown: numberedItem(depth, marker, text), isItem: true };
    const lines = paragraph(text).split('\n');
    return { markdown: lines.map((line) => `${'    '.repeat(depth + 1)}${line}`).join('\n'), isItem: true };
  }
}

/** The displayed value of a form field. */
function filledIn({ type = 'text', value = '', checked }: HtmlAttributes): string {
  if (/^(?:checkbox|radio)$/i.test(type)) return checked === undefined ? '☐' : '☒';
  return NO_VALUE.test(type) ? '' : value;
}

function codeOf(text: string): string {
  const code = text.replace(/^\n/, '').trimEnd();
  const longest = (code.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${code}\n${fence}`;
}

class HtmlList {
  private readonly numerals: Numerals | null;
  private readonly step: 1 | -1;
  private next: number;

  constructor(name: string, { start, type = '1', reversed }: Readonly<Record<string, string>>) {
    const first = integerOf(start);
    // The start of a reversed list is known only at its end, so it is not counted.
    const isCounted = name === 'ol' && (reversed === undefined || first !== null);
    this.numerals = isCounted ? (numeralsByFormat[type] ?? 'decimal') : null;
    this.step = reversed === undefined ? 1 : -1;
    this.next = first ?? 1;
  }

  /** The label of the next item; `value`: its explicit number. */
  marker(value: string | undefined): string {
    if (this.numerals === null) return '-';
    const count = integerOf(value) ?? this.next;
    this.next = count + this.step;
    return `${numeral(count, this.numerals)}.`;
  }
}
