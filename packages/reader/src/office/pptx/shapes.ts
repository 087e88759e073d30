import { inReadingOrder, type Place } from '../drawing/reading-order.js';
import {
  alternativeOf,
  childAt,
  childrenOf,
  descendantsOf,
  integerOf,
  type XmlElement,
} from '../xml/xml-element.js';

/** An element that is placed on a slide. */
export interface Shape {
  element: XmlElement;
  /** `title`, `body`, …; null: not a placeholder. */
  placeholder: string | null;
  place: Place | null;
}

const SHAPES = new Set(['p:sp', 'p:graphicFrame', 'p:pic', 'p:cxnSp']);

/** The positions of a layout's placeholders, for slides that do not repeat them. */
export type LayoutPlaces = ReadonlyMap<string, Place>;

/** By both names that a slide may use for a placeholder: its index and its type. */
export function layoutPlaces(root: XmlElement): LayoutPlaces {
  const places = new Map<string, Place>();
  for (const shape of descendantsOf(root, 'p:sp')) {
    const place = ownPlace(shape);
    const placeholder = placeholderOf(shape);
    if (!place || !placeholder) continue;
    places.set(`index ${placeholder.attributes['idx'] ?? '0'}`, place);
    if (!places.has(typeOf(placeholder))) places.set(typeOf(placeholder), place);
  }
  return places;
}

/** The shapes in reading order: the title first, then line by line. */
export function shapesInOrder(tree: XmlElement | undefined, layout: LayoutPlaces): Shape[] {
  const shapes = [...shapesOf(tree, layout, null)];
  return inReadingOrder(shapes.filter((shape) => isTitle(shape))).concat(
    inReadingOrder(shapes.filter((shape) => !isTitle(shape))),
  );
}

export function isTitle({ placeholder }: Shape): boolean {
  return placeholder === 'title' || placeholder === 'ctrTitle';
}

function* shapesOf(
  tree: XmlElement | undefined,
  layout: LayoutPlaces,
  groupPlace: Place | null,
): Generator<Shape> {
  for (const element of childrenOf(tree))
    if (SHAPES.has(element.name)) yield shapeOf(element, layout, groupPlace);
    // Grouped shapes stay together: they have the place of the group, in the order of the file.
    else if (element.name === 'p:grpSp')
      yield* shapesOf(element, layout, groupPlace ?? ownPlace(element) ?? null);
    else if (element.name === 'mc:AlternateContent')
      yield* shapesOf(alternativeOf(element), layout, groupPlace);
}

function shapeOf(element: XmlElement, layout: LayoutPlaces, groupPlace: Place | null): Shape {
  const placeholder = placeholderOf(element);
  const inherited = placeholder
    ? (layout.get(`index ${placeholder.attributes['idx'] ?? '0'}`) ?? layout.get(typeOf(placeholder)))
    : undefined;
  return {
    element,
    placeholder: placeholder ? typeOf(placeholder) : null,
    place: groupPlace ?? ownPlace(element) ?? inherited ?? null,
  };
}

function placeholderOf(shape: XmlElement): XmlElement | undefined {
  return childrenOf(shape)
    .map((properties) => childAt(properties, 'p:nvPr', 'p:ph'))
    .find((placeholder) => placeholder !== undefined);
}

function typeOf({ attributes }: XmlElement): string {
  return attributes['type'] ?? 'obj';
}

function ownPlace(shape: XmlElement): Place | undefined {
  const properties = childAt(shape, 'p:spPr') ?? childAt(shape, 'p:grpSpPr');
  const frame = childAt(properties, 'a:xfrm') ?? childAt(shape, 'p:xfrm');
  const offset = childAt(frame, 'a:off')?.attributes;
  const [x, y] = [integerOf(offset?.['x']), integerOf(offset?.['y'])];
  return x === null || y === null ? undefined : { x, y };
}
