import { ownDescription, type Property, wantedUnit } from './property.js';
import { type Meaning, meaningsOf, sameMeaning, weightOf } from '../reading/meaning.js';
import type { Quantity } from '../reading/quantities.js';
import { meaningsBetween, type Reading } from '../reading/read.js';
import { convert } from '../reading/units.js';

/** How strongly the words beside a quantity speak of a property; 0 when they do not. */
function closeness(property: Property, reading: Reading, quantity: Quantity): number {
  const at = reading.quantities.indexOf(quantity);
  const after = reading.folded
    .slice(quantity.end, reading.quantities[at + 1]?.start)
    .search(/[,.;!?\n。，](?:\s|$)/u);
  const right = after < 0 ? (reading.quantities[at + 1]?.start ?? reading.text.length) : quantity.end + after;
  const left = reading.quantities[at - 1]?.end ?? 0;
  const near = [
    ...meaningsBetween(reading, quantity.end, right)
      .slice(0, 3)
      .map((meaning) => ({ meaning, weight: 1 })),
    ...meaningsBetween(reading, left, quantity.start)
      .slice(-3)
      .map((meaning) => ({ meaning, weight: 0.8 })),
  ];
  const told = meaningsOf(ownDescription(property).split(/[.\n]/)[0] ?? '');
  const fit = (of: readonly Meaning[], factor: number) =>
    Math.max(
      0,
      ...near
        .filter(({ meaning }) => of.some((own) => sameMeaning(own, meaning)))
        .map(({ meaning, weight }) => weight * factor * weightOf(meaning)),
    );
  return fit(property.nameMeanings, 1) + fit(told, 0.5);
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
  const free = reading.quantities.filter((quantity) => !used.has(quantity));
  const candidates = free.flatMap((quantity) => {
    const value = valueFor(property, quantity, money);
    if (value === null || (property.type === 'integer' && !Number.isInteger(value))) return [];
    return [{ value, quantity, score: closeness(property, reading, quantity) }];
  });
  const [best] = candidates.toSorted((a, b) => b.score - a.score);
  return best && (best.score >= 0.4 || (only && candidates.length === 1)) ? best : null;
}
