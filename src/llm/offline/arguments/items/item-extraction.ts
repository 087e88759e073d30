import type { JsonObject } from '../../../../common/json.js';
import { measuresIn } from '../amounts/measures.js';
import { setAsideIn } from '../amounts/set-aside.js';
import { countriesOf } from './item-country.js';
import { KindFinder, type Placed, placed, stretch } from './item-kind.js';
import type { ItemShape } from './item-shape.js';
import { enumOf, wantedUnit } from '../values/property.js';
import type { Quantity } from '../../reading/numbers/quantity.js';
import type { Reading } from '../../reading/read.js';
import { convert, unitNamed } from '../../reading/numbers/units.js';

export interface ExtractedItems {
  items: JsonObject[];
  used: Quantity[];
  /** The quantities with a unit that no value of the enum names, in the text's own words. */
  unread: string[];
  /** More quantities than the array may hold: none was read. */
  tooMany: boolean;
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

const longestQuote = 60;

function quoted(reading: Reading, one: Placed): string {
  const [, end] = stretch(reading, one, 'after');
  const text = reading.text.slice(one.quantity.start, Math.min(end, one.quantity.end + longestQuote));
  return text.replace(/\s+/g, ' ').trim();
}

/** Some of a text's quantities with what they are of, in its own words. */
export const quotedAmounts = (reading: Reading, quantities: readonly Quantity[]): string[] =>
  placed(reading.quantities)
    .filter(({ quantity }) => quantities.includes(quantity))
    .map((one) => quoted(reading, one));

/** One object for every amount of the text that is to be counted and that the element's enum has a name for. */
export function extractItems(shape: ItemShape, reading: Reading): ExtractedItems {
  const counted = new Set(measuresIn(reading));
  const found: ExtractedItems = { items: [], used: [], unread: [], tooMany: counted.size > shape.most };
  if (found.tooMany) return found;
  const quantities = placed(reading.quantities).filter(({ quantity }) => counted.has(quantity));
  const setAside = setAsideIn(reading);
  const kinds = new KindFinder(reading, shape, quantities);
  const countries = shape.country ? countriesOf(reading, quantities) : [];
  for (const [at, one] of quantities.entries()) {
    // What is set aside names what follows all the same: «3 000 L de gazole, pardon, 300 L».
    const kind = kinds.kindOf(one);
    if (setAside.has(one.quantity)) continue;
    const measure = kind === null ? null : measured(shape, one.quantity);
    if (kind === null || measure === null) found.unread.push(quoted(reading, one));
    else {
      const country = countries[at];
      const place = shape.country && country ? { [shape.country.name]: country } : {};
      found.items.push({ [shape.kind.name]: kind, ...measure, ...place });
      found.used.push(one.quantity);
    }
  }
  return found;
}
