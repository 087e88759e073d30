import type { ReadPages } from '../../page-reader.js';
import { DocumentRefused } from '../../parsed-document.js';
import { counted } from '../package/lost.js';
import { OfficePackage } from '../package/office-package.js';
import { childAt, childrenOf } from '../xml/xml-element.js';
import { elementOf } from '../xml/xml-reader.js';
import { Slides } from './slides.js';

function hiddenSlides(count: number): string {
  return `${counted(count, 'hidden slide')} read like the others.`;
}
function slidesWithoutText(count: number): string {
  return `${counted(count, 'slide')} without text.`;
}

/** Reads presentations (.pptx, .pptm, .ppsx, .potx). Each slide with its notes is a page. */
export const readPptx: ReadPages = async function* ({ bytes }) {
  const file = await OfficePackage.open(bytes);
  const main = file.mainPart('ppt/presentation.xml');
  if (!main)
    throw new DocumentRefused(
      'The file holds no presentation. Open it in PowerPoint or LibreOffice, save it as .pptx and upload that.',
    );
  const relationships = file.relationshipsOf(main.name);
  const ids = childrenOf(childAt(elementOf(main.bytes), 'p:sldIdLst'), 'p:sldId');
  const slides = new Slides(file);
  for (const [index, { attributes }] of ids.entries()) {
    const part = relationships.get(attributes['r:id'] ?? '')?.target ?? null;
    const slide = slides.read(part, index + 1);
    if (slide?.isHidden) file.lost.count(hiddenSlides);
    if (slide?.markdown === '') file.lost.count(slidesWithoutText);
    yield { number: index + 1, markdown: slide?.markdown ?? '' };
  }
  return { pages: ids.length, warnings: file.lost.warnings() };
};
