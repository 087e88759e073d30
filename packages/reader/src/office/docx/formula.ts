import { alternativeOf, childAt, textOf, type XmlElement } from '../xml/xml-element.js';

/** An equation on one line, as it would be typed: `(a+b)/(2)`, `x^(2)`. */
export function formulaText(element: XmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? '' : partText(child))).join('');
}

function partText(element: XmlElement): string {
  const part = (name: string): string => {
    const found = childAt(element, name);
    return found ? formulaText(found) : '';
  };
  switch (element.name) {
    case 'm:t':
    case 'w:t':
      return textOf(element);
    case 'm:f':
      return `(${part('m:num')})/(${part('m:den')})`;
    case 'm:sSup':
      return `${part('m:e')}^(${part('m:sup')})`;
    case 'm:sSub':
      return `${part('m:e')}_(${part('m:sub')})`;
    case 'm:sSubSup':
      return `${part('m:e')}_(${part('m:sub')})^(${part('m:sup')})`;
    case 'm:rad':
      return `√[${part('m:deg')}](${part('m:e')})`.replace('[]', '');
    case 'm:nary':
      return `${signOf(element, 'm:naryPr', '∫')}_(${part('m:sub')})^(${part('m:sup')}) ${part('m:e')}`;
    case 'm:d':
      return `(${formulaText(element)})`;
    case 'mc:AlternateContent': {
      const alternative = alternativeOf(element);
      return alternative ? formulaText(alternative) : '';
    }
    default:
      return element.name === 'w:del' || element.name.endsWith('Pr') ? '' : formulaText(element);
  }
}

function signOf(element: XmlElement, properties: string, usual: string): string {
  return childAt(element, properties, 'm:chr')?.attributes['m:val'] ?? usual;
}
