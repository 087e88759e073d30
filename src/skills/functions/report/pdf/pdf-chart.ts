import { colours, scaleEnd, seriesColour } from '../look.js';
import type { BlockOf, Chart, ChartValue } from '../report.js';
import { bodyWidth, page, type PdfPage, styles } from './pdf-page.js';
import { lineHeight } from './pdf-text.js';

const BAR_HEIGHT = 12;
const BAR_GAP = 7;
const LABEL_SHARE = 0.36;
const GAP = 8;

/** Draws a chart as lines and areas, sharp at any size, with every value written beside it. */
export const drawChart = (pdf: PdfPage, { title, chart }: BlockOf<'chart'>): void => {
  if (chart.values.length === 0) return;
  const heading = pdf.text.lines(title, styles.strong, bodyWidth);
  pdf.keep(heading.length * lineHeight(styles.strong) + 4 + Math.min(heightOf(pdf, chart), 420));
  pdf.flow(heading, styles.strong);
  pdf.y += 4;
  if (chart.kind === 'bars') drawBars(pdf, chart);
  else drawParts(pdf, chart);
};

const labelWidth = bodyWidth * LABEL_SHARE;

const labelOf = (pdf: PdfPage, { label }: ChartValue) =>
  pdf.text.lines(label, styles.small, labelWidth - GAP);

const rowHeight = (lines: number): number => Math.max(lines * lineHeight(styles.small), BAR_HEIGHT) + BAR_GAP;

const heightOf = (pdf: PdfPage, chart: Chart): number =>
  chart.kind === 'bars'
    ? chart.values.reduce((sum, value) => sum + rowHeight(labelOf(pdf, value).length), 0)
    : 28 + chart.values.length * (lineHeight(styles.small) + 3);

const drawBars = (pdf: PdfPage, { values, maximum }: Chart): void => {
  const end = scaleEnd(values, maximum);
  const widest = Math.max(...values.map(({ text }) => pdf.text.widthOf(text, styles.smallStrong)));
  const x = page.left + labelWidth;
  const scale = bodyWidth - labelWidth - widest - GAP;
  for (const value of values) {
    const lines = labelOf(pdf, value);
    const height = rowHeight(lines.length);
    pdf.keep(height);
    const middle = pdf.y + (height - BAR_GAP) / 2;
    const top = middle - (lines.length * lineHeight(styles.small)) / 2;
    pdf.text.draw(lines, { x: page.left, top, width: labelWidth - GAP, isEnd: true }, styles.small);
    const length = (scale * Math.min(Math.max(value.value, 0), end)) / end;
    const bar = { x, y: middle - BAR_HEIGHT / 2, height: BAR_HEIGHT };
    // A scale with a known end shows how much is missing to it.
    if (maximum !== null) pdf.paint({ ...bar, width: scale }, colours.tint);
    pdf.paint({ ...bar, width: Math.max(length, 0.8) }, seriesColour(0));
    const textTop = middle - lineHeight(styles.smallStrong) / 2;
    const textAt = maximum === null ? x + length : x + scale;
    pdf.text.draw(
      pdf.text.lines(value.text, styles.smallStrong, widest + 1),
      { x: textAt + GAP / 2, top: textTop, width: widest },
      styles.smallStrong,
    );
    pdf.y += height;
  }
};

/** The legend stands below, as a table would: nothing is told by colour alone. */
const drawParts = (pdf: PdfPage, { values }: Chart): void => {
  const whole = values.reduce((sum, { value }) => sum + Math.max(value, 0), 0) || 1;
  let x: number = page.left;
  for (const [index, { value }] of values.entries()) {
    const width = (bodyWidth * Math.max(value, 0)) / whole;
    if (width > 0)
      pdf.paint({ x, y: pdf.y, width: Math.max(width - 1, 0.5), height: 20 }, seriesColour(index));
    x += width;
  }
  pdf.y += 28;
  for (const [index, { label, text }] of values.entries()) {
    const height = lineHeight(styles.small);
    pdf.paint({ x: page.left, y: pdf.y + 2, width: 9, height: 9 }, seriesColour(index));
    const left = page.left + 16;
    const textWidth = pdf.text.widthOf(text, styles.smallStrong);
    const shown = pdf.text.shortened(label, styles.small, bodyWidth - 16 - textWidth - GAP);
    pdf.text.draw([shown], { x: left, top: pdf.y, width: bodyWidth }, styles.small);
    pdf.text.draw(
      pdf.text.lines(text, styles.smallStrong, textWidth + 1),
      { x: page.left, top: pdf.y, width: bodyWidth, isEnd: true },
      styles.smallStrong,
    );
    pdf.y += height + 3;
  }
};
