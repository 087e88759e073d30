import { getFormatFromId } from 'numfmt';

import type { OfficePackage } from '../package/office-package.js';
import { childAt, childrenOf, isOn, integerOf, type XmlElement } from '../xml/xml-element.js';
import { elementOf, elementsOf } from '../xml/xml-reader.js';
import { richText, type CellContext } from './cell-text.js';

/** A sheet of a workbook, in the order of the tabs. */
export interface Sheet {
  name: string;
  isHidden: boolean;
  /** The name of its part; null: the file does not say. */
  part: string | null;
}

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
  const styles = file.find(file.relatedTo(part, 'styles'), 'NUMBER_FORMATS_MISSING', (found) =>
    elementOf(found),
  );
  const properties = childAt(root, 'x:workbookPr');
  return {
    sheets,
    cells: {
      strings: file.find(file.relatedTo(part, 'sharedStrings'), 'CELL_TEXTS_MISSING', stringsOf) ?? [],
      formats: cellFormats(styles),
      is1904: properties?.attributes['date1904'] !== undefined && isOn(properties, 'date1904'),
      losses: file.losses,
    },
  };
}

function stringsOf(bytes: Uint8Array): string[] {
  const strings: string[] = [];
  for (const { element } of elementsOf(bytes, { whole: ['x:si'] })) strings.push(richText(element));
  return strings;
}

/** The built-in formats that files use by id. They are written with a sign, and without a currency that nobody chose. */
function builtIn(id: number): string {
  if ((id >= 5 && id <= 8) || id > 48) return GENERAL;
  if (id < 37 || id > 44) return getFormatFromId(id);
  return [39, 40, 43, 44].includes(id) ? '#,##0.00' : '#,##0';
}

/** The built-in formats of East Asian versions: dates, and times at 32 to 35, 55 and 56. */
function eastAsian(id: number): string | undefined {
  if ((id >= 32 && id <= 35) || id === 55 || id === 56) return 'h:mm';
  return (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'yyyy-mm-dd' : undefined;
}

const GENERAL = 'General';

/** The number format of each cell style, by its index. */
function cellFormats(root: XmlElement | null): string[] {
  const own = new Map(
    childrenOf(childAt(root ?? undefined, 'x:numFmts'), 'x:numFmt').map(({ attributes }) => [
      integerOf(attributes['numFmtId']),
      attributes['formatCode'] ?? GENERAL,
    ]),
  );
  return childrenOf(childAt(root ?? undefined, 'x:cellXfs'), 'x:xf').map(({ attributes }) => {
    const id = integerOf(attributes['numFmtId']) ?? 0;
    return own.get(id) ?? eastAsian(id) ?? builtIn(id);
  });
}
