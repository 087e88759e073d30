import { findNumbers } from './numbers.js';
import { type Unit, unitAt } from './units.js';

export interface Quantity {
  value: number;
  unit: Unit | null;
  start: number;
  /** Past the digits and multiplier, before a unit that follows. */
  numberEnd: number;
  /** Past the unit, when there is one. */
  end: number;
}

const prefixedCurrency = /(?:US\$|NT\$|[€$£₦]|\b[A-Z]{3}|F ?CFA)\s?$/;

function currencyBefore(text: string, folded: string, start: number): { unit: Unit; start: number } | null {
  const match = prefixedCurrency.exec(text.slice(0, start));
  const found = match && unitAt(text, folded, match.index);
  return found?.unit.dimension === 'money' ? { unit: found.unit, start: match?.index ?? start } : null;
}

/** Every amount of a text: a number with the unit or currency beside it. `folded` is `fold(text)`. */
export function findQuantities(text: string, folded: string): Quantity[] {
  const found: Quantity[] = [];
  for (const number of findNumbers(text, folded)) {
    const base = { value: number.value, numberEnd: number.end };
    // «120 millions de FCFA», «40 hotel nights»
    const gap =
      /^(?:\s(?:de|d|of|hotel)[\s']|\s?-?\s?)(?=\S)/.exec(folded.slice(number.end, number.end + 8))?.[0] ??
      '';
    const after = unitAt(text, folded, number.end + gap.length);
    const attached = /^(?!\p{Script=Han})\p{L}/u.test(folded.slice(number.end));
    const before = after ? null : currencyBefore(text, folded, number.start);
    if (after && !(number.weak && after.unit.dimension === 'time'))
      found.push({ ...base, unit: after.unit, start: number.start, end: after.end });
    else if (before) found.push({ ...base, unit: before.unit, start: before.start, end: number.end });
    else if (!number.weak && !attached)
      found.push({ ...base, unit: null, start: number.start, end: number.end });
  }
  return found;
}
