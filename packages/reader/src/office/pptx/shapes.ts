import { inReadingOrder, type Place } from '../drawing/reading-order.js';
import {
  alternativeOf,
  childAt,
  childrenOf,
  descendantsOf,
  integerOf,
  type XmlElement,
} from '../xml/xml-element.js';

/** Something that stands on a slide by itself. */
export interface Shape {
  element: XmlElement;
  /** `title`, `body`, …; null: it fills no place of the layout. */
  placeholder: string | null;
  place: Place | null;
}

const SHAPES = new Set(['p:sp', 'p:graphicFrame', 'p:pic', 'p:cxnSp']);

/** Where a layout has its placeholders, for slides that do not say it again. */
export type LayoutPlaces = ReadonlyMap<string, Place>;

/** By both names that a slide may call a placeholder by: its index and its type. */
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

/** The shapes of a slide as one reads them: the title, then line by line. */
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
    // What is grouped stays together: it has the place of the group, in the order of the file.
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
