import { scaleOf } from './fractions.js';
import type { Quantity } from './quantity.js';

const longestAhead = 40;
const between = /(?:^|[^\p{L}])(?:(?:compris\w* )?entre|between)\s$/u;
/** «sommes passés de 10 000 à 12 000 kWh»: no range, but what was and what is. */
const change =
  /(?:pass|redui|augment|baiss|diminu|went|gone|grew|grown|rose|risen|increas|reduc|fell|cut|dropp|subi|baj)\p{L}*\s(?:[\p{L}']+\s){0,3}(?:de|from)\s$/u;

/** What stands between the ends of a range, and how many times the lower end the upper one is at most. */
const joints: readonly (readonly [pattern: RegExp, most: number])[] = [
  [/^\s?(?:~|～|至|到|-~)\s?$/u, 20],
  [/^-$/u, 10],
  [/^\s(?:a|to|jusqu'a|hasta)\s$/u, 10],
  [/^\s(?:ou|or|o)\s$/u, 5],
  [/^\s-\s$/u, 2],
];
const and = /^\s(?:et|and|y)\s$|^\s?[和與]\s?$/u;

const isYear = ({ value, unit }: Quantity): boolean => unit === null && value >= 1900 && value <= 2100;

/** Whether two quantities that follow each other are the ends of one range. */
function isRange(folded: string, first: Quantity, second: Quantity): boolean {
  if (first.unit && first.unit.key !== second.unit?.key) return false;
  if (isYear(first) && isYear(second)) return false;
  const times = ratioOf(folded, first, second);
  if (!(first.value > 0 && times > 1) || second.start - first.end > 20) return false;
  const gap = folded.slice(first.end, second.start);
  const ahead = folded.slice(Math.max(0, first.start - longestAhead), first.start);
  if (change.test(ahead)) return false;
  if (and.test(gap)) return between.test(ahead) || ahead.endsWith('介於');
  const joint = joints.find(([pattern]) => pattern.test(gap));
  // «2-3» alone is a name, a score, a page.
  if (!joint || (second.unit === null && /-/.test(gap))) return false;
  return times <= joint[1];
}

/** How many times the first the second is; the multiplier of «10 à 20 millions» is of both. */
function ratioOf(folded: string, first: Quantity, second: Quantity): number {
  const scale = scaleOf(folded.slice(second.start, second.numberEnd));
  return second.value / (first.value < scale ? first.value * scale : first.value);
}

/** The quantities of a text; those that are the ends of a range, «12 000 à 15 000 kWh», as one that is no exact amount. */
export function withRanges(folded: string, quantities: readonly Quantity[]): Quantity[] {
  const result: Quantity[] = [];
  for (const quantity of quantities) {
    const last = result.at(-1);
    if (last && !last.range && isRange(folded, last, quantity))
      result[result.length - 1] = { ...quantity, start: last.start, range: true };
    else result.push(quantity);
  }
  return result;
}
