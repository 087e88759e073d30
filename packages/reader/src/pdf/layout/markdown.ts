import type { Block } from './blocks.js';

const MAX_DEPTH = 4;

/** Blocks with blank lines between them. */
export function toMarkdown(blocks: readonly Block[]): string {
  const parts: string[] = [];
  let levels: number[] = [];
  for (const block of blocks) {
    if (block.type !== 'item') {
      parts.push(`\n\n${markdownOf(block)}`);
      levels = [];
      continue;
    }
    const isFirst = levels.length === 0;
    // An item that begins further left ends inner lists.
    levels = [...levels.filter((left) => left < block.left - 3), block.left].slice(0, MAX_DEPTH);
    parts.push(`${isFirst ? '\n\n' : '\n'}${'  '.repeat(levels.length - 1)}${block.marker} ${block.text}`);
  }
  return parts.join('').trim();
}

function markdownOf(block: Exclude<Block, { type: 'item' }>): string {
  if (block.type === 'heading') return `${'#'.repeat(block.level)} ${block.text}`;
  return block.type === 'table' ? tableOf(block.rows) : unmarked(block.text);
}

/** Escapes text that looks like a heading. */
function unmarked(text: string): string {
  return text.replace(/^(?=#{1,6}\s)/, '\\');
}

function tableOf([head = [], ...rows]: readonly string[][]): string {
  return [head, head.map(() => '---'), ...rows].map(rowOf).join('\n');
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
