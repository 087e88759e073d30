import { combined } from './combined-quantities.js';
import { withElidedUnits } from './elided-units.js';
import { endOfHalf } from './fractions.js';
import { findNumbers } from './numbers.js';
import type { Quantity } from './quantity.js';
import { withRanges } from './ranges.js';
import { type Unit, unitAt } from './units.js';

const longestPrefix = 8;
const longestGap = 10;
const prefixedCurrency = /(?:US\$|NT\$|[€$£₦]|\b[A-Z]{3}|F ?CFA)\s?$/;

function currencyBefore(text: string, folded: string, start: number): { unit: Unit; start: number } | null {
  const from = Math.max(0, start - longestPrefix);
  const match = prefixedCurrency.exec(text.slice(from, start));
  if (!match) return null;
  const at = from + match.index;
  const found = unitAt(text, folded, at);
  return found?.unit.dimension === 'money' ? { unit: found.unit, start: at } : null;
}

/** «2 tonnes et demie» */
function withHalf(folded: string, quantity: Quantity): Quantity {
  const end = endOfHalf(folded, quantity.end);
  return end === null ? quantity : { ...quantity, value: quantity.value + 0.5, end };
}

/** Every amount of a text: a number with the unit or currency beside it. `folded` is `fold(text)`. */
export function findQuantities(text: string, folded: string): Quantity[] {
  const found: Quantity[] = [];
  for (const number of findNumbers(text, folded)) {
    const base = { value: number.value, numberEnd: number.end };
    // «120 millions de FCFA», «40 hotel nights», «2,000 more litres»
    const gap =
      /^(?:\s(?:de|d|of|hotel|more|other|autres|otros|otras)[\s']|\s?-?\s?)(?=\S)/.exec(
        folded.slice(number.end, number.end + longestGap),
      )?.[0] ?? '';
    const after = unitAt(text, folded, number.end + gap.length);
    const attached = /^(?!\p{Script=Han}|x ?\d)\p{L}/u.test(folded.slice(number.end, number.end + 3));
    const before = after ? null : currencyBefore(text, folded, number.start);
    if (after && !(number.weak && after.unit.dimension === 'time'))
      found.push(withHalf(folded, { ...base, unit: after.unit, start: number.start, end: after.end }));
    else if (before) found.push({ ...base, unit: before.unit, start: before.start, end: number.end });
    else if (!number.weak && !attached)
      found.push({ ...base, unit: null, start: number.start, end: number.end });
  }
  return withElidedUnits(folded, combined(folded, withRanges(folded, found)));
}
