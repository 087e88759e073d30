import { piecesOf, type Block } from '../office/markdown/pieces.js';
import { linePieces, TABLE_PIECE_CHARACTERS } from '../office/markdown/table.js';
import type { TextReading } from '../page-reader.js';

/** Vertical tabs and form feeds. */
const OTHER_ENDS = /[\v\f]/g;

export function* readPlain(text: string): TextReading {
  yield* piecesOf(blocksOf(text.replaceAll(OTHER_ENDS, '\n')));
  return [];
}

/** Markdown, without front matter. */
export function* readMarkdown(text: string): TextReading {
  yield* piecesOf(blocksOf(withoutFrontMatter(text).replaceAll(OTHER_ENDS, '\n')));
  return [];
}

/** Settings begin on the next line. A blank line after it means that the line is a horizontal rule. */
const FRONT_MATTER = /^\s*(---|\+\+\+)[ \t]*\n(?![ \t]*\n)([\s\S]{0,20000}?)\n(?:\1|\.\.\.)[ \t]*(?:\n|$)/;

const SETTING = /^["']?[\w.-]+["']?[ \t]*(?::(?:[ \t]|$)|=)/;

/**
 * The continuation of a setting: more of its value, an element, the end of a list, a section, a comment that is not a
 * heading.
 */
const MORE_OF_SETTING = /^(?:[ \t]|-(?:[ \t]|$)|[\]}]|\[{1,2}[\w."-]+\]{1,2}$|#(?![# \t])|$)/;

/** A Markdown text without its front matter, of which only the title is kept. */
function withoutFrontMatter(text: string): string {
  const [all = '', , settings = ''] = FRONT_MATTER.exec(text) ?? [];
  if (!isSettings(settings)) return text;
  const body = text.slice(all.length);
  const [, quoted = ''] = /^title\s*[:=][ \t]*(\S.*)$/m.exec(settings) ?? [];
  const title = quoted.trim().replace(/^(["'])(.*)\1$/, '$2');
  return title === '' || /^# /m.test(body.slice(0, 2000)) ? body : `# ${title}\n\n${body}`;
}

/** All lines must be settings: text between two rules may contain a colon. */
function isSettings(text: string): boolean {
  const lines = text.split('\n');
  return (
    lines.some((line) => SETTING.test(line)) &&
    lines.every((line) => SETTING.test(line) || MORE_OF_SETTING.test(line))
  );
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Splits a text at blank lines. Fenced code is one block. */
function* blocksOf(text: string): Generator<Block> {
  let lines: string[] = [];
  let fence: string | null = null;
  for (const line of linesOf(text)) {
    const [, mark] = FENCE.exec(line) ?? [];
    if (fence === null) fence = mark ?? null;
    else if (mark !== undefined && mark.startsWith(fence) && /^\s*[`~]+\s*$/.test(line)) fence = null;
    if (line.trim() !== '' || fence !== null) lines.push(line.trimEnd());
    else if (lines.length > 0) {
      yield* partsOf(lines);
      lines = [];
    }
  }
  if (lines.length > 0) yield* partsOf(lines);
}

/** Splits a long block around its tables, so that none is cut without its header. */
function* partsOf(lines: readonly string[]): Generator<Block> {
  const isLong = lines.reduce((sum, { length }) => sum + length, 0) > TABLE_PIECE_CHARACTERS;
  let start = 0;
  for (const table of isLong ? tablesIn(lines) : []) {
    if (table.start > start) yield { markdown: lines.slice(start, table.start).join('\n') };
    const [names = '', rule = '', ...rows] = lines.slice(table.start, table.end);
    const bareHead = `${rule.replaceAll(/[^|]/g, ' ')}\n${rule}`;
    for (const markdown of linePieces(`${names}\n${rule}`, bareHead, rows)) yield { markdown };
    start = table.end;
  }
  if (start < lines.length) yield { markdown: lines.slice(start).join('\n') };
}

function* tablesIn(lines: readonly string[]): Generator<{ start: number; end: number }> {
  if (lines.some((line) => FENCE.test(line))) return;
  for (let index = 1; index < lines.length; index += 1) {
    if (!isRule(lines[index]) || !hasBar(lines[index - 1])) continue;
    const start = index - 1;
    while (hasBar(lines[index])) index += 1;
    yield { start, end: index };
  }
}

function hasBar(line: string | undefined): boolean {
  return line?.includes('|') === true;
}

/** The delimiter row of a table, such as `| --- | --: |`. */
function isRule(line: string | undefined): boolean {
  return hasBar(line) && /^\|?:?-+:?(?:\|:?-+:?)*\|?$/.test(line?.replaceAll(/[ \t]/g, '') ?? '');
}

/** A generator, as a text may have millions of lines. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  while (start <= text.length) {
    const end = text.indexOf('\n', start);
    yield text.slice(start, end === -1 ? text.length : end);
    if (end === -1) return;
    start = end + 1;
  }
}
