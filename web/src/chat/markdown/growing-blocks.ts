import { marked } from 'marked';

/**
 * Cuts Markdown into its top-level blocks. Where a text goes on from the one before, only what comes after the last
 * blank line between two blocks is read anew: it does not change what is before. So a long stream costs as much at its
 * end as at its beginning.
 */
export function growingBlocks(): (text: string) => readonly string[] {
  let before = '';
  let blocks: readonly string[] = [];
  return (text) => {
    if (text === before) return blocks;
    const complete = text.startsWith(before) ? completeOf(blocks) : [];
    const length = complete.reduce((sum, block) => sum + block.length, 0);
    before = text;
    blocks = [...complete, ...blocksOf(text.slice(length))];
    return blocks;
  };
}

/** Those before the last one that a blank line divides from what comes after it. */
function completeOf(blocks: readonly string[]): readonly string[] {
  // A block of one unfinished line may still become part of the one before: "- - -" is a rule, "- - - word" a list.
  const settled = blocks.slice(0, blocks.at(-1)?.includes('\n') ? -1 : -2);
  const divided = settled.findLastIndex((block) => /\n[ \t]*\n$/.test(block));
  return blocks.slice(0, divided + 1);
}

function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let start = 0;
  for (const { type, raw } of marked.lexer(text)) {
    // Of some unfinished blocks marked gives another text than was read: then the rest is one block.
    if (!text.startsWith(raw, start)) break;
    // Blank lines may still belong to the block before them, such as a list.
    if (type === 'space' && blocks.length > 0) blocks.push(`${blocks.pop() ?? ''}${raw}`);
    else blocks.push(raw);
    start += raw.length;
  }
  return start < text.length ? [...blocks, text.slice(start)] : blocks;
}
