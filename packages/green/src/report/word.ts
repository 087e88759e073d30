import {
  AlignmentType,
  BorderStyle,
  Document,
  ExternalHyperlink,
  Footer,
  Header,
  HeadingLevel,
  Packer,
  PageNumber,
  Paragraph,
  type ParagraphChild,
  ShadingType,
  Tab,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  TextRun,
} from 'docx';

import { colours, factRows, scaleEnd, shortened } from './look.js';
import {
  type Block,
  type BlockOf,
  type Fact,
  type Figure,
  linkOf,
  type RenderedReport,
  type Report,
  type Source,
} from './report.js';
import { bullet, BULLETS, stylesOf } from './word-styles.js';

/** A4, in twips. */
const sheet = { width: 11_906, height: 16_838, top: 1320, bottom: 1200, side: 1160, edge: 640 } as const;
const bodyWidth = sheet.width - 2 * sheet.side;
/** The space at each side of a cell. */
const CELL_SIDE = 90;

/** Writes a report as a Word document, with styles, repeated table heads, and charts. */
export async function renderWord(report: Report): Promise<RenderedReport> {
  const document = new Document({
    title: report.title,
    subject: report.subtitle,
    creator: report.company,
    lastModifiedBy: report.company,
    description: '',
    styles: stylesOf(report.language),
    numbering: { config: [{ reference: BULLETS, levels: [bullet] }] },
    sections: [
      {
        properties: {
          titlePage: true,
          page: {
            size: { width: sheet.width, height: sheet.height },
            margin: {
              top: sheet.top,
              bottom: sheet.bottom,
              left: sheet.side,
              right: sheet.side,
              header: sheet.edge,
              footer: sheet.edge,
            },
          },
        },
        headers: { default: new Header({ children: [header(report)] }) },
        footers: {
          first: new Footer({ children: [footer(report)] }),
          default: new Footer({ children: [footer(report)] }),
        },
        children: [...titleBlock(report), ...report.blocks.flatMap(writeBlock)],
      },
    ],
  });
  const content = await Packer.toBuffer(document);
  return { format: 'docx', content: new Uint8Array(content), pages: null };
}

type Part = Paragraph | Table;

function words(style: string, text: string): Paragraph {
  return new Paragraph({ style, text });
}

/** Without a paragraph between them, Word merges two tables. */
function gap(): Paragraph {
  return new Paragraph({ style: 'Gap' });
}

function titleBlock({ subtitle, title, company, date, facts }: Report): Part[] {
  return [
    ...(subtitle === '' ? [] : [words('Subtitle', subtitle)]),
    new Paragraph({ heading: HeadingLevel.TITLE, text: title }),
    words('Company', company),
    words('ReportDate', date),
    ...(facts.length === 0 ? [] : [factsTable(facts), gap()]),
  ];
}

const writes: { [Type in Block['type']]: (block: BlockOf<Type>) => Part[] } = {
  heading: ({ level, text }) => [
    new Paragraph({ heading: level === 1 ? HeadingLevel.HEADING_1 : HeadingLevel.HEADING_2, text }),
  ],
  paragraph: ({ text }) => [new Paragraph({ text })],
  list: ({ items }) =>
    items.map(
      (text) => new Paragraph({ style: 'BulletText', text, numbering: { reference: BULLETS, level: 0 } }),
    ),
  facts: ({ facts }) => (facts.length === 0 ? [] : [factsTable(facts), gap()]),
  figures: ({ figures }) => (figures.length === 0 ? [] : [figuresTable(figures), gap()]),
  note: ({ tone, text }) => [words(tone === 'caution' ? 'Caution' : 'Note', text)],
  table: (table) => [dataTable(table), gap()],
  chart: (chart) => (chart.chart.values.length === 0 ? [] : drawChart(chart)),
  sources: ({ sources }) => sources.map(writeSource),
};

function writeBlock<Type extends Block['type']>(block: BlockOf<Type>): Part[] {
  return (writes[block.type as Type] as (block: BlockOf<Type>) => Part[])(block);
}

function writeSource(source: Source, index: number): Paragraph {
  const link = linkOf(source);
  const children: ParagraphChild[] = [new TextRun(`${index + 1}. ${source.text}`)];
  if (link !== null) {
    const shown = new TextRun({ text: link, style: 'Hyperlink' });
    children.push(new TextRun(' '), new ExternalHyperlink({ link, children: [shown] }));
  }
  return new Paragraph({ style: 'SourceText', children });
}

const rule = { style: BorderStyle.SINGLE, size: 4, color: colours.rule } as const;
const none = { style: BorderStyle.NIL } as const;

interface TableLook {
  widths: readonly number[];
  hasRules?: boolean;
}

function tableOf({ widths, hasRules = true }: TableLook, rows: readonly TableRow[]): Table {
  const line = hasRules ? rule : none;
  return new Table({
    columnWidths: widths,
    layout: TableLayoutType.FIXED,
    borders: {
      top: line,
      bottom: line,
      insideHorizontal: line,
      left: none,
      right: none,
      insideVertical: none,
    },
    margins: { top: 60, bottom: 60, left: CELL_SIDE, right: CELL_SIDE },
    rows,
  });
}

/** Widths that add up to the page's. */
function shares(weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => Math.floor((bodyWidth * weight) / whole));
}

function cellOf(
  children: readonly Paragraph[],
  { fill = null, hasEdge = false, span = 1 }: { fill?: string | null; hasEdge?: boolean; span?: number } = {},
): TableCell {
  return new TableCell({
    children,
    ...(span > 1 && { columnSpan: span }),
    ...(fill !== null && { shading: { type: ShadingType.CLEAR, color: 'auto', fill } }),
    ...(hasEdge && { borders: { left: { style: BorderStyle.SINGLE, size: 24, color: colours.accent } } }),
  });
}

/** This many rows are kept together. */
const SHORT_ROWS = 6;

/** A table whose head Word repeats on every page. */
function dataTable({ columns, rows, total }: BlockOf<'table'>): Table {
  const rowOf = (cells: readonly string[], kind: 'head' | 'row' | 'total', keepNext = false): TableRow =>
    new TableRow({
      cantSplit: true,
      tableHeader: kind === 'head',
      keepNext,
      children: columns.map(({ isNumber = false }, index) =>
        cellOf(
          [
            new Paragraph({
              style: kind === 'row' ? 'TableText' : 'TableHead',
              text: cells[index] ?? '',
              ...(isNumber && { alignment: AlignmentType.RIGHT }),
            }),
          ],
          { fill: kind === 'row' ? null : colours.tint },
        ),
      ),
    });
  // A short table stays on one page. A total is not left alone on the next.
  const keepsNext = (index: number): boolean =>
    index < rows.length - 1 ? rows.length <= SHORT_ROWS : total !== undefined;
  return tableOf({ widths: shares(columns.map(({ weight }) => weight)) }, [
    rowOf(
      columns.map(({ title }) => title),
      'head',
      true,
    ),
    ...rows.map((cells, index) => rowOf(cells, 'row', keepsNext(index))),
    ...(total ? [rowOf(total, 'total')] : []),
  ]);
}

function factsTable(facts: readonly Fact[]): Table {
  const { rows, isPaired } = factRows(facts);
  return tableOf(
    { widths: shares(isPaired ? [20, 30, 20, 30] : [34, 66]) },
    rows.map((row) => {
      const span = isPaired && row.length === 1 ? 3 : 1;
      return new TableRow({
        cantSplit: true,
        children: row.flatMap(({ label, value }) => [
          cellOf([words('TableHead', label)]),
          cellOf([words('TableText', value)], { span }),
        ]),
      });
    }),
  );
}

function figuresTable(figures: readonly Figure[]): Table {
  const cells = figures.map(({ label, value, detail }) =>
    cellOf(
      [
        words('Muted', label),
        words(figures.length > 3 ? 'FigureSmall' : 'Figure', value),
        ...(detail === '' ? [] : [words('Muted', detail)]),
      ],
      { fill: colours.tint, hasEdge: true },
    ),
  );
  return tableOf({ widths: shares(figures.map(() => 1)), hasRules: false }, [
    new TableRow({ cantSplit: true, children: cells }),
  ]);
}

/** Bars are shaded paragraphs: every program shows them, and labels and values are text that can be copied. */
function drawChart({ title, chart: { maximum, values } }: BlockOf<'chart'>): Part[] {
  const [labelWidth = 0, scale = 0, valueWidth = 0] = shares([34, 44, 22]);
  const end = scaleEnd(values, maximum);
  const bar = (value: number): Paragraph =>
    new Paragraph({
      style: 'TableText',
      shading: { type: ShadingType.CLEAR, color: 'auto', fill: colours.accent },
      indent: { right: Math.round((scale - 2 * CELL_SIDE) * (1 - Math.max(value / end, 0.01))) },
    });
  const rows = values.map(
    ({ label, value, text }, index) =>
      new TableRow({
        cantSplit: true,
        keepNext: index < values.length - 1,
        children: [
          cellOf([words('TableText', label)]),
          cellOf([bar(value)]),
          cellOf([words('TableHead', text)]),
        ],
      }),
  );
  return [
    words('ChartTitle', title),
    tableOf({ widths: [labelWidth, scale, valueWidth], hasRules: false }, rows),
    gap(),
  ];
}

/** Text at the left, text at the right. */
function frameLine(side: 'top' | 'bottom', left: string, right: readonly ParagraphChild[]): Paragraph {
  return new Paragraph({
    style: 'Muted',
    border: { [side]: { ...rule, space: 1 } },
    tabStops: [{ type: 'right', position: bodyWidth }],
    children: [new TextRun(left), new TextRun({ children: [new Tab()] }), ...right],
  });
}

function header({ company, title }: Report): Paragraph {
  return frameLine('bottom', shortened(company), [new TextRun(shortened(title))]);
}

/** The page label, with fields as its numbers. */
function footer({ date, pageLabel }: Report): Paragraph {
  return frameLine(
    'top',
    date,
    pageLabel.split(/(\{pages?\})/).flatMap((part) => {
      if (part === '{page}') return new TextRun({ children: [PageNumber.CURRENT] });
      if (part === '{pages}') return new TextRun({ children: [PageNumber.TOTAL_PAGES] });
      return part === '' ? [] : new TextRun(part);
    }),
  );
}
