import { colours } from '../look.js';
import type { BlockOf, Column } from '../report.js';
import { bodyWidth, page, type PdfPage, styles } from './pdf-page.js';
import { type Line, lineHeight, type TextStyle } from './pdf-text.js';

const PADDING = { x: 5, y: 4 };
/** A table of this height, in points, is kept together. */
const SHORT = 200;

interface Cell {
  x: number;
  width: number;
  isEnd: boolean;
  lines: readonly Line[];
}

interface Look {
  style: TextStyle;
  background: string | null;
  ruleColour: string;
}

const looks = {
  head: { style: styles.smallStrong, background: colours.tint, ruleColour: colours.accent },
  row: { style: styles.small, background: null, ruleColour: colours.rule },
  total: { style: styles.smallStrong, background: colours.tint, ruleColour: colours.accent },
} as const satisfies Record<string, Look>;

/** Draws a table over as many pages as it takes, with its head on each; a row that is taller than a page is cut. */
export const drawTable = (pdf: PdfPage, table: BlockOf<'table'>): void => {
  const widths = columnWidths(table.columns);
  const rowOf = (cells: readonly string[], { style }: Look): Cell[] =>
    layOut(pdf, cells, table.columns, widths, style);
  const head = rowOf(
    table.columns.map(({ title }) => title),
    looks.head,
  );
  const drawHead = (): void => drawRow(pdf, head, looks.head);
  const rows = [
    ...table.rows.map((cells) => ({ cells: rowOf(cells, looks.row), look: looks.row })),
    ...(table.total ? [{ cells: rowOf(table.total, looks.total), look: looks.total }] : []),
  ];
  const heights = rows.map(({ cells, look }) => heightOf(cells, look));
  const whole = heights.reduce((sum, height) => sum + height, 0);
  pdf.keep(heightOf(head, looks.head) + (whole <= SHORT ? whole : Math.min(heights[0] ?? 0, SHORT)));
  drawHead();
  for (const { cells, look } of rows) drawWhole(pdf, cells, look, drawHead);
};

const columnWidths = (columns: readonly Column[]): number[] => {
  const whole = columns.reduce((sum, { weight }) => sum + weight, 0);
  return columns.map(({ weight }) => (bodyWidth * weight) / whole);
};

const layOut = (
  pdf: PdfPage,
  cells: readonly string[],
  columns: readonly Column[],
  widths: readonly number[],
  style: TextStyle,
): Cell[] => {
  let x: number = page.left;
  return columns.map(({ isNumber = false }, index) => {
    const width = widths[index] ?? 0;
    const inner = width - 2 * PADDING.x;
    const cell = {
      x: x + PADDING.x,
      width: inner,
      isEnd: isNumber,
      lines: pdf.text.lines(cells[index] ?? '', style, inner),
    };
    x += width;
    return cell;
  });
};

const heightOf = (cells: readonly Cell[], { style }: Look): number =>
  Math.max(...cells.map(({ lines }) => lines.length)) * lineHeight(style) + 2 * PADDING.y;

/** Draws a row, on the next page where it does not fit on this one, and in parts where it fits on none. */
const drawWhole = (pdf: PdfPage, cells: readonly Cell[], look: Look, drawHead: () => void): void => {
  let rest = cells;
  if (heightOf(rest, look) > pdf.room) {
    pdf.next();
    drawHead();
  }
  while (heightOf(rest, look) > pdf.room) {
    const count = Math.max(1, Math.floor((pdf.room - 2 * PADDING.y) / lineHeight(look.style)));
    drawRow(
      pdf,
      rest.map((cell) => ({ ...cell, lines: cell.lines.slice(0, count) })),
      look,
    );
    rest = rest.map((cell) => ({ ...cell, lines: cell.lines.slice(count) }));
    pdf.next();
    drawHead();
  }
  drawRow(pdf, rest, look);
};

const drawRow = (pdf: PdfPage, cells: readonly Cell[], look: Look): void => {
  const height = heightOf(cells, look);
  if (look.background) pdf.paint({ x: page.left, y: pdf.y, width: bodyWidth, height }, look.background);
  for (const { x, width, isEnd, lines } of cells)
    pdf.text.draw(lines, { x, top: pdf.y + PADDING.y, width, isEnd }, look.style);
  pdf.y += height;
  pdf.rule(pdf.y - 0.6, look.ruleColour);
};
