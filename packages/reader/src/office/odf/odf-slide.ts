import { inReadingOrder, type Place } from '../drawing/reading-order.js';
import type { Block } from '../markdown/pieces.js';
import { heading } from '../markdown/text.js';
import { childAt, childrenOf, descendantsOf, type XmlElement } from '../xml/xml-element.js';
import { OdfBlocks, type OdfParts } from './odf-blocks.js';

/** Classes of text that every slide has: number, date, footer. */
const FURNITURE = new Set(['page-number', 'date-time', 'footer', 'header', 'page', 'handout']);

const emuPerUnit: Readonly<Record<string, number>> = {
  cm: 360_000,
  mm: 36_000,
  in: 914_400,
  pt: 12_700,
  pc: 152_400,
  px: 9_525,
};

/** The content of a slide (draw:page): title, shapes in reading order, notes. */
export function* slideBlocks(page: XmlElement, parts: OdfParts): Generator<Block> {
  const blocks = new OdfBlocks(parts);
  yield* blocks.of(childrenOf(page, 'office:annotation'));
  const shapes = childrenOf(page).filter((shape) => isShape(shape) && isText(shape));
  const titles = shapes.filter(isTitle);
  for (const title of titles) {
    const lines = [...descendantsOf(title, 'text:p')].map((line) => parts.text.read(line).text);
    yield { markdown: heading(1, lines.join(' ')) };
  }
  const others = shapes.filter((shape) => !isTitle(shape));
  for (const { shape } of inReadingOrder(others.map((shape) => ({ shape, place: placeOf(shape) }))))
    yield* blocks.of([shape]);
  const notes = childrenOf(childAt(page, 'presentation:notes')).filter(isText);
  const noted = [...blocks.of(notes)].filter(({ markdown }) => markdown !== '');
  if (noted.length > 0) yield* [{ markdown: 'Notes:' }, ...noted];
}

function isShape({ name }: XmlElement): boolean {
  return name.startsWith('draw:');
}

function isTitle({ attributes }: XmlElement): boolean {
  return attributes['presentation:class'] === 'title';
}

/** An empty placeholder shows a prompt of its own. */
function isText({ attributes }: XmlElement): boolean {
  return (
    attributes['presentation:placeholder'] !== 'true' &&
    !FURNITURE.has(attributes['presentation:class'] ?? '')
  );
}

/** A group has the place of its first shape. */
function placeOf(shape: XmlElement): Place | null {
  const [x, y] = [lengthOf(shape.attributes['svg:x']), lengthOf(shape.attributes['svg:y'])];
  if (x !== null && y !== null) return { x, y };
  const [first] = shape.name === 'draw:g' ? childrenOf(shape).filter(isShape) : [];
  return first ? placeOf(first) : null;
}

function lengthOf(text: string | undefined): number | null {
  const [, number, unit] = /^(-?[\d.]+)(cm|mm|in|pt|pc|px)$/.exec(text ?? '') ?? [];
  const length = Number(number) * (emuPerUnit[unit ?? ''] ?? Number.NaN);
  return Number.isFinite(length) ? length : null;
}
