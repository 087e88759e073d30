import { atHeight, type TextHeight } from '../markdown/raised-text.js';
import { alternativeOf, childAt, childrenOf, textOf, type XmlElement } from '../xml/xml-element.js';
import { formulaText } from '../docx/formula.js';

/** The text of a DrawingML paragraph (a:p) with its line breaks. */
export function drawingText(paragraph: XmlElement): string {
  return childrenOf(paragraph)
    .map((child) => {
      switch (child.name) {
        case 'a:r':
        case 'a:fld':
          return atHeight(childrenOf(child, 'a:t').map(textOf).join(''), heightOf(child));
        case 'a:br':
          return '\n';
        case 'mc:AlternateContent': {
          const alternative = alternativeOf(child);
          return alternative ? drawingText(alternative) : '';
        }
        default:
          return child.name.endsWith(':m') || child.name.startsWith('m:') ? formulaText(child) : '';
      }
    })
    .join('');
}

/** The baseline attribute: thousandths of a percent, or a percentage; positive means raised. */
function heightOf(run: XmlElement): TextHeight {
  const baseline = Number.parseFloat(childAt(run, 'a:rPr')?.attributes['baseline'] ?? '0');
  if (baseline > 0) return 'raised';
  return baseline < 0 ? 'lowered' : null;
}
