import { colours } from '../look.js';
import { type Block, type BlockOf, type Fact, linkOf } from '../report.js';
import { drawChart } from './pdf-chart.js';
import { bodyWidth, page, type PdfPage, styles } from './pdf-page.js';
import { drawTable } from './pdf-table.js';
import { lineHeight } from './pdf-text.js';

type Draw<Type extends Block['type']> = (pdf: PdfPage, block: BlockOf<Type>) => void;

const drawHeading: Draw<'heading'> = (pdf, { level, text }) => {
  const style = level === 1 ? styles.heading1 : styles.heading2;
  const lines = pdf.text.lines(text, style, bodyWidth);
  pdf.skip(level === 1 ? 14 : 8);
  // A heading does not stand alone at the foot of a page.
  pdf.keep(lines.length * lineHeight(style) + 110);
  pdf.document.outline.addItem(text);
  pdf.flow(lines, style);
  if (level === 1) pdf.rule(pdf.y + 1, colours.accent);
  pdf.y += level === 1 ? 8 : 2;
};

const drawParagraph: Draw<'paragraph'> = (pdf, { text }) =>
  pdf.flow(pdf.text.lines(text, styles.body, bodyWidth), styles.body);

const drawList: Draw<'list'> = (pdf, { items }) => {
  const indent = 14;
  for (const item of items) {
    pdf.keep(lineHeight(styles.body));
    pdf.text.draw(
      pdf.text.lines('•', styles.body, indent),
      { x: page.left + 3, top: pdf.y, width: indent },
      styles.body,
    );
    const width = bodyWidth - indent;
    pdf.flow(pdf.text.lines(item, styles.body, width), styles.body, { x: page.left + indent, width });
    pdf.y += 2;
  }
};

const LABEL_SHARE = 0.34;

/** Labels at the left, what they are at the right. */
export const drawFacts = (pdf: PdfPage, facts: readonly Fact[]): void => {
  const labelWidth = bodyWidth * LABEL_SHARE;
  const width = bodyWidth - labelWidth;
  for (const { label, value } of facts) {
    const names = pdf.text.lines(label, styles.smallStrong, labelWidth - 10);
    const values = pdf.text.lines(value, styles.small, width);
    const height = Math.max(names.length, Math.min(values.length, 12)) * lineHeight(styles.small) + 8;
    pdf.keep(height);
    const start = pdf.y;
    pdf.text.draw(names, { x: page.left, top: start + 4, width: labelWidth }, styles.smallStrong);
    pdf.y += 4;
    pdf.flow(values, styles.small, { x: page.left + labelWidth, width });
    pdf.y = Math.max(pdf.y + 4, pdf.y > start ? start + height : 0);
    pdf.rule(pdf.y - 0.6);
  }
};

const drawFigures: Draw<'figures'> = (pdf, { figures }) => {
  const gap = 10;
  const width = (bodyWidth - gap * (figures.length - 1)) / figures.length;
  const inner = width - 20;
  const fits = figures.every(({ value }) => pdf.text.lines(value, styles.figure, inner).length === 1);
  const valueStyle = fits ? styles.figure : styles.smallFigure;
  const cards = figures.map(({ label, value, detail }) => ({
    label: pdf.text.lines(label, styles.muted, inner),
    value: pdf.text.lines(value, valueStyle, inner),
    detail: detail === '' ? [] : pdf.text.lines(detail, styles.muted, inner),
  }));
  const labelLines = Math.max(...cards.map(({ label }) => label.length));
  const heights = cards.map(
    ({ value, detail }) =>
      (labelLines + detail.length) * lineHeight(styles.muted) + value.length * lineHeight(valueStyle),
  );
  const height = Math.max(...heights) + 18;
  pdf.keep(height);
  for (const [index, { label, value, detail }] of cards.entries()) {
    const x = page.left + index * (width + gap);
    pdf.paint({ x, y: pdf.y, width, height }, colours.tint);
    pdf.paint({ x, y: pdf.y, width: 3, height }, colours.accent);
    const at = { x: x + 12, width: inner };
    let top = pdf.y + 9;
    pdf.text.draw(label, { ...at, top }, styles.muted);
    top += labelLines * lineHeight(styles.muted);
    pdf.text.draw(value, { ...at, top }, valueStyle);
    top += value.length * lineHeight(valueStyle);
    pdf.text.draw(detail, { ...at, top }, styles.muted);
  }
  pdf.y += height;
};

const drawNote: Draw<'note'> = (pdf, { tone, text }) => {
  const isCaution = tone === 'caution';
  const width = bodyWidth - 24;
  const lines = pdf.text.lines(text, styles.small, width);
  pdf.keep(Math.min(lines.length * lineHeight(styles.small), 120) + 14);
  pdf.y += 7;
  pdf.flow(lines, styles.small, { x: page.left + 14, width }, ({ y, height }) => {
    const box = { x: page.left, y: y - 7, height: height + 14 };
    pdf.paint({ ...box, width: bodyWidth }, isCaution ? colours.cautionTint : colours.tint);
    pdf.paint({ ...box, width: 3 }, isCaution ? colours.caution : colours.accent);
  });
  pdf.y += 7;
};

const drawSources: Draw<'sources'> = (pdf, { sources }) => {
  const indent = 20;
  const width = bodyWidth - indent;
  for (const [index, source] of sources.entries()) {
    const lines = pdf.text.lines(source.text, styles.small, width);
    pdf.keep(Math.min(lines.length + 1, 6) * lineHeight(styles.small));
    pdf.text.draw(
      pdf.text.lines(`${index + 1}.`, styles.small, indent),
      { x: page.left, top: pdf.y, width: indent },
      styles.small,
    );
    pdf.flow(lines, styles.small, { x: page.left + indent, width });
    const link = linkOf(source);
    if (link !== null) {
      pdf.flow(
        pdf.text.lines(link, styles.link, width),
        styles.link,
        { x: page.left + indent, width },
        ({ y, height }) => {
          pdf.document.link(page.left + indent, y, width, height, link);
        },
      );
    }
    pdf.y += 5;
  }
};

const draws: { [Type in Block['type']]: Draw<Type> } = {
  heading: drawHeading,
  paragraph: drawParagraph,
  list: drawList,
  facts: (pdf, { facts }) => drawFacts(pdf, facts),
  figures: drawFigures,
  note: drawNote,
  table: drawTable,
  chart: drawChart,
  sources: drawSources,
};

/** The space below each block. */
const GAP = 9;

export const drawBlock = <Type extends Block['type']>(pdf: PdfPage, block: BlockOf<Type>): void => {
  const draw = draws[block.type as Type] as Draw<Type>;
  draw(pdf, block);
  pdf.y += block.type === 'heading' ? 0 : GAP;
};
