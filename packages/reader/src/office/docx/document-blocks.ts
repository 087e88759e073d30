import type { FrameReader } from '../drawing/frames.js';
import { gridBlocks, type GridCell } from '../markdown/grid.js';
import type { Block } from '../markdown/pieces.js';
import { heading, numberedItem, oneLine, paragraph } from '../markdown/text.js';
import type { Losses } from '../package/losses.js';
import { childAt, childrenOf, integerOf, type XmlElement, descendantsOf } from '../xml/xml-element.js';
import type { Notes } from './notes.js';
import type { Numbering } from './numbering.js';
import type { NoteReference, ParagraphReader } from './paragraph-text.js';
import { outlineLevelOf, type Style, type Styles } from './styles.js';

export interface DocumentParts {
  styles: Styles;
  numbering: Numbering;
  notes: Notes;
  paragraphs: ParagraphReader;
  frames: FrameReader;
  losses: Losses;
}

/** A longer paragraph is not a heading, whatever its style. */
const MAX_HEADING_CHARACTERS = 400;

/** Converts the block elements of a Word document to Markdown. */
export class DocumentBlocks {
  /** The depth of the previous list item; -1: the previous block was not a list item. */
  private depth = -1;

  constructor(private readonly parts: DocumentParts) {}

  *of(elements: Iterable<XmlElement>): Generator<Block> {
    for (const element of elements) yield* this.ofOne(element);
  }

  private *ofOne(element: XmlElement): Generator<Block> {
    switch (element.name) {
      case 'w:p':
        return yield* this.ofParagraph(element);
      case 'w:tbl':
        this.depth = -1;
        return yield* this.ofTable(element);
      case 'w:sdt':
        return yield* this.of(childrenOf(childAt(element, 'w:sdtContent')));
      case 'w:ins':
      case 'w:moveTo':
        this.parts.losses.add('CHANGES_ACCEPTED');
        return yield* this.of(childrenOf(element));
      case 'w:customXml':
        return yield* this.of(childrenOf(element));
      case 'w:altChunk':
        // Word inserts this part only when it opens the file.
        return this.parts.losses.count('CHUNKS_LEFT_OUT');
      case 'w:subDoc':
        this.parts.losses.add('OBJECTS_LEFT_OUT');
    }
  }

  /** Without the rows that were deleted. */
  private ofTable(table: XmlElement): Generator<Block> {
    const rows = [...descendantsOf(table, 'w:tr')];
    const left = rows.filter((row) => !childAt(row, 'w:trPr', 'w:del'));
    if (left.length < rows.length) this.parts.losses.add('CHANGES_ACCEPTED');
    return gridBlocks(left.map((row) => cellsOf(row, (cell) => new DocumentBlocks(this.parts).of(cell))));
  }

  private *ofParagraph(element: XmlElement): Generator<Block> {
    const properties = childAt(element, 'w:pPr');
    const style = this.parts.styles.get(childAt(properties, 'w:pStyle')?.attributes['w:val']);
    if (style.isContents) return this.parts.losses.add('CONTENTS_LEFT_OUT');
    if (style.isHidden) return;
    const read = this.parts.paragraphs.read(element);
    const first = this.parts.paragraphs.numberNotes(read.notes.length);
    yield this.shown(properties, style, read.text);
    for (const [index, note] of read.notes.entries()) yield this.note(note, first + index);
    for (const frame of read.frames)
      if (frame.name === 'w:txbxContent') yield* this.of(childrenOf(frame));
      else yield* this.parts.frames.blocksOf(frame);
  }

  private shown(properties: XmlElement | undefined, style: Style, text: string): Block {
    const list = listOf(properties, style);
    const label = list ? this.parts.numbering.next(list.id, list.level) : null;
    const level = outlineLevelOf(properties) ?? style.headingLevel;
    if (level !== null && oneLine(text).length <= MAX_HEADING_CHARACTERS) {
      this.depth = -1;
      const number = label === null || label === '-' ? '' : `${label} `;
      return { markdown: oneLine(text) === '' ? '' : heading(level, `${number}${text}`) };
    }
    if (!list || label === null) {
      if (oneLine(text) !== '') this.depth = -1;
      return { markdown: paragraph(text) };
    }
    if (oneLine(text) === '') return { markdown: '' };
    this.depth = Math.min(Math.max(list.level, style.listDepth), this.depth + 1);
    return { markdown: numberedItem(this.depth, label, text), isItem: true };
  }

  private note(reference: NoteReference, number: number): Block {
    const text = this.parts.notes.textOf(reference);
    return { markdown: text === '' ? '' : `[^${number}]: ${text}` };
  }
}

function listOf(properties: XmlElement | undefined, style: Style): { id: string; level: number } | null {
  const own = childAt(properties, 'w:numPr');
  const id = childAt(own, 'w:numId')?.attributes['w:val'] ?? style.list.id;
  if (id === null || id === '0') return null;
  const level = integerOf(childAt(own, 'w:ilvl')?.attributes['w:val']) ?? style.list.level;
  // A heading style has no list level of its own; it follows from the level of the heading.
  return { id, level: level ?? (style.headingLevel === null ? 0 : style.headingLevel - 1) };
}

const MAX_COLUMNS = 1_000;

type ReadCell = (cell: readonly XmlElement[]) => Iterable<Block>;

function cellsOf(row: XmlElement, read: ReadCell): GridCell[] {
  const before = integerOf(childAt(row, 'w:trPr', 'w:gridBefore')?.attributes['w:val']) ?? 0;
  const cells = [...descendantsOf(row, 'w:tc')].map((cell) => {
    const properties = childAt(cell, 'w:tcPr');
    const merge = childAt(properties, 'w:vMerge');
    return {
      blocks: [...read(childrenOf(cell))].filter(({ markdown }) => markdown !== ''),
      columns: columnsOf(integerOf(childAt(properties, 'w:gridSpan')?.attributes['w:val'])),
      isContinued: merge !== undefined && merge.attributes['w:val'] !== 'restart',
    };
  });
  return before > 0 ? [{ blocks: [], columns: columnsOf(before), isContinued: false }, ...cells] : cells;
}

function columnsOf(span: number | null): number {
  return Math.min(Math.max(span ?? 1, 1), MAX_COLUMNS);
}
