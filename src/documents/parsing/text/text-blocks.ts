import type { Block } from '../office/markdown/pieces.js';

/** The parts of a text that blank lines stand between; code between fences is one, whatever is in it. */
export function* blocksOf(text: string): Generator<Block> {
  let lines: string[] = [];
  let fence: string | null = null;
  for (const line of linesOf(text)) {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === null) fence = mark ?? null;
    else if (mark !== undefined && mark.startsWith(fence) && /^\s*[`~]+\s*$/.test(line)) fence = null;
    if (line.trim() !== '' || fence !== null) lines.push(line.trimEnd());
    else if (lines.length > 0) {
      yield { markdown: lines.join('\n') };
      lines = [];
    }
  }
  if (lines.length > 0) yield { markdown: lines.join('\n') };
}

/** One by one: a text has millions of them. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  while (start <= text.length) {
    const end = text.indexOf('\n', start);
    yield text.slice(start, end === -1 ? text.length : end);
    if (end === -1) return;
    start = end + 1;
  }
}
