import Pdf from 'pdfkit';

import { colours } from '../look.js';
import type { RenderedReport, Report } from '../report.js';
import { drawBlock, drawFacts } from './pdf-blocks.js';
import { bodyWidth, page, PdfPage, styles } from './pdf-page.js';
import { lineHeight } from './pdf-text.js';

/** Sets a report as a PDF whose fonts are in the file, as far as they are used. */
export const renderPdf = async (report: Report): Promise<RenderedReport> => {
  const document = new Pdf({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: report.language,
    displayTitle: true,
    pdfVersion: '1.7',
    info: {
      Title: report.title,
      Author: report.company,
      Subject: report.subtitle,
      CreationDate: report.createdAt,
    },
  });
  const content = contentOf(document);
  const pdf = new PdfPage(document);
  drawCover(pdf, report);
  for (const block of report.blocks) drawBlock(pdf, block);
  const { count } = document.bufferedPageRange();
  for (let number = 1; number <= count; number += 1) {
    document.switchToPage(number - 1);
    drawFrame(pdf, report, number, count);
  }
  document.end();
  return { format: 'pdf', content: await content, pages: count };
};

const contentOf = (document: PDFKit.PDFDocument): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))));
    document.on('error', reject);
  });

const COVER_BAND = 250;

const drawCover = (pdf: PdfPage, report: Report): void => {
  pdf.paint({ x: 0, y: 0, width: page.width, height: 14 }, colours.accent);
  const at = { x: page.left, width: bodyWidth };
  const draw = (
    text: string,
    style: (typeof styles)['title' | 'subtitle' | 'company'],
    gap: number,
  ): void => {
    pdf.flow(pdf.text.lines(text, style, bodyWidth), style, at);
    pdf.y += gap;
  };
  pdf.y = COVER_BAND - lineHeight(styles.subtitle) - 10;
  draw(report.subtitle, styles.subtitle, 6);
  draw(report.title, styles.title, 10);
  pdf.paint({ x: page.left, y: pdf.y, width: 90, height: 3 }, colours.accent);
  pdf.y += 22;
  draw(report.company, styles.company, 4);
  pdf.flow(pdf.text.lines(report.date, styles.body, bodyWidth), styles.body, at);
  pdf.y += 30;
  if (report.facts.length > 0) {
    pdf.rule(pdf.y - 0.6);
    drawFacts(pdf, report.facts);
  }
  pdf.next();
};

/** Header and footer; the cover has a footer only. */
const drawFrame = (pdf: PdfPage, report: Report, number: number, count: number): void => {
  const footTop = page.height - 46;
  pdf.rule(footTop - 8);
  const label = report.pageLabel.replace('{page}', String(number)).replace('{pages}', String(count));
  const half = { x: page.left, width: bodyWidth, top: footTop };
  pdf.text.draw([pdf.text.shortened(report.date, styles.muted, bodyWidth / 2)], half, styles.muted);
  pdf.text.draw(
    [pdf.text.shortened(label, styles.muted, bodyWidth / 2)],
    { ...half, isEnd: true },
    styles.muted,
  );
  if (number === 1) return;
  const head = { x: page.left, width: bodyWidth, top: 36 };
  pdf.text.draw([pdf.text.shortened(report.company, styles.muted, bodyWidth * 0.48)], head, styles.muted);
  pdf.text.draw(
    [pdf.text.shortened(report.title, styles.muted, bodyWidth * 0.48)],
    { ...head, isEnd: true },
    styles.muted,
  );
  pdf.rule(56);
};
