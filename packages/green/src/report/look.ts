import type { Block, Fact } from './report.js';

/** The colours of a report, as hexadecimal digits. Text on white has a contrast of 4.5 or more, bars of 3 or more. */
export const colours = {
  ink: '1f2a2e',
  muted: '566367',
  accent: '0b5d3b',
  tint: 'e8f1ec',
  rule: 'c3cfc9',
  caution: '9a5b00',
  cautionTint: 'fbf3e4',
  link: '0b4f8a',
  white: 'ffffff',
} as const;

/** The end of a scale, a little beyond the largest value, so that labels have space. */
export function scaleEnd(values: readonly { value: number }[], maximum: number | null): number {
  return maximum ?? (Math.max(...values.map(({ value }) => value), 0) || 1);
}

const MAX_CHARACTERS = 60;

/** Cut to half a line. */
export function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length <= MAX_CHARACTERS ? text : `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`;
}

const SHORT_CHARACTERS = 40;

/**
 * Facts by row. If there are more than a few, short neighbours share a row and a long one has its own. `isPaired`:
 * some rows are shared.
 */
export function factRows(facts: readonly Fact[]): { rows: Fact[][]; isPaired: boolean } {
  const rows: Fact[][] = [];
  for (const fact of facts) {
    const last = rows.at(-1);
    const isBeside = facts.length > 3 && last?.length === 1 && isShort(fact) && last.every(isShort);
    if (isBeside) last.push(fact);
    else rows.push([fact]);
  }
  return { rows, isPaired: rows.some(({ length }) => length > 1) };
}

function isShort({ value }: Fact): boolean {
  return value.length <= SHORT_CHARACTERS;
}

/** A chart with fewer values stays on one page. */
export const LONG_CHART = 20;

/** The height, in points, of the first part of a block, without which its heading is not put on a page. */
function beginningOf(block: Block): number {
  switch (block.type) {
    case 'heading':
      return block.level === 1 ? 42 : 28;
    case 'table':
      // The head and the rows that are kept with it, of two lines each.
      return 85;
    case 'chart':
      return block.chart.values.length < LONG_CHART ? 30 + 17 * block.chart.values.length : 60;
    case 'figures':
      return 70;
    default:
      return 30;
  }
}

/** The height, in points, that the block at an index needs. A heading needs that of the block below it too. */
export function roomAt(blocks: readonly Block[], at: number): number {
  const block = blocks[at];
  if (!block) return 0;
  return beginningOf(block) + (block.type === 'heading' ? roomAt(blocks, at + 1) : 0);
}
