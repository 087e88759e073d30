/** The position of the upper left corner in English metric units. */
export interface Place {
  x: number;
  y: number;
}

/** Shapes whose tops differ by less are on the same line. A quarter of an inch. */
const SAME_LINE = 228_600;

/** Sorts by line, then from left to right. Items without a place come last, in the order of the file. */
export function inReadingOrder<Item extends { place: Place | null }>(items: readonly Item[]): Item[] {
  const placed = items.flatMap((item) => (item.place ? [{ item, ...item.place }] : []));
  const lines: (typeof placed)[] = [];
  for (const shape of placed.toSorted((a, b) => a.y - b.y)) {
    const line = lines.at(-1);
    if (line?.[0] && shape.y - line[0].y <= SAME_LINE) line.push(shape);
    else lines.push([shape]);
  }
  const ordered = lines.flatMap((line) => line.toSorted((a, b) => a.x - b.x).map(({ item }) => item));
  return [...ordered, ...items.filter(({ place }) => !place)];
}
