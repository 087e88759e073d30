import { joined, type Block as MarkdownBlock } from '../../office/markdown/pieces.js';
import { rowPieces } from '../../office/markdown/table.js';
import { heading, listItem, paragraph } from '../../office/markdown/text.js';
import type { Block } from './blocks.js';

const MAX_DEPTH = 4;

export function toMarkdown(blocks: readonly Block[]): string {
  let levels: number[] = [];
  return joined(
    blocks.flatMap((block): MarkdownBlock[] => {
      // An item that begins further left ends inner lists; anything else ends all.
      levels = block.type === 'item' ? [...levels.filter((left) => left < block.left - 3), block.left] : [];
      switch (block.type) {
        case 'heading':
          return [{ markdown: heading(block.level, block.text) }];
        case 'item': {
          levels = levels.slice(0, MAX_DEPTH);
          return [{ markdown: listItem(levels.length - 1, block.marker, block.text), isItem: true }];
        }
        case 'paragraph':
          return [{ markdown: paragraph(block.text) }];
        case 'table': {
          const [head = [], ...rows] = block.rows;
          return Array.from(rowPieces(head, rows), (markdown) => ({ markdown }));
        }
      }
    }),
  );
}
