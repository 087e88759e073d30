import { alternativeOf, childrenOf, type XmlElement } from '../xml/xml-element.js';
import { formulaText } from '../docx/formula.js';

/** The characters of a DrawingML paragraph (a:p); line breaks are kept. */
export const drawingText = (paragraph: XmlElement): string =>
  childrenOf(paragraph)
    .map((child) => {
      switch (child.name) {
        case 'a:r':
        case 'a:fld':
          return childrenOf(child, 'a:t')
            .map(({ children }) => children.filter((text) => typeof text === 'string').join(''))
            .join('');
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
