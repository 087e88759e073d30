export type BlockKind = 'heading' | 'paragraph' | 'list' | 'table' | 'code';

/** A block of a Markdown text, such as a paragraph or a table. Offsets refer to the whole text. */
export interface Block {
  kind: BlockKind;
  start: number;
  /** The end of its last line, without the line break. */
  end: number;
  /** The heading's level, 1 to 6; 0 for other blocks. */
  level: number;
  /** The heading's text without marks; empty for other blocks. */
  title: string;
  /** The span of a table's head, if it has one. A long table comes in several blocks. */
  head: { start: number; end: number } | null;
}

interface OpenBlock extends Block {
  lines: number;
  /** A list whose last line was blank. */
  isAfterBlank: boolean;
  /** The closing fence of a code block. */
  fence: string;
  firstLine: string;
}

/** A longer block is cut into several, between lines, to bound the text kept in memory. */
const MAX_CHARACTERS = 16_000;
const MAX_HEADING_CHARACTERS = 300;

const HEADING_MARKS = /^ {0,3}(#{1,6})[ \t]+(?=\S)/;
const CLOSING_MARKS = /[ \t]#+$/;
const UNDERLINE = /^ {0,3}(?:(=+)|-{3,})[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const BULLET = /^[ \t]*[-*+•‣◦▪·][ \t]+\S/;
const NUMBERED = /^[ \t]*(?:\d{1,9}|[a-zA-Z])[.)][ \t]+\S/;
const FIRST_NUMBER = /^[ \t]*1[.)][ \t]+\S/;
const TABLE_ROW = /^[ \t]*\|.*\|/;
const TABLE_RULE = /^[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/;

/** Parses Markdown line by line and returns blocks as they end. */
export class BlockReader {
  private open: OpenBlock | null = null;

  /** The start of the open block; null: none is open. */
  get openStart(): number | null {
    return this.open?.head?.start ?? this.open?.start ?? null;
  }

  /** Reads a line that begins at `start`; returns the blocks that it ends. */
  read(line: string, start: number): Block[] {
    const end = start + line.length;
    if (this.open?.kind === 'code') return this.readCode(this.open, line, end);
    if (!/\S/.test(line)) return this.readBlank();
    const heading = this.headingOf(line, start);
    if (heading) return heading;
    const fence = FENCE.exec(line)?.[1];
    if (fence) return this.begin('code', line, start, fence);
    if (this.open && this.continues(this.open, line)) return this.extend(this.open, line, end);
    return this.begin(kindOf(line), line, start);
  }

  end(): Block[] {
    const open = this.open;
    this.open = null;
    return open && open.end > open.start ? [blockOf(open)] : [];
  }

  private readCode(open: OpenBlock, line: string, end: number): Block[] {
    const isEnd =
      line.trim().startsWith(open.fence) && line.trim().replaceAll(open.fence[0] ?? '', '') === '';
    const told = this.extend(open, line, end);
    return isEnd ? [...told, ...this.end()] : told;
  }

  private readBlank(): Block[] {
    if (this.open?.kind !== 'list') return this.end();
    this.open.isAfterBlank = true;
    return [];
  }

  private headingOf(line: string, start: number): Block[] | null {
    const [opening = '', marks] = HEADING_MARKS.exec(line) ?? [];
    const end = start + line.length;
    if (marks && line.length <= MAX_HEADING_CHARACTERS) {
      const title = line.slice(opening.length).trimEnd().replace(CLOSING_MARKS, '').trimEnd();
      return [...this.end(), { kind: 'heading', start, end, level: marks.length, title, head: null }];
    }
    const underline = UNDERLINE.exec(line);
    const { open } = this;
    if (!underline || open?.kind !== 'paragraph' || open.lines !== 1) return null;
    if (open.firstLine.length > MAX_HEADING_CHARACTERS) return null;
    this.open = null;
    const level = underline[1] ? 1 : 2;
    return [{ kind: 'heading', start: open.start, end, level, title: open.firstLine.trim(), head: null }];
  }

  private continues(open: OpenBlock, line: string): boolean {
    if (open.kind === 'table') return TABLE_ROW.test(line);
    if (TABLE_ROW.test(line)) return false;
    if (open.kind === 'paragraph') return !BULLET.test(line) && !FIRST_NUMBER.test(line);
    const isItem = BULLET.test(line) || NUMBERED.test(line);
    return !open.isAfterBlank || isItem || /^(?: {2}|\t)/.test(line);
  }

  private begin(kind: BlockKind, line: string, start: number, fence = ''): Block[] {
    const told = this.end();
    const end = start + line.length;
    const nothing = { level: 0, title: '', head: null, isAfterBlank: false };
    this.open = { ...nothing, kind, start, end, lines: 1, fence, firstLine: line };
    return told;
  }

  private extend(open: OpenBlock, line: string, end: number): Block[] {
    open.lines += 1;
    open.end = end;
    open.isAfterBlank = false;
    if (open.kind === 'table' && open.lines === 2 && !open.head && TABLE_RULE.test(line))
      open.head = { start: open.start, end };
    if (end - open.start <= MAX_CHARACTERS) return [];
    const told = blockOf(open);
    open.start = end + 1;
    return [told];
  }
}

function kindOf(line: string): BlockKind {
  if (TABLE_ROW.test(line)) return 'table';
  return BULLET.test(line) || NUMBERED.test(line) ? 'list' : 'paragraph';
}

function blockOf({ kind, start, end, level, title, head }: OpenBlock): Block {
  return {
    kind,
    start,
    end,
    level,
    title,
    head,
  };
}
