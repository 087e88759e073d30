import type { Reading } from '../reading/read.js';
import { measuresIn } from './amounts/measures.js';
import { quotedAmounts } from './items/item-extraction.js';

/** «pas 12 000», «au lieu de 12 000»: taken back, and rightly not counted. */
const takenBack = /\b(?:pas|non|not|no|au lieu d[eu]|instead of|rather than|en vez de|en lugar de)\s$/;
/** «revendu 4 000.»: nothing says what is counted, so that it is of what was spoken of last. */
const endsThere = /^\s*(?:[.,;!?)]|$|(?:et|and|y|mais|but|pero)\s)/;
const leastBare = 10;
const isYear = (value: number): boolean => value >= 1900 && value <= 2100;

/**
 * The amounts beside a list of measured ones that change what was used and that no list takes: shares («remplace
 * 40 % de notre électricité») and numbers without a unit («en avons revendu 4 000»), in the text's own words.
 */
export function unappliedAmounts(reading: Reading): string[] {
  const { folded, quantities } = reading;
  if (measuresIn(reading).length === 0) return [];
  const left = quantities.filter(({ unit, value, start, end }) => {
    if (takenBack.test(folded.slice(Math.max(0, start - 16), start))) return false;
    if (unit) return unit.dimension === 'share';
    const isBare =
      /\p{L}\s$/u.test(folded.slice(Math.max(0, start - 2), start)) && endsThere.test(folded.slice(end));
    return isBare && value >= leastBare && !isYear(value);
  });
  return quotedAmounts(reading, left);
}
