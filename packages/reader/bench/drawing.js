/** Draws sections of a text as PDF in a layout: first where each line stands, then how it is written. */
import { chineseWriter, drawnPdf } from '../dist/pdf/fixtures/drawn-pdf.double.js';

const MARGIN = 56;
const ASIDE_WIDTH = 130;
const SMALL = 7;

/** Lines of words or, in Chinese, of characters; the first is shorter by `indent`. */
function linesOf(text, width, indent, widthOf) {
  const parts = text.match(/\p{Script=Han}|[^\s\p{Script=Han}]+\s*|\s+/gu) ?? [];
  const lines = [''];
  for (const part of parts) {
    const room = width - (lines.length === 1 ? indent : 0);
    if (widthOf(lines.at(-1) + part.trimEnd()) > room) lines.push('');
    lines[lines.length - 1] += part;
  }
  return lines.map((line) => line.trimEnd());
}

export function labelOf(index, isChinese) {
  return isChinese ? `第${index + 1}條` : `Article ${index + 1}`;
}

export function sentencesOf(text) {
  return text.match(/[^.。]+(?:[.。]+\s*|$)/gu) ?? [text];
}

/** Where lines stand: column by column, page by page. */
class Pages {
  /** The lines of each page, in the order in which they are read. */
  pages = [[]];
  column = 0;
  y = MARGIN;

  constructor({ columns, gap, pitch }, { width, bottom }) {
    Object.assign(this, { columns, pitch, bottom, step: width + gap });
  }

  /** A line at `x` in the column; the next one stands under it. */
  add(text, x, { isFull = false, beside = '' } = {}) {
    if (this.y > this.bottom) [this.column, this.y] = [this.column + 1, MARGIN];
    if (this.column === this.columns) {
      this.pages.push([]);
      this.column = 0;
    }
    const left = MARGIN + this.column * this.step;
    const line = { y: this.y, right: left + this.step };
    if (beside !== '') this.pages.at(-1).push({ ...line, text: beside, x: left, isFull: false });
    this.pages.at(-1).push({ ...line, text, x: left + x, isFull });
    this.y += this.pitch;
  }
}

/** The lines of the pages and, of each section, the page on which it begins. */
function laidOut(sections, layout, isChinese, { width, bottom, widthOf }) {
  const { label, hang, indent, bullet, size } = layout;
  const pages = new Pages(layout, { width, bottom });
  const begins = [];
  const isBefore = label === 'before';
  for (const [index, text] of sections.entries()) {
    const name = labelOf(index, isChinese);
    if (label === 'above') pages.add(name, 0);
    const first = indent + (isBefore ? widthOf(name) + size : 0);
    const lines = (bullet === '' ? [text] : sentencesOf(text)).flatMap((paragraph) =>
      linesOf(bullet + paragraph, width - hang, first, widthOf).map((line, at, all) => ({
        line,
        x: hang + (at === 0 ? first : 0),
        isFull: at < all.length - 1,
      })),
    );
    for (const [at, { line, x, isFull }] of lines.entries()) {
      const beside = at === 0 && (isBefore || label === 'beside') ? name : '';
      pages.add(line, x, { isFull, beside });
      if (at === 0) begins.push(pages.pages.length);
    }
    pages.y += layout.after * layout.pitch;
  }
  return { pages: pages.pages, begins };
}

/** What is drawn of a page besides its lines, in the places where programs have it. */
class Painter {
  constructor(document, layout, isChinese) {
    Object.assign(this, { document, layout, isChinese, chinese: chineseWriter(document) });
    const { columns, gap, pitch, aside } = layout;
    this.room = document.page.width - 2 * MARGIN - (aside === '' ? 0 : ASIDE_WIDTH + gap);
    this.width = (this.room - gap * (columns - 1)) / columns;
    this.bottom = document.page.height - MARGIN - 2 * pitch;
  }

  widthOf = (text) => {
    const { font, size } = this.layout;
    return this.isChinese ? size * text.length : this.document.font(font).fontSize(size).widthOfString(text);
  };

  put(text, x, y, size = this.layout.size) {
    if (this.isChinese) this.chinese(text, { x, y, size });
    else this.document.font(this.layout.font).fontSize(size).text(text, x, y, { lineBreak: false });
  }

  page(lines, number) {
    const { order, rotation } = this.layout;
    this.behind();
    for (const line of order === 'lines' ? lines.toSorted((one, other) => one.y - other.y) : lines)
      this.line(line);
    this.margins(lines, number);
    this.rules();
    this.aside();
    if (rotation !== 0) this.document.page.dictionary.data.Rotate = rotation;
  }

  /** A line by the parts that are written by one command each. */
  line({ text, x, y, right, isFull }) {
    const { written, isJustified, gap } = this.layout;
    const words = text.split(' ');
    const isSpread = isJustified && isFull && words.length > 1;
    const parts = { line: [text], word: words, character: [...text] }[isSpread ? 'word' : written];
    const left = right - gap - x - this.widthOf(words.join(''));
    const blank = isSpread ? left / (words.length - 1) : written === 'word' ? this.widthOf(' ') : 0;
    let at = x;
    for (const part of parts) {
      if (part !== ' ') this.put(part, at, y);
      at += this.widthOf(part) + blank;
    }
  }

  behind() {
    const { room, bottom, document } = this;
    const { watermark } = this.layout;
    if (watermark === '') return;
    document.save().rotate(-45, { origin: [room / 2, bottom / 2] });
    document.fillColor('#dddddd').font('Helvetica').fontSize(90);
    document.text(watermark, room / 4, bottom / 2, { lineBreak: false });
    document.restore().fillColor('black');
  }

  margins(lines, number) {
    const { head, foot, footnote, areLinesNumbered, size, pitch } = this.layout;
    const { room, bottom, document } = this;
    const put = (text, ...place) => text !== '' && this.put(text.replace('{page}', number), ...place);
    put(head, MARGIN, MARGIN / 2);
    put(footnote, MARGIN, bottom + 2 * pitch, SMALL);
    put(foot, MARGIN + room / 2, document.page.height - MARGIN / 2 - size);
    if (!areLinesNumbered) return;
    for (const [index, { y }] of lines.entries())
      if (index % 5 === 4) put(`${index + 1}`, MARGIN / 2, y, SMALL);
  }

  rules() {
    const { document, room, bottom, width } = this;
    const { rules, gap, pitch } = this.layout;
    const middle = MARGIN + width + gap / 2;
    if (rules === 'page') document.rect(46, 46, room + 20, bottom - MARGIN + 3 * pitch).stroke();
    if (rules === 'columns') document.moveTo(middle, MARGIN).lineTo(middle, bottom).stroke();
  }

  aside() {
    const { aside, gap, pitch } = this.layout;
    if (aside === '') return;
    const left = MARGIN + this.room + gap;
    this.document.rect(left, MARGIN, ASIDE_WIDTH, 8 * pitch).stroke();
    const lines = linesOf(aside, ASIDE_WIDTH - 20, 0, this.widthOf);
    for (const [row, line] of lines.entries()) this.put(line, left + 10, MARGIN + 10 + row * pitch);
  }
}

/** The PDF of sections and, of each, the page on which it begins. */
export async function drawn(sections, layout, isChinese) {
  let begins = [];
  const bytes = await drawnPdf(
    (document) => {
      const painter = new Painter(document, layout, isChinese);
      const laid = laidOut(sections, layout, isChinese, painter);
      begins = laid.begins;
      for (const [at, lines] of laid.pages.entries()) {
        if (at > 0) document.addPage();
        painter.page(lines, at + 1);
      }
    },
    { ...layout.page, margin: 0 },
  );
  return { bytes, begins };
}
