/** A place for a digit (`0`, `#`, `?`), or literal text. */
export interface MaskPart {
  text: string;
  isDigit: boolean;
}

/** Signs that only numbers which are names have, such as telephone numbers, and quantities do not. */
const TELLING = /[-()/:]/;

/**
 * The digit places and the text between them, as in `000-00-0000`; null: the format is for a quantity. An opening
 * bracket before the first digit is included if its closing one is between digits.
 */
export function maskOf(parts: readonly MaskPart[]): MaskPart[] | null {
  const first = parts.findIndex(({ isDigit }) => isDigit);
  const inner = parts.slice(first, parts.findLastIndex(({ isDigit }) => isDigit) + 1);
  const between = inner.map(({ text, isDigit }) => (isDigit ? '' : text)).join('');
  const beginsWithZero = inner[0]?.text === '0';
  if (between === '' || !(beginsWithZero || TELLING.test(between))) return null;
  const opening = between.includes(')')
    ? parts.slice(0, first).findLastIndex(({ text }) => text === '(')
    : -1;
  return opening === -1 ? inner : [...parts.slice(opening, first), ...inner];
}

/** Puts `digits` into the mask; surplus digits go to its first place. Null: there are too few digits. */
export function masked(digits: string, mask: readonly MaskPart[]): string | null {
  const places = mask.filter(({ isDigit }) => isDigit);
  const filled = digits.padStart(zerosOf(places.map(({ text }) => text).join('')), '0');
  if (filled.length < places.length) return null;
  let at = filled.length - places.length;
  let text = '';
  let isFirst = true;
  for (const part of mask)
    if (part.isDigit) {
      text += filled.slice(isFirst ? 0 : at, at + 1);
      at += 1;
      isFirst = false;
    } else text += part.text;
  return text;
}

/** The number of zero-filled places: those from the first `0` on. */
export function zerosOf(places: string): number {
  const first = places.indexOf('0');
  return first === -1 ? 0 : places.length - first;
}
