/** A place for a digit (`0`, `#`, `?`), or what stands as it is. */
export interface MaskPart {
  text: string;
  isDigit: boolean;
}

/** What tells a number that is a name, such as that of a telephone; groups of a quantity have none of these. */
const TELLING = /[-()/:]/;

/**
 * The places of digits with what stands between them, as in `000-00-0000`; null: the format is of a quantity. What stands
 * before and after them belongs to it where it encloses some of them.
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

/** `digits` at their places; what is more stands at the first of them. Null: there are fewer than the mask asks for. */
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

/** How many places for digits are filled with zeros: the first of them that is a `0`, and all behind it. */
export function zerosOf(places: string): number {
  const first = places.indexOf('0');
  return first === -1 ? 0 : places.length - first;
}
