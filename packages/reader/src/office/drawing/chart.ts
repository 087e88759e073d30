import { oneLine } from '../markdown/text.js';
import { tablePieces } from '../markdown/table.js';
import type { Block } from '../markdown/pieces.js';
import { shownAs } from '../xlsx/number-format.js';
import { childAt, descendantsOf, integerOf, isOn, textOf, type XmlElement } from '../xml/xml-element.js';
import { drawingText } from './drawing-text.js';

const MAX_POINTS = 2_000;

interface Series {
  name: string;
  categories: ReadonlyMap<number, string>;
  values: ReadonlyMap<number, string>;
}

/** The title of a chart and its values as a table with a row per category. `root`: the root of the chart's part. */
export function chartBlocks(root: XmlElement): Block[] {
  const chart = childAt(root, 'c:chart');
  const plot = childAt(chart, 'c:plotArea');
  if (!plot) return [];
  const title = oneLine(paragraphsOf(childAt(chart, 'c:title')));
  const is1904 = isOn(childAt(root, 'c:date1904'), 'val');
  const series = [...descendantsOf(plot, 'c:ser')].map((element, index) => seriesOf(element, index, is1904));
  return [
    ...(title === '' ? [] : [{ markdown: `Chart: ${title}` }]),
    ...tablePieces(rowsOf(series)).map((markdown) => ({ markdown })),
  ];
}

function paragraphsOf(element: XmlElement | undefined): string {
  return element ? [...descendantsOf(element, 'a:p')].map(drawingText).join(' ') : '';
}

function seriesOf(series: XmlElement, index: number, is1904: boolean): Series {
  return {
    name: [...pointsOf(childAt(series, 'c:tx'), is1904).values()].join(' ') || `Series ${index + 1}`,
    categories: pointsOf(childAt(series, 'c:cat') ?? childAt(series, 'c:xVal'), is1904),
    values: pointsOf(childAt(series, 'c:val') ?? childAt(series, 'c:yVal'), is1904),
  };
}

/** The values that the file caches of the cells behind the chart. */
function pointsOf(element: XmlElement | undefined, is1904: boolean): ReadonlyMap<number, string> {
  const points = new Map<number, string>();
  if (!element) return points;
  const [format] = descendantsOf(element, 'c:formatCode');
  for (const point of descendantsOf(element, 'c:pt')) {
    const index = integerOf(point.attributes['idx']);
    const value = textOf(childAt(point, 'c:v'));
    if (index === null || index < 0 || points.size >= MAX_POINTS) continue;
    // For categories on several levels, the innermost comes first in the file.
    const outer = points.get(index);
    const shown = shownAs(value, point.attributes['formatCode'] ?? textOf(format), is1904);
    points.set(index, outer === undefined ? shown : `${value} ${outer}`);
  }
  const literal = childAt(element, 'c:v');
  if (literal) points.set(0, textOf(literal));
  return points;
}

function rowsOf(series: readonly Series[]): string[][] {
  const drawn = series.filter(({ values }) => values.size > 0);
  const indices = [...new Set(drawn.flatMap(({ values }) => [...values.keys()]))].toSorted((a, b) => a - b);
  const rows = indices.map((index) => [
    drawn.find(({ categories }) => categories.has(index))?.categories.get(index) ?? String(index + 1),
    ...drawn.map(({ values }) => values.get(index) ?? ''),
  ]);
  return rows.length === 0 ? [] : [['', ...drawn.map(({ name }) => name)], ...rows];
}
