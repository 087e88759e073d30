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

/** The built-in formats, which files use by id. */
const builtIn: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  41: '#,##0',
  42: '#,##0',
  43: '#,##0.00',
  44: '#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss',
  48: '##0.0E+0',
};

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
    return own.get(id) ?? builtIn[id] ?? eastAsian(id) ?? GENERAL;
  });
}
