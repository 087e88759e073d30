import type { Losses } from '../package/losses.js';
import { cellLine, oneLine } from '../markdown/text.js';
import { atHeight, heightOfAlignment, type TextHeight } from '../markdown/raised-text.js';
import { childAt, childrenOf, integerOf, textOf, type XmlElement } from '../xml/xml-element.js';
import { shownAs } from './number-format.js';

export interface CellContext {
  strings: readonly string[];
  /** By style index. */
  formats: readonly string[];
  is1904: boolean;
  losses: Losses;
}

/** The text of a cell. `isValue`: it is a number, a date or a boolean. */
export interface CellText {
  text: string;
  isValue: boolean;
}

/** The text of a cell (x:c) as the sheet displays it. */
export function cellText(cell: XmlElement, context: CellContext): CellText {
  const type = cell.attributes['t'] ?? 'n';
  if (type === 'inlineStr') return { text: richText(childAt(cell, 'x:is')), isValue: false };
  const value = textOf(childAt(cell, 'x:v'));
  if (value === '') {
    if (childAt(cell, 'x:f')) context.losses.count('RESULTS_MISSING');
    return { text: '', isValue: false };
  }
  switch (type) {
    case 's':
      return { text: sharedText(value, context), isValue: false };
    case 'b':
      return { text: value.trim() === '1' || value.trim() === 'true' ? 'TRUE' : 'FALSE', isValue: true };
    case 'str':
      return { text: cellLine(unescaped(value)), isValue: false };
    case 'e':
      return { text: oneLine(value), isValue: true };
    case 'd':
      return { text: value.replace(/T00:00(?::00(?:\.0+)?)?Z?$/, ''), isValue: true };
    default:
      return { text: numberText(cell, value, context), isValue: true };
  }
}

function sharedText(value: string, { strings, losses }: CellContext): string {
  const text = strings[integerOf(value) ?? -1];
  if (text === undefined) losses.count('CELLS_MISSING');
  return text ?? '';
}

function numberText(cell: XmlElement, value: string, { formats, is1904 }: CellContext): string {
  return shownAs(value, formats[integerOf(cell.attributes['s']) ?? 0] ?? '', is1904);
}

/** Text with several formats is in pieces. Phonetic hints (x:rPh) are left out. */
export function richText(item: XmlElement | undefined): string {
  return cellLine(
    unescaped(
      childrenOf(item)
        .map((part) => {
          if (part.name === 'x:t') return textOf(part);
          return part.name === 'x:r' ? atHeight(textOf(childAt(part, 'x:t')), heightOf(part)) : '';
        })
        .join(''),
    ),
  );
}

function heightOf(run: XmlElement): TextHeight {
  return heightOfAlignment(childAt(run, 'x:rPr', 'x:vertAlign')?.attributes['val']);
}

/** Decodes `_x000D_`, a character that XML cannot contain. */
function unescaped(text: string): string {
  return text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => {
        const character = String.fromCharCode(Number.parseInt(code, 16));
        return /[\0-\u001f\ud800-\udfff]/.test(character) ? ' ' : character;
      })
    : text;
}
