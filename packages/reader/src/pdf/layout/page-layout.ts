import { type Block, toBlocks } from './blocks.js';
import { splitColumns } from './columns.js';
import type { PageText } from './lines/piece.js';
import { toRows } from './lines/row.js';
import type { RunningLines } from './lines/running-lines.js';
import { toSegments } from './lines/segment.js';
import { findTables } from './tables.js';
import type { TextStyle } from './text-style.js';

/** The blocks of a page in reading order. Rotated text, such as a label beside a drawing, comes last. */
export function pageBlocks({ layers }: PageText, style: TextStyle, running: RunningLines): Block[] {
  return layers.flatMap((layer) => {
    const segments = running.without(toSegments(layer.pieces), layer);
    return splitColumns(segments).flatMap((part) => toBlocks(findTables(toRows(part)), style));
  });
}
