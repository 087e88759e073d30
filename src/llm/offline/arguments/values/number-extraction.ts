import { setAsideIn } from '../amounts/set-aside.js';
import { ownDescription, type Property, wantedUnit } from './property.js';
import { type Meaning, meaningsOf, sameMeaning, weightOf } from '../../reading/words/meaning.js';
import type { Quantity } from '../../reading/numbers/quantity.js';
import type { Reading } from '../../reading/read.js';
import { within } from '../../reading/spans.js';
import { convert } from '../../reading/numbers/units.js';

/** What a property's name and the first sentence of its description speak of. */
interface Spoken {
  name: readonly Meaning[];
  description: readonly Meaning[];
}

/** Whether something new begins: the end of a sentence or a comma. */
const clauseEnd = /[,.;!?\n。，](?:\s|$)/u;

/** How strongly the words beside a quantity speak of a property; 0 when they do not. */
function closeness(spoken: Spoken, reading: Reading, at: number): number {
  const { quantities, folded, meanings } = reading;
  const quantity = quantities[at];
  if (!quantity) return 0;
  const next = quantities[at + 1]?.start ?? folded.length;
  const after = folded.slice(quantity.end, next).search(clauseEnd);
  const right = after < 0 ? next : quantity.end + after;
  const near = [
    ...within(meanings, quantity.end, right)
      .slice(0, 3)
      .map((meaning) => ({ meaning, weight: 1 })),
    ...within(meanings, quantities[at - 1]?.end ?? 0, quantity.start)
      .slice(-3)
      .map((meaning) => ({ meaning, weight: 0.8 })),
  ];
  const fit = (of: readonly Meaning[], factor: number) =>
    Math.max(
      0,
      ...near
        .filter(({ meaning }) => of.some((own) => sameMeaning(own, meaning)))
        .map(({ meaning, weight }) => weight * factor * weightOf(meaning)),
    );
  return fit(spoken.name, 1) + fit(spoken.description, 0.5);
}

/** The quantity's number as the property wants it; null when it measures something else. */
function valueFor(property: Property, quantity: Quantity, money: boolean): number | null {
  const isMoney = quantity.unit?.dimension === 'money';
  if (money || isMoney) return money && isMoney ? quantity.value : null;
  const wanted = wantedUnit(property);
  if (!quantity.unit) return quantity.value;
  if (wanted) return convert(quantity.value, quantity.unit, wanted);
  return /quantit|amount|value|valeur|cantidad|montant/i.test(property.name) ? quantity.value : null;
}

/**
 * The number a text states for a property, with the quantity it was read from. `money`: only an amount with a
 * currency will do. `only`: no other number is asked for, so that a single one needs no word beside it.
 */
export function statedNumber(
  property: Property,
  reading: Reading,
  used: ReadonlySet<Quantity>,
  { money, only }: { money: boolean; only: boolean },
): { value: number; quantity: Quantity } | null {
  const description = meaningsOf(ownDescription(property).split(/[.\n]/)[0] ?? '');
  const spoken = { name: property.nameMeanings, description };
  const setAside = setAsideIn(reading);
  const candidates = reading.quantities.flatMap((quantity, at) => {
    if (used.has(quantity) || setAside.has(quantity)) return [];
    const value = valueFor(property, quantity, money);
    if (value === null || (property.type === 'integer' && !Number.isInteger(value))) return [];
    return [{ value, quantity, score: closeness(spoken, reading, at) }];
  });
  const [best] = candidates.toSorted((a, b) => b.score - a.score);
  return best && (best.score >= 0.4 || (only && candidates.length === 1)) ? best : null;
}
