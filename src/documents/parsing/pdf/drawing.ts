import type { PDFPageProxy } from 'pdfjs-dist';

import { loadPdfjs } from './load-pdfjs.js';

/** What pdfjs gives to be drawn. */
export interface Drawing {
  fnArray: readonly number[];
  argsArray: readonly unknown[];
}

/** Fewer are frames and rules; more may be text as outlines. */
const MIN_PATHS = 50;
/** Pictures are drawn in a square of 1 by 1, which is made as large as they are to be, in points. */
const MIN_PICTURE = 16;

/** Whether there are pictures or drawings on a page: pictures leave no trace but how large they would have been. */
export const hasDrawing = async (page: PDFPageProxy): Promise<boolean> => {
  const { OPS } = await loadPdfjs();
  const drawing: Drawing = await page.getOperatorList().catch(() => ({ fnArray: [], argsArray: [] }));
  const paths = drawing.fnArray.filter((operator) => operator === OPS.constructPath).length;
  return (
    paths >= MIN_PATHS ||
    drawing.fnArray.some(
      (operator, index) => operator === OPS.transform && isPictureSize(drawing.argsArray[index]),
    )
  );
};

const isPictureSize = (matrix: unknown): boolean => {
  const [a, b, c, d] = Array.from((matrix ?? []) as ArrayLike<unknown>, Number) as [
    number,
    number,
    number,
    number,
  ];
  return Math.min(Math.hypot(a, b), Math.hypot(c, d)) >= MIN_PICTURE;
};
