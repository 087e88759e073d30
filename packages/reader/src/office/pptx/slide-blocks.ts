import { drawingText } from '../drawing/drawing-text.js';
import type { FrameReader } from '../drawing/frames.js';
import { numeral, type Numerals } from '../markdown/numerals.js';
import type { Block } from '../markdown/pieces.js';
import { tablePieces } from '../markdown/table.js';
import { heading, numberedItem, oneLine, paragraph } from '../markdown/text.js';
import type { Losses } from '../package/losses.js';
import { childAt, childrenOf, descendantsOf, integerOf, isOn, type XmlElement } from '../xml/xml-element.js';
import { isTitle, type Shape } from './shapes.js';

/** Types of text that every slide has: number, date, footer. */
const FURNITURE = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);
/** Placeholders whose paragraphs are list items by default. */
const LISTS = new Set(['body', 'obj']);

const MAX_COLUMNS = 1_000;

export function isFurniture(placeholder: string | null | undefined): boolean {
  return FURNITURE.has(placeholder ?? '');
}

export function* shapeBlocks(shape: Shape, frames: FrameReader, losses: Losses): Generator<Block> {
  const { element, placeholder } = shape;
  if (isFurniture(placeholder)) return;
  if (element.name === 'p:pic') losses.count('PICTURES_LEFT_OUT');
  const body = childAt(element, 'p:txBody');
  if (body && isTitle(shape))
    yield { markdown: heading(1, childrenOf(body, 'a:p').map(drawingText).join(' ')) };
  else if (body) yield* textBlocks(body, placeholder !== null && LISTS.has(placeholder));
  if (element.name !== 'p:graphicFrame') return;
  for (const found of descendantsOf(element, 'a:tbl', 'c:chart', 'dgm:relIds'))
    if (found.name === 'a:tbl') yield* tableBlocks(found);
    else yield* frames.blocksOf(found);
}

/** The paragraphs of a text. They are items if they have a bullet, or if there are several in a list placeholder. */
export function* textBlocks(body: XmlElement, isList: boolean): Generator<Block> {
  const paragraphs = childrenOf(body, 'a:p')
    .map((element) => ({ properties: childAt(element, 'a:pPr'), text: drawingText(element) }))
    .filter(({ text }) => oneLine(text) !== '');
  const counts: number[] = [];
  let before = -1;
  for (const { properties, text } of paragraphs) {
    const level = Math.min(Math.max(integerOf(properties?.attributes['lvl']) ?? 0, 0), 8);
    const label = labelOf(properties, isList && paragraphs.length > 1, counts, level);
    if (label === null) yield { markdown: paragraph(text) };
    else yield { markdown: numberedItem(Math.min(level, before + 1), label, text), isItem: true };
    before = label === null ? -1 : Math.min(level, before + 1);
  }
}

function labelOf(
  properties: XmlElement | undefined,
  isList: boolean,
  counts: number[],
  level: number,
): string | null {
  const automatic = childAt(properties, 'a:buAutoNum');
  counts.length = Math.min(counts.length, level + 1);
  if (automatic) {
    const start = integerOf(automatic.attributes['startAt']) ?? 1;
    counts[level] = (counts[level] ?? start - 1) + 1;
    return automaticLabel(automatic.attributes['type'] ?? '', counts[level]);
  }
  counts.length = Math.min(counts.length, level);
  if (childAt(properties, 'a:buNone')) return null;
  return isList || childAt(properties, 'a:buChar') || childAt(properties, 'a:buBlip') ? '-' : null;
}

const numeralsByName: readonly (readonly [string, Numerals])[] = [
  ['alphaLc', 'letters'],
  ['alphaUc', 'LETTERS'],
  ['romanLc', 'roman'],
  ['romanUc', 'ROMAN'],
  ['ea1', 'chinese'],
];

function automaticLabel(type: string, count: number): string {
  const numerals = numeralsByName.find(([name]) => type.startsWith(name))?.[1] ?? 'decimal';
  const number = numeral(count, numerals);
  if (type.endsWith('ParenBoth')) return `(${number})`;
  return type.endsWith('ParenR') ? `${number})` : `${number}.`;
}

/** A cell merged over columns has its text once; one merged over rows has it in each. */
function* tableBlocks(table: XmlElement): Generator<Block> {
  let above: string[] = [];
  const cells = childrenOf(table, 'a:tr').map((row) => childrenOf(row, 'a:tc').slice(0, MAX_COLUMNS));
  const rows = cells.map((row) => {
    above = row.map((cell, column) => {
      if (isMerged(cell, 'hMerge')) return '';
      if (isMerged(cell, 'vMerge')) return above[column] ?? '';
      return childrenOf(childAt(cell, 'a:txBody'), 'a:p').map(drawingText).join('\n');
    });
    return above;
  });
  const spans = cells.map((row) => row.map(({ attributes }) => integerOf(attributes['gridSpan']) ?? 1));
  for (const markdown of tablePieces(rows, spans)) yield { markdown };
}

function isMerged(cell: XmlElement, attribute: string): boolean {
  return cell.attributes[attribute] !== undefined && isOn(cell, attribute);
}
