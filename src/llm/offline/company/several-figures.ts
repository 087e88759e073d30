import type { Quantity } from '../reading/numbers/quantity.js';
import type { Reading } from '../reading/read.js';
import { byStart, type Span, within } from '../reading/spans.js';

type Given = Pick<Reading, 'folded' | 'quantities' | 'meanings'>;

/** How far behind a number stands what it counts: «45 jeunes collaborateurs». */
const longestGap = 30;
const longestAhead = 40;

/** «… et 30 à Dakar»: a number that goes on from the one before it, with its noun left out. */
const goingOn = /(?:[,;+]|(?<!\p{L})(?:et|and|y|plus|puis|then)|[和與、，])\s?(?:(?:de|of)\s)?$/u;
const nounLeftOut =
  /^\s?(?:$|[,.;:!?)，。；]|(?:a|au|aux|en|in|at|sur|dans|chez|pour|avec|with|con|for|on)\s|在)/u;
/** «est passé de 60 à 45»: what was. */
const wasBefore = {
  ahead: /(?<!\p{L})(?:de|from|desde)\s$/u,
  behind: /^\s(?:employes |salaries |personnes |people |employees )?(?:a|to|hasta)\s$/u,
};

/** Whether a quantity may be a number of people. */
const isCount = ({ value, unit, range }: Quantity): boolean =>
  unit === null && range === undefined && Number.isInteger(value) && !(value >= 1900 && value <= 2100);
const isMoney = ({ unit, range }: Quantity): boolean => unit?.dimension === 'money' && range === undefined;

/** The numbers of a text that are said to be of one kind; a noun counts with one number only. */
function saidOf({ folded, quantities, meanings }: Given, key: 'employee' | 'revenue'): Quantity[] {
  const nouns = meanings.filter((meaning) => meaning.key === key);
  const said: Quantity[] = [];
  let last: Quantity | null = null;
  let counted = 0;
  for (const [at, quantity] of quantities.entries()) {
    if (!(key === 'revenue' ? isMoney : isCount)(quantity)) continue;
    const before = quantities[at - 1];
    const start = Math.max(before?.end ?? 0, quantity.start - longestAhead);
    const end = Math.min(quantities[at + 1]?.start ?? folded.length, quantity.end + longestGap);
    const [ahead, behind] = [folded.slice(start, quantity.start), folded.slice(quantity.end, end)];
    const noun = within(nouns, Math.max(start, counted), end).at(-1);
    const goesOn = last !== null && last === before && goingOn.test(ahead) && nounLeftOut.test(behind);
    if (!noun && !goesOn) continue;
    counted = noun?.end ?? counted;
    last = quantity;
    if (!(wasBefore.ahead.test(ahead) && wasBefore.behind.test(behind))) said.push(quantity);
  }
  return said;
}

/**
 * The numbers of a sentence that are several of one kind, headcounts or revenues: none of them is the company's.
 * `spoken`: the clauses that are of the company.
 */
export const severalFigures = (given: Given, spoken: readonly Span[]): readonly Quantity[] => {
  const kept = new Set(spoken.flatMap(({ start, end }) => within(given.quantities, start, end)));
  return (['employee', 'revenue'] as const)
    .flatMap((key) => {
      const said = saidOf(given, key).filter((figure) => kept.has(figure));
      return new Set(said.map(({ value }) => value)).size > 1 ? said : [];
    })
    .toSorted(byStart);
};
