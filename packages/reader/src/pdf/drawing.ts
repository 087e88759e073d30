import type { PDFPageProxy } from 'pdfjs-dist';

import { loadPdfjs } from './load-pdfjs.js';

/** pdfjs's operator list. */
export interface Drawing {
  fnArray: readonly number[];
  argsArray: readonly unknown[];
}

/** Fewer are frames and rules; more may be text as outlines. */
const MIN_PATHS = 50;
/** The minimum size in points. Pictures are drawn in a unit square that is scaled up. */
const MIN_PICTURE = 16;

/** Pictures that cover more of a page are a scan, in one picture or in bands. */
const PAGE_SHARE = 0.6;
/** The text rendering mode that draws nothing. */
const INVISIBLE = 3;

/** Empty where drawings are damaged: the text of such a page may be intact. */
export async function drawingOf(page: PDFPageProxy): Promise<Drawing> {
  return page.getOperatorList().catch(() => ({ fnArray: [], argsArray: [] }));
}

/** Whether there are pictures or drawings on a page. Pictures are not decoded; only their sizes are known. */
export async function hasDrawing(page: PDFPageProxy): Promise<boolean> {
  const { OPS } = await loadPdfjs();
  const drawing = await drawingOf(page);
  const paths = drawing.fnArray.filter((operator) => operator === OPS.constructPath).length;
  return (
    paths >= MIN_PATHS ||
    drawing.fnArray.some(
      (operator, index) => operator === OPS.transform && isPictureSize(drawing.argsArray[index]),
    )
  );
}

/** Whether pictures cover a page that has no invisible text layer with their words. */
export async function isScan(page: PDFPageProxy): Promise<boolean> {
  const { OPS } = await loadPdfjs();
  const drawing = await drawingOf(page);
  const isRecognised = drawing.fnArray.some(
    (operator, index) =>
      operator === OPS.setTextRenderingMode && numbersOf(drawing.argsArray[index])[0] === INVISIBLE,
  );
  const { width, height } = page.getViewport({ scale: 1 });
  const scale = page.userUnit;
  return !isRecognised && pictureArea(drawing, OPS) * scale * scale >= PAGE_SHARE * Math.abs(width * height);
}

/** The area of all pictures in square points, from the last scaling before each. */
function pictureArea({ fnArray, argsArray }: Drawing, OPS: Readonly<Record<string, number>>): number {
  const outer: number[] = [];
  let [size, area] = [1, 0];
  for (const [index, operator] of fnArray.entries()) {
    const isForm = operator === OPS.paintFormXObjectBegin;
    if (operator === OPS.save || isForm) outer.push(size);
    else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) size = outer.pop() ?? size;
    if (isForm) size *= areaOf((argsArray[index] as unknown[] | null)?.[0] ?? unit);
    if (operator !== OPS.transform) continue;
    size *= areaOf(argsArray[index]);
    const next = fnArray[index + 1];
    if (next === undefined || next === OPS.restore) area += size;
  }
  return area;
}

const unit = [1, 0, 0, 1, 0, 0];

function areaOf(matrix: unknown): number {
  const [a = 0, b = 0, c = 0, d = 0] = numbersOf(matrix);
  return Math.abs(a * d - b * c);
}

function numbersOf(list: unknown): number[] {
  return Array.from((list ?? []) as ArrayLike<unknown>, Number);
}

function isPictureSize(matrix: unknown): boolean {
  const [a = 0, b = 0, c = 0, d = 0] = numbersOf(matrix);
  return Math.min(Math.hypot(a, b), Math.hypot(c, d)) >= MIN_PICTURE;
}
