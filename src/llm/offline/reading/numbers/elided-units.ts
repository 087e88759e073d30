import { ahead, correction } from './amount-cues.js';
import type { Quantity } from './quantity.js';

const longestGap = 80;
/** Nothing that could be counted follows: «300 au Bénin», but not «300 camions». */
const endsThere =
  /^\s?(?:[.,;:!?()。，；]|$|(?:au|aux|en|a|in|at|pour|for|seulement|only|par|per|et|and|y)\s)/u;
/** «n'avons pas consommé 3 000 kWh, nous en avons consommé 300», «mais 300»: the other of two amounts. */
const instead =
  /(?:^|\s)(?:mais|but|sino|en (?:avons|avez|ai|consomm\p{L}+|utilis\p{L}+))\s(?:[\p{L}']+\s){0,3}$|(?:而是|是)$/u;
/** «300 et non 3 000 kWh», «300 instead of 3,000 kWh». */
const notThe =
  /^,?\s(?:et non(?: pas)?|et pas|pas|au lieu d[eu]s?|plutot que|and not|not|instead of|rather than|en vez de|en lugar de|y no|no)\s(?:les\s|the\s|los\s)?$/u;

const isBare = ({ unit, value }: Quantity): boolean => unit === null && !(value >= 1900 && value <= 2100);
const measures = (quantity: Quantity | undefined): quantity is Quantity =>
  quantity !== undefined && quantity.unit !== null && !['time', 'share'].includes(quantity.unit.dimension);

/** Of two amounts one of which is said instead of the other, the unit is often said once: «3 000 kWh, pardon, 300». */
export const withElidedUnits = (folded: string, quantities: readonly Quantity[]): Quantity[] =>
  quantities.map((quantity, at) => {
    if (!isBare(quantity)) return quantity;
    const [last, next] = [quantities[at - 1], quantities[at + 1]];
    if (measures(next) && notThe.test(pieceBetween(folded, quantity, next)))
      return { ...quantity, unit: next.unit };
    const isInstead =
      measures(last) &&
      endsThere.test(folded.slice(quantity.end, quantity.end + longestGap)) &&
      standsFor(folded, quantity, last, quantities[at - 2]?.end ?? 0);
    return isInstead ? { ...quantity, unit: last.unit } : quantity;
  });

const pieceBetween = (folded: string, first: Quantity, second: Quantity): string =>
  second.start - first.end > longestGap ? '' : folded.slice(first.end, second.start);

function standsFor(folded: string, quantity: Quantity, last: Quantity, from: number): boolean {
  const gap = pieceBetween(folded, last, quantity);
  if (correction.test(gap)) return true;
  const before = folded.slice(Math.max(from, last.start - longestGap), last.start);
  return instead.test(gap) && ahead.denied.test(before);
}
