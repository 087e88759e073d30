import type { JsonObject } from '../../../common/json.js';
import { bestValue, type Glossary, glossaryOf } from './enum-glossary.js';
import { childrenOf, enumOf, isCountry, isUnit, type Property, wantedUnit } from './property.js';
import type { Meaning } from '../reading/meaning.js';
import type { Quantity } from '../reading/quantities.js';
import { meaningsBetween, type Reading } from '../reading/read.js';
import { convert, unitNamed } from '../reading/units.js';

/** How an array's objects are built: what is counted, how much of it, in which unit. */
interface ItemShape {
  kind: Property;
  glossary: Glossary;
  amount: Property;
  unit: Property | null;
  country: Property | null;
}

type Side = 'after' | 'before';

/** Null when the element is not of the form {kind, amount, unit}. */
export function itemShape(element: Property): ItemShape | null {
  const children = childrenOf(element);
  const unit = children.find(isUnit) ?? null;
  const kind = children.find((child) => child !== unit && child.required && enumOf(child).length > 0);
  const amount = children.find((child) => child.type === 'number' || child.type === 'integer');
  if (!kind || !amount) return null;
  const glossary = glossaryOf(enumOf(kind), kind.description);
  return { kind, glossary, amount, unit, country: children.find(isCountry) ?? null };
}

/** The stretch of text that may name what a quantity is of, on one of its sides. */
function stretch(reading: Reading, quantity: Quantity, side: Side): [start: number, end: number] {
  const at = reading.quantities.indexOf(quantity);
  if (side === 'before') {
    const from = reading.quantities[at - 1]?.end ?? 0;
    const breaks = Array.from(reading.folded.slice(from, quantity.start).matchAll(/[.;!?\n](?=\s|$)|。/gu));
    return [from + (breaks.at(-1)?.index ?? 0), quantity.start];
  }
  const rest = reading.folded.slice(quantity.end, reading.quantities[at + 1]?.start);
  // What follows a comma or an «and» belongs to the next quantity.
  const nextOnes = /^\s*(?:[,;)、，]|(?:et|and|y|e|plus|mas)\s)/u.test(rest);
  const stop = nextOnes ? 0 : (/[.;!?\n](?=\s|$)|。/u.exec(rest)?.index ?? rest.length);
  // The unit's own words tell too: a «nuitée» is a hotel's.
  return [quantity.numberEnd, quantity.end + stop];
}

function kindOn(reading: Reading, shape: ItemShape, quantity: Quantity, side: Side): string | null {
  const said = meaningsBetween(reading, ...stretch(reading, quantity, side));
  return bestValue(shape.glossary, said, quantity.unit?.dimension ?? null)?.value ?? null;
}

/** «12 kWh of power, 3 l of diesel» or «power 12 kWh, diesel 3 l»: the side that names more of them, for the whole text. */
function usualSide(reading: Reading, shape: ItemShape, quantities: readonly Quantity[]): Side {
  const count = (side: Side) =>
    quantities.filter((quantity) => kindOn(reading, shape, quantity, side)).length;
  return count('before') > count('after') ? 'before' : 'after';
}

const electricity: readonly Meaning[] = [{ key: 'electricity', known: true, start: 0, end: 0 }];

function kindOf(reading: Reading, shape: ItemShape, quantity: Quantity, side: Side): string | null {
  const found = kindOn(reading, shape, quantity, side);
  if (found) return found;
  const other = side === 'after' ? 'before' : 'after';
  const alone = reading.quantities.length === 1 ? kindOn(reading, shape, quantity, other) : null;
  if (alone) return alone;
  // Nobody says «kWh» of nothing in particular but of electricity.
  const energy = quantity.unit?.dimension === 'energy';
  return energy ? (bestValue(shape.glossary, electricity, 'energy')?.value ?? null) : null;
}

/** The amount in a unit that the schema knows; null when it has no way to say it. */
function measured(shape: ItemShape, quantity: Quantity): JsonObject | null {
  const from = quantity.unit;
  if (!from) return null;
  if (!shape.unit) {
    const wanted = wantedUnit(shape.amount);
    const value = wanted ? convert(quantity.value, from, wanted) : quantity.value;
    return value === null ? null : { [shape.amount.name]: value };
  }
  const offered = enumOf(shape.unit).flatMap((value) => {
    const unit = unitNamed(value);
    return unit ? [{ value, unit }] : [];
  });
  const same =
    offered.find(({ unit }) => unit.key === from.key) ??
    offered.find(({ unit }) => convert(1, from, unit) !== null);
  const value = same ? convert(quantity.value, from, same.unit) : null;
  return same && value !== null ? { [shape.amount.name]: value, [shape.unit.name]: same.value } : null;
}

function countryNear(reading: Reading, quantity: Quantity): string | null {
  if (new Set(reading.countries.map(({ code }) => code)).size < 2) return null;
  const next = reading.quantities[reading.quantities.indexOf(quantity) + 1];
  const end = next?.start ?? reading.text.length;
  return (
    reading.countries.find((country) => country.start >= quantity.end && country.end <= end)?.code ?? null
  );
}

/** One object for every amount of the text that the element's enum has a name for. */
export function extractItems(shape: ItemShape, reading: Reading): { items: JsonObject[]; used: Quantity[] } {
  const counted = reading.quantities.filter(
    ({ unit }) => unit && !['money', 'share', 'time'].includes(unit.dimension),
  );
  const side = usualSide(reading, shape, counted);
  const items: JsonObject[] = [];
  const used: Quantity[] = [];
  for (const quantity of counted) {
    const kind = kindOf(reading, shape, quantity, side);
    const measure = kind === null ? null : measured(shape, quantity);
    if (kind === null || measure === null) continue;
    const country = shape.country && countryNear(reading, quantity);
    const place = shape.country && country ? { [shape.country.name]: country } : {};
    items.push({ [shape.kind.name]: kind, ...measure, ...place });
    used.push(quantity);
  }
  return { items, used };
}
