import type { OfficePackage } from '../package/office-package.js';
import { childAt, childrenOf, isOn } from '../xml/xml-element.js';
import { elementOf, elementsOf } from '../xml/xml-reader.js';
import { cellFormats } from './cell-formats.js';
import { richText, type CellContext } from './cell-text.js';

/** A sheet of a workbook, in the order of the tabs. */
export interface Sheet {
  name: string;
  isHidden: boolean;
  /** The name of its part; null: the file does not say. */
  part: string | null;
}

/** The sheets of a workbook, and what its cells refer to. */
export interface Workbook {
  sheets: Sheet[];
  cells: CellContext;
}

export function readWorkbook(file: OfficePackage, part: string, bytes: Uint8Array): Workbook {
  const root = elementOf(bytes);
  const relationships = file.relationshipsOf(part);
  const sheets = childrenOf(childAt(root, 'x:sheets'), 'x:sheet').map(({ attributes }, index) => ({
    name: attributes['name'] ?? `Sheet ${index + 1}`,
    isHidden: ['hidden', 'veryHidden'].includes(attributes['state'] ?? ''),
    part: relationships.get(attributes['r:id'] ?? '')?.target ?? null,
  }));
  const styles = file.find(file.relatedTo(part, 'styles'), 'Formats of numbers are', (found) =>
    elementOf(found),
  );
  const properties = childAt(root, 'x:workbookPr');
  return {
    sheets,
    cells: {
      strings: file.find(file.relatedTo(part, 'sharedStrings'), 'Texts of cells are', stringsOf) ?? [],
      formats: cellFormats(styles),
      is1904: properties?.attributes['date1904'] !== undefined && isOn(properties, 'date1904'),
      lost: file.lost,
    },
  };
}

function stringsOf(bytes: Uint8Array): string[] {
  const strings: string[] = [];
  for (const { element } of elementsOf(bytes, { whole: ['x:si'] })) strings.push(richText(element));
  return strings;
}
