import { scaleEnd, seriesColour, colours } from '../look.js';
import type { Chart, ChartValue } from '../report.js';
import { documentOf, element, namespaces, type Xml } from './xml.js';

/** English Metric Units: how DrawingML measures. */
const EMU_PER_POINT = 12_700;
const WIDTH_POINTS = 470;

const val = (name: string, value: string | number): Xml => element(name, { val: value });

const solid = (colour: string): Xml => element('a:solidFill', {}, val('a:srgbClr', colour));

const noLine = element('a:ln', {}, element('a:noFill'));

const shape = (colour: string): Xml => element('c:spPr', {}, solid(colour), noLine);

const textProperties = (size: number, colour: string, isBold = false): Xml =>
  element(
    'c:txPr',
    {},
    element('a:bodyPr'),
    element('a:lstStyle'),
    element(
      'a:p',
      {},
      element('a:pPr', {}, element('a:defRPr', { sz: size * 100, b: isBold ? 1 : 0 }, solid(colour))),
      element('a:endParaRPr', { lang: 'en-GB' }),
    ),
  );

/** A cell of the workbook behind a chart that has none: a name that Word wants. */
const rangeOf = (column: string, count: number): string => `Data!$${column}$2:$${column}$${count + 1}`;

const labels = (values: readonly ChartValue[]): Xml =>
  element(
    'c:cat',
    {},
    element(
      'c:strRef',
      {},
      element('c:f', {}, rangeOf('A', values.length)),
      element(
        'c:strCache',
        {},
        val('c:ptCount', values.length),
        ...values.map(({ label }, index) => element('c:pt', { idx: index }, element('c:v', {}, label))),
      ),
    ),
  );

const numbers = (values: readonly ChartValue[]): Xml =>
  element(
    'c:val',
    {},
    element(
      'c:numRef',
      {},
      element('c:f', {}, rangeOf('B', values.length)),
      element(
        'c:numCache',
        {},
        element('c:formatCode', {}, 'General'),
        val('c:ptCount', values.length),
        ...values.map(({ value }, index) =>
          element('c:pt', { idx: index }, element('c:v', {}, String(value))),
        ),
      ),
    ),
  );

const shows = (isShown: boolean): Xml[] => [
  val('c:showLegendKey', 0),
  val('c:showVal', isShown ? 1 : 0),
  val('c:showCatName', 0),
  val('c:showSerName', 0),
  val('c:showPercent', 0),
  val('c:showBubbleSize', 0),
];

/** Beside each bar stands what the report says, in the reader's way of writing numbers. */
const writtenLabels = (values: readonly ChartValue[]): Xml =>
  element(
    'c:dLbls',
    {},
    ...values.map(({ text }, index) =>
      element(
        'c:dLbl',
        {},
        val('c:idx', index),
        element(
          'c:tx',
          {},
          element(
            'c:rich',
            {},
            element('a:bodyPr', { wrap: 'none' }),
            element('a:lstStyle'),
            element(
              'a:p',
              {},
              element('a:r', {}, element('a:rPr', { lang: 'en-GB' }), element('a:t', {}, text)),
            ),
          ),
        ),
        val('c:dLblPos', 'outEnd'),
        ...shows(true),
      ),
    ),
    textProperties(9, colours.ink, true),
    val('c:dLblPos', 'outEnd'),
    ...shows(true),
  );

const barSeries = (values: readonly ChartValue[]): Xml =>
  element(
    'c:ser',
    {},
    val('c:idx', 0),
    val('c:order', 0),
    shape(seriesColour(0)),
    val('c:invertIfNegative', 0),
    writtenLabels(values),
    labels(values),
    numbers(values),
  );

/** The parts of one bar are series of one value each. */
const partSeries = (values: readonly ChartValue[]): Xml[] =>
  values.map((value, index) => {
    const column = String.fromCodePoint('B'.charCodeAt(0) + (index % 24));
    return element(
      'c:ser',
      {},
      val('c:idx', index),
      val('c:order', index),
      element(
        'c:tx',
        {},
        element(
          'c:strRef',
          {},
          element('c:f', {}, `Data!$${column}$1`),
          element(
            'c:strCache',
            {},
            val('c:ptCount', 1),
            element('c:pt', { idx: 0 }, element('c:v', {}, `${value.label}: ${value.text}`)),
          ),
        ),
      ),
      shape(seriesColour(index)),
      val('c:invertIfNegative', 0),
      labels([{ ...value, label: ' ' }]),
      numbers([value]),
    );
  });

const barChart = ({ kind, values }: Chart): Xml =>
  element(
    'c:barChart',
    {},
    val('c:barDir', 'bar'),
    val('c:grouping', kind === 'bars' ? 'clustered' : 'percentStacked'),
    val('c:varyColors', 0),
    ...(kind === 'bars' ? [barSeries(values)] : partSeries(values)),
    val('c:gapWidth', kind === 'bars' ? 60 : 20),
    ...(kind === 'bars' ? [] : [val('c:overlap', 100)]),
    val('c:axId', 1),
    val('c:axId', 2),
  );

const axes = ({ kind, values, maximum }: Chart): Xml[] => [
  element(
    'c:catAx',
    {},
    val('c:axId', 1),
    element('c:scaling', {}, val('c:orientation', 'maxMin')),
    val('c:delete', kind === 'bars' ? 0 : 1),
    val('c:axPos', 'l'),
    element('c:numFmt', { formatCode: 'General', sourceLinked: 0 }),
    val('c:majorTickMark', 'none'),
    val('c:minorTickMark', 'none'),
    val('c:tickLblPos', 'nextTo'),
    element('c:spPr', {}, element('a:ln', {}, solid(colours.rule))),
    textProperties(9, colours.ink),
    val('c:crossAx', 2),
    val('c:crosses', 'autoZero'),
  ),
  element(
    'c:valAx',
    {},
    val('c:axId', 2),
    element(
      'c:scaling',
      {},
      val('c:orientation', 'minMax'),
      kind === 'bars' && val('c:max', maximum ?? scaleEnd(values, null) * 1.2),
      val('c:min', 0),
    ),
    val('c:delete', 1),
    val('c:axPos', 't'),
    element('c:numFmt', { formatCode: 'General', sourceLinked: 0 }),
    val('c:majorTickMark', 'none'),
    val('c:minorTickMark', 'none'),
    val('c:tickLblPos', 'nextTo'),
    val('c:crossAx', 1),
    val('c:crosses', 'autoZero'),
  ),
];

const legend = element(
  'c:legend',
  {},
  val('c:legendPos', 'b'),
  val('c:overlay', 0),
  textProperties(9, colours.ink),
);

/** A chart of Word's own: sharp, readable aloud, and its colours can be changed. */
export const chartPart = (chart: Chart): string =>
  documentOf(
    element(
      'c:chartSpace',
      {
        'xmlns:c': namespaces['xmlns:c'],
        'xmlns:a': namespaces['xmlns:a'],
        'xmlns:r': namespaces['xmlns:r'],
      },
      val('c:roundedCorners', 0),
      element(
        'c:chart',
        {},
        val('c:autoTitleDeleted', 1),
        element('c:plotArea', {}, element('c:layout'), barChart(chart), ...axes(chart)),
        chart.kind === 'parts' && legend,
        val('c:plotVisOnly', 1),
        val('c:dispBlanksAs', 'gap'),
      ),
      element('c:spPr', {}, element('a:noFill'), noLine),
    ),
  );

const heightPoints = ({ kind, values }: Chart): number =>
  kind === 'bars' ? Math.min(40 + values.length * 26, 620) : 80 + Math.ceil(values.length / 2) * 22;

/** Where the chart stands in the text. `description` is read to whoever does not see it. */
export const chartDrawing = (chart: Chart, relation: string, number: number, description: string): Xml => {
  const extent = {
    cx: WIDTH_POINTS * EMU_PER_POINT,
    cy: Math.round(heightPoints(chart) * EMU_PER_POINT),
  };
  return element(
    'w:r',
    {},
    element(
      'w:drawing',
      {},
      element(
        'wp:inline',
        { distT: 0, distB: 0, distL: 0, distR: 0 },
        element('wp:extent', extent),
        element('wp:docPr', { id: number, name: `Chart ${number}`, descr: description }),
        element('wp:cNvGraphicFramePr'),
        element(
          'a:graphic',
          {},
          element('a:graphicData', { uri: namespaces['xmlns:c'] }, element('c:chart', { 'r:id': relation })),
        ),
      ),
    ),
  );
};
