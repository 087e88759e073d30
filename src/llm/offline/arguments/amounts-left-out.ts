import type { ToolResult } from '../tool-result.js';
import { asArray, asObject, parseJson } from '../json-access.js';
import type { Reading } from '../reading/read.js';
import { setAsideIn } from './amounts/set-aside.js';
import { measuresIn } from './amounts/measures.js';
import { quotedAmounts } from './items/item-extraction.js';

/** Distances are multiplied before they are listed: three flights, a load. */
const multiplied: ReadonlySet<string> = new Set(['distance', 'passenger-distance', 'freight', 'stay']);

const listedIn = (results: readonly ToolResult[]): number[] =>
  results
    .flatMap((result) => asArray(asObject(parseJson(result.arguments) ?? {})['items']).map(asObject))
    .flatMap(({ quantity }) => (typeof quantity === 'number' ? [quantity] : []));

/**
 * The amounts of a text that no call listed, in its own words, as far as the calls alone tell: where an amount may
 * have been converted or multiplied, none.
 */
export function amountsLeftOut(reading: Reading, results: readonly ToolResult[]): string[] {
  const listed = listedIn(results);
  const setAside = setAsideIn(reading);
  const measures = measuresIn(reading).filter((quantity) => !setAside.has(quantity));
  if (listed.length === 0 || measures.some(({ unit }) => multiplied.has(unit?.dimension ?? ''))) return [];
  const left = measures.filter(({ value }) => !listed.includes(value));
  return left.length === measures.length - listed.length ? quotedAmounts(reading, left) : [];
}
