import pdfmake from 'pdfmake';
import type { Column, Content, CustomTableLayout, Style, TableCell } from 'pdfmake/interfaces.js';

import { colours, factRows, LONG_CHART, roomAt, scaleEnd, shortened } from './look.js';
import { fonts, runsOf } from './pdf-fonts.js';
import {
  type Block,
  type BlockOf,
  type ChartValue,
  type Fact,
  linkOf,
  type RenderedReport,
  type Report,
  type Source,
} from './report.js';

/** A4 in points. */
const page = { width: 595.28, height: 841.89, side: 58, top: 60, bottom: 54 } as const;
const bodyWidth = page.width - 2 * page.side;
const bodyHeight = page.height - page.top - page.bottom;

pdfmake.setFonts(fonts);
// Reports load no pictures, and no files but their fonts.
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy((path) =>
  Object.values(fonts).some(({ normal, bold }) => path === normal || path === bold),
);

/** Writes a report as a PDF with the used parts of its fonts. */
export async function renderPdf(report: Report): Promise<RenderedReport> {
  let pages = 0;
  const pdf = pdfmake.createPdf({
    pageSize: 'A4',
    pageMargins: [page.side, page.top, page.side, page.bottom],
    language: report.language,
    version: '1.7',
    info: {
      title: report.title,
      author: report.company,
      subject: report.subtitle,
      creationDate: report.createdAt,
    },
    defaultStyle: { font: 'latin', fontSize: 10, color: `#${colours.ink}` },
    styles,
    // A heading is not left alone at the foot of a page.
    pageBreakBefore: ({ headlineLevel: room, startPosition }) =>
      room !== undefined && startPosition.verticalRatio * bodyHeight + room > bodyHeight,
    background: (number) =>
      number === 1 ? { canvas: [rectangle(0, page.width, 14, colours.accent)] } : null,
    header: (number) =>
      number === 1 ? null : frameLine([page.side, 34, page.side, 0], report.company, report.title),
    footer: (number, count) => {
      pages = count;
      const label = report.pageLabel.replace('{page}', String(number)).replace('{pages}', String(count));
      return frameLine([page.side, 14, page.side, 0], report.date, label);
    },
    content: [
      ...titleBlock(report),
      ...report.blocks.flatMap((block, at) => drawBlock(block, roomAt(report.blocks, at))),
    ],
  });
  const content = await pdf.getBuffer();
  return { format: 'pdf', content: new Uint8Array(content), pages };
}

const styles = {
  subtitle: { fontSize: 13, bold: true, color: `#${colours.accent}` },
  title: { fontSize: 22, bold: true, margin: [0, 2, 0, 6] },
  company: { fontSize: 14, bold: true, margin: [0, 10, 0, 2] },
  heading1: { fontSize: 14, bold: true, color: `#${colours.accent}`, margin: [0, 10, 0, 2] },
  heading2: { fontSize: 12, bold: true, margin: [0, 9, 0, 3] },
  body: { margin: [0, 0, 0, 8] },
  strong: { bold: true, margin: [0, 0, 0, 4] },
  small: { fontSize: 8.6 },
  smallStrong: { fontSize: 8.6, bold: true },
  muted: { fontSize: 8.6, color: `#${colours.muted}` },
  link: { fontSize: 8.6, color: `#${colours.link}` },
  figure: { fontSize: 18, bold: true, color: `#${colours.accent}` },
  smallFigure: { fontSize: 13, bold: true, color: `#${colours.accent}` },
} as const satisfies Record<string, Style>;

function words(text: string, style: keyof typeof styles, more: object = {}) {
  return {
    text: runsOf(text),
    style,
    ...more,
  };
}

function rectangle(x: number, width: number, height: number, colour: string) {
  return { type: 'rect', x, y: 0, w: width, h: height, color: `#${colour}` } as const;
}

/** Text at the left, text at the right, and a line. */
function frameLine(margin: [number, number, number, number], left: string, right: string): Content {
  return {
    margin,
    columns: [words(shortened(left), 'muted'), words(shortened(right), 'muted', { alignment: 'right' })],
  };
}

function titleBlock({ subtitle, title, company, date, facts }: Report): Content[] {
  return [
    ...(subtitle === '' ? [] : [words(subtitle, 'subtitle')]),
    words(title, 'title'),
    { canvas: [rectangle(0, 90, 3, colours.accent)] },
    words(company, 'company'),
    words(date, 'body'),
    ...(facts.length === 0 ? [] : [factsTable(facts)]),
  ];
}

const draws: { [Type in Block['type']]: (block: BlockOf<Type>, room: number) => Content[] } = {
  heading: ({ level, text }, room) => [
    words(text, level === 1 ? 'heading1' : 'heading2', {
      headlineLevel: room,
      outline: true,
      outlineText: text,
    }),
    ...(level === 1
      ? [{ canvas: [rectangle(0, bodyWidth, 0.6, colours.accent)], margin: [0, 0, 0, 8] } as Content]
      : []),
  ],
  paragraph: ({ text }) => [words(text, 'body')],
  list: ({ items }) =>
    items.length === 0
      ? []
      : [{ ul: items.map((item) => words(item, 'body', { margin: [0, 0, 0, 3] })), margin: [0, 0, 0, 6] }],
  facts: ({ facts }) => (facts.length === 0 ? [] : [factsTable(facts)]),
  figures: drawFigures,
  note: ({ tone, text }) => [
    boxes(
      [[words(text, 'small')]],
      tone === 'caution' ? colours.cautionTint : colours.tint,
      tone === 'caution' ? colours.caution : colours.accent,
    ),
  ],
  table: drawTable,
  chart: ({ title, chart }) => {
    if (chart.values.length === 0) return [];
    return [
      {
        stack: [words(title, 'strong'), ...drawBars(chart.values, chart.maximum)],
        unbreakable: chart.values.length < LONG_CHART,
        margin: [0, 0, 0, 10],
      },
    ];
  },
  sources: ({ sources }) =>
    sources.length === 0 ? [] : [{ stack: sources.map(drawSource), margin: [0, 0, 0, 8] }],
};

function drawBlock<Type extends Block['type']>(block: BlockOf<Type>, room: number): Content[] {
  return (draws[block.type as Type] as (block: BlockOf<Type>, room: number) => Content[])(block, room);
}

const rule = { hLineWidth: 0.6, vLineWidth: 0, padding: { x: 5, y: 4 } } as const;

/** Lines between the rows. `accents`: rows with a strong line below. */
function rules(accents: ReadonlySet<number> = new Set()): CustomTableLayout {
  return {
    hLineWidth: () => rule.hLineWidth,
    vLineWidth: () => rule.vLineWidth,
    hLineColor: (row) => `#${accents.has(row) ? colours.accent : colours.rule}`,
    paddingLeft: () => rule.padding.x,
    paddingRight: () => rule.padding.x,
    paddingTop: () => rule.padding.y,
    paddingBottom: () => rule.padding.y,
  };
}

/** A longer row may break across pages, because one page may be too short for it. */
const LONG_CHARACTERS = 1_000;
/** Labels at the left, values at the right. */
function factsTable(facts: readonly Fact[]): Content {
  const { rows, isPaired } = factRows(facts);
  return {
    table: {
      dontBreakRows: facts.every(({ value }) => value.length <= LONG_CHARACTERS),
      widths: isPaired ? ['20%', '*', '20%', '*'] : ['34%', '*'],
      body: rows.map((row) =>
        row.flatMap((fact): TableCell[] => {
          const isAlone = isPaired && row.length === 1;
          const value = words(fact.value, 'small', isAlone ? { colSpan: 3 } : {});
          return [words(fact.label, 'smallStrong'), value, ...(isAlone ? ['', ''] : [])];
        }),
      ),
    },
    layout: rules(),
    margin: [0, 0, 0, 10],
  };
}

/** This many rows are kept together with the head. */
const SHORT_ROWS = 2;

/** A table that repeats its head on every page. */
function drawTable({ columns, rows, total }: BlockOf<'table'>): Content[] {
  const whole = columns.reduce((sum, { weight }) => sum + weight, 0);
  const rowOf = (cells: readonly string[], isStrong: boolean): TableCell[] =>
    columns.map(({ isNumber = false }, index) =>
      words(cells[index] ?? '', isStrong ? 'smallStrong' : 'small', {
        ...(isNumber && { alignment: 'right' }),
        ...(isStrong && { fillColor: `#${colours.tint}` }),
      }),
    );
  const body = [
    rowOf(
      columns.map(({ title }) => title),
      true,
    ),
    ...rows.map((cells) => rowOf(cells, false)),
    ...(total ? [rowOf(total, true)] : []),
  ];
  const isLong = rows.some((cells) => cells.some((cell) => cell.length > LONG_CHARACTERS));
  return [
    {
      table: {
        headerRows: 1,
        keepWithHeaderRows: isLong ? 0 : Math.min(rows.length, SHORT_ROWS),
        dontBreakRows: !isLong,
        widths: columns.map(({ weight }) => (bodyWidth * weight) / whole - 2 * rule.padding.x),
        body,
      },
      layout: rules(new Set([1, ...(total ? [rows.length + 1] : [])])),
      margin: [0, 0, 0, 12],
    },
  ];
}

/** Boxes side by side, each with a thick line at its left. */
function boxes(cells: readonly TableCell[][], fill: string, edge: string): Content {
  const gap = 10;
  const width = (bodyWidth - gap * (cells.length - 1)) / cells.length;
  return {
    columns: cells.map((stack): Column => ({
      width,
      table: { widths: ['*'], dontBreakRows: true, body: [[{ stack: stack as Content[] }]] },
      layout: {
        hLineWidth: () => 0,
        vLineWidth: (column) => (column === 0 ? 3 : 0),
        vLineColor: () => `#${edge}`,
        fillColor: () => `#${fill}`,
        paddingLeft: () => 10,
        paddingRight: () => 8,
        paddingTop: () => 7,
        paddingBottom: () => 7,
      },
    })),
    columnGap: gap,
    margin: [0, 0, 0, 12],
  };
}

function drawFigures({ figures }: BlockOf<'figures'>): Content[] {
  if (figures.length === 0) return [];
  const style = figures.length > 3 ? 'smallFigure' : 'figure';
  return [
    boxes(
      figures.map(({ label, value, detail }) => [
        words(label, 'muted'),
        words(value, style),
        words(detail, 'muted'),
      ]),
      colours.tint,
      colours.accent,
    ),
  ];
}

const plain: CustomTableLayout = {
  hLineWidth: () => 0,
  vLineWidth: () => 0,
  paddingLeft: () => 0,
  paddingRight: () => 8,
  paddingTop: () => 3,
  paddingBottom: () => 3,
};

const BAR_HEIGHT = 11;

/** Bars side by side on one scale. Each has its value beside it. */
function drawBars(values: readonly ChartValue[], maximum: number | null): Content[] {
  const end = scaleEnd(values, maximum);
  const [labelWidth, valueWidth] = [bodyWidth * 0.34, bodyWidth * 0.22];
  const scale = bodyWidth - labelWidth - valueWidth - 24;
  const bodyOf = ({ label, value, text }: ChartValue): TableCell[] => {
    const length = Math.max((scale * Math.min(Math.max(value, 0), end)) / end, 0.8);
    return [
      words(label, 'small', { alignment: 'right' }),
      {
        // A scale with a known end shows how much is missing.
        canvas: [
          ...(maximum === null ? [] : [rectangle(0, scale, BAR_HEIGHT, colours.tint)]),
          rectangle(0, length, BAR_HEIGHT, colours.accent),
        ],
      },
      words(text, 'smallStrong'),
    ];
  };
  return [{ table: { widths: [labelWidth, scale, valueWidth], body: values.map(bodyOf) }, layout: plain }];
}

function drawSource(source: Source, index: number): Content {
  const link = linkOf(source);
  return {
    unbreakable: true,
    columns: [
      words(`${index + 1}.`, 'small', { width: 20 }),
      {
        style: 'small',
        text: [
          ...runsOf(`${source.text} `),
          ...(link === null ? [] : runsOf(link).map((run) => ({ ...run, style: 'link', link }))),
        ],
      },
    ],
    margin: [0, 0, 0, 5],
  };
}
