import type { Block } from '../markdown/pieces.js';
import { tableHead } from '../markdown/table-head.js';
import { tablePieces } from '../markdown/table.js';
import { cellLine, heading, numberedItem, oneLine, paragraph } from '../markdown/text.js';
import { saysMore } from '../package/page-frame.js';
import type { ParagraphState } from './rtf-state.js';
import { placedCells, type RtfRow, RtfRowDefinition } from './rtf-table.js';

/** The rows of a table that are held before they are given. The column names are at the top. */
const MAX_ROWS_HELD = 500;

export class RtfBlocks {
  private text = '';
  private label: string | null = null;
  private notes: string[] = [];
  private tableNotes: string[] = [];
  private notesSoFar = 0;
  private row: string[] = [];
  private rows: RtfRow[] = [];
  private header: readonly string[] | null = null;
  private readonly definition = new RtfRowDefinition();
  private done: Block[] = [];
  private depth = -1;
  private outerText: string | null = null;
  private readonly frames = new Set<string>();

  /** The label of the next list item. */
  setLabel(text: string): void {
    this.label = oneLine(text);
  }

  /** Words that define the cells of a row. */
  define(word: string, value: number | null): void {
    this.definition.take(word, value);
  }

  add(text: string): void {
    this.text += text;
  }

  /** Begins a note, a header or a footer. */
  beginAside(): void {
    if (this.outerText !== null) return;
    this.outerText = this.text;
    this.text = '';
  }

  endNote(): void {
    const note = this.endAside();
    if (note === '') return;
    this.notesSoFar++;
    this.notes.push(`[^${this.notesSoFar}]: ${note}`);
    this.text += `[^${this.notesSoFar}]`;
  }

  endFrame(): void {
    const frame = paragraph(this.endAside());
    if (saysMore(frame)) this.frames.add(frame);
  }

  private endAside(): string {
    if (this.outerText === null) return '';
    const aside = oneLine(this.text.toWellFormed());
    this.text = this.outerText;
    this.outerText = null;
    return aside;
  }

  endParagraph(state: ParagraphState, headingLevel: number | null): void {
    // The paragraphs of a note or a cell become one text.
    if (this.outerText !== null || state.isInTable) {
      this.text += '\n';
      return;
    }
    this.endTable();
    const { text, label } = this;
    this.text = '';
    this.label = null;
    this.done.push(this.shown(text.toWellFormed(), label, state, headingLevel));
    this.giveNotes();
  }

  endCell(): void {
    const label = this.label === null || this.label === '' ? '' : `${signOf(this.label)} `;
    this.row.push(cellLine(`${label}${this.text.toWellFormed()}`));
    this.text = '';
    this.label = null;
  }

  endRow(): void {
    if (oneLine(this.text) !== '') this.endCell();
    this.rows.push({ cells: this.row, edges: this.definition.edges });
    this.tableNotes.push(...this.notes);
    this.notes = [];
    this.row = [];
    if (this.rows.length >= MAX_ROWS_HELD) this.giveRows();
  }

  end(state: ParagraphState): void {
    this.endNote();
    if (this.row.length > 0) this.endRow();
    this.endParagraph({ ...state, isInTable: false }, null);
    for (const markdown of this.frames) this.done.push({ markdown });
  }

  taken(): Block[] {
    if (this.done.length === 0) return [];
    const { done } = this;
    this.done = [];
    return done;
  }

  private shown(
    text: string,
    label: string | null,
    { listLevel }: ParagraphState,
    headingLevel: number | null,
  ): Block {
    if (oneLine(text) === '') return { markdown: '' };
    if (headingLevel !== null) {
      const number = label === null || signOf(label) === '-' ? '' : `${label} `;
      this.depth = -1;
      return { markdown: heading(headingLevel, `${number}${text}`) };
    }
    this.depth = label === null ? -1 : Math.min(Math.max(listLevel, 0), this.depth + 1);
    return label === null
      ? { markdown: paragraph(text) }
      : { markdown: numberedItem(this.depth, signOf(label), text), isItem: true };
  }

  private endTable(): void {
    if (this.row.length > 0) this.endRow();
    this.giveRows();
    this.header = null;
  }

  private giveRows(): void {
    if (this.rows.length === 0) return;
    const { rows } = this;
    this.rows = [];
    const isLines = this.header === null && rows.every(({ cells }) => cells.length <= 1);
    if (isLines) for (const { cells } of rows) this.done.push({ markdown: paragraph(cells.join(' ')) });
    else for (const markdown of this.tableOf(rows)) this.done.push({ markdown });
    for (const markdown of this.tableNotes) this.done.push({ markdown });
    this.tableNotes = [];
  }

  private tableOf(rows: readonly RtfRow[]): string[] {
    const { texts, spans } = placedCells(rows);
    if (this.header) return tablePieces([[...this.header], ...texts], [[], ...spans]);
    this.header = tableHead(texts, spans).names;
    return tablePieces(texts, spans);
  }

  private giveNotes(): void {
    for (const markdown of this.notes) this.done.push({ markdown });
    this.notes = [];
  }
}

/** A bullet is a glyph of some font, whose look is unknown. */
function signOf(label: string): string {
  return /^\(?[\p{L}\p{N}]{1,10}[.)、．]/u.test(label) ? label : '-';
}
