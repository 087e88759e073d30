import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';

import { drawingOf } from './drawing.js';
import { loadPdfjs } from './load-pdfjs.js';

type Visibility = Awaited<ReturnType<PDFDocumentProxy['getOptionalContentConfig']>>;

/** Knows which layers are switched off. pdfjs tells it only with the operator list of a page. */
export class HiddenLayers {
  private constructor(private readonly visibility: Visibility) {}

  /** Null: none is switched off. */
  static async of(document: PDFDocumentProxy): Promise<HiddenLayers | null> {
    const visibility = await document.getOptionalContentConfig().catch(() => null);
    if (visibility === null) return null;
    const groups = [...visibility] as [string, { visible: boolean }][];
    return groups.some(([, { visible }]) => !visible) ? new HiddenLayers(visibility) : null;
  }

  /**
   * The indexes, from 0, of a page's layer marks that belong to hidden layers. `count`: the number of layer marks in
   * the text. Empty if marks and layers do not match: hidden text is better than lost text.
   */
  async marksOf(page: PDFPageProxy, count: number): Promise<ReadonlySet<number>> {
    const { OPS } = await loadPdfjs();
    const { fnArray, argsArray } = await drawingOf(page);
    const marks = fnArray.flatMap((operator, index) => {
      const [tag, group] = (argsArray[index] ?? []) as unknown[];
      if (operator !== OPS.beginMarkedContentProps || tag !== 'OC') return [];
      const next = fnArray[index + 1];
      const isBeforeForm = next === OPS.paintFormXObjectBegin || next === OPS.beginGroup;
      return [{ isHidden: !this.visibility.isVisible(group), isBeforeForm }];
    });
    // A form may itself be on a layer, which the text does not mention.
    const ofText = marks.length === count ? marks : marks.filter(({ isBeforeForm }) => !isBeforeForm);
    if (ofText.length !== count) return new Set();
    return new Set(ofText.flatMap(({ isHidden }, index) => (isHidden ? [index] : [])));
  }
}
