import type { Placed } from './item-kind.js';
import type { FoundCountry } from '../../reading/countries.js';
import type { Reading } from '../../reading/read.js';
import { within } from '../../reading/spans.js';

/** Farther than any country stands from its quantity. */
const notThere = 200;

/** The countries that a text names, or else those of its cities. */
const placesOf = ({ countries, cities }: Reading): readonly FoundCountry[] =>
  countries.length > 0 ? countries : cities;

/** The country that stands nearest to a quantity on one side, before another quantity comes. */
function neighbour(reading: Reading, { quantity, previous, next }: Placed, side: 'before' | 'after') {
  const found =
    side === 'before'
      ? within(placesOf(reading), previous?.end ?? 0, quantity.start).at(-1)
      : within(placesOf(reading), quantity.end, next?.start ?? reading.text.length)[0];
  if (!found) return { distance: notThere };
  const distance = side === 'before' ? quantity.start - found.end : found.start - quantity.end;
  return { distance: Math.min(distance, notThere) };
}

const sentenceEnd = /[.;!?\n](?=\s)|。/u;

/** Whether two places of a text belong to one sentence. */
const together = ({ folded }: Reading, from: number, to: number): boolean =>
  to - from < 2000 && !sentenceEnd.test(folded.slice(from, to));

/**
 * Where each quantity of a text belongs, when it names several countries: «12 kWh in Kenya, 8 kWh in Mali» or
 * «Kenya: 12 kWh; Mali: 8 kWh», whichever way keeps quantities and countries closer together.
 */
export function countriesOf(reading: Reading, quantities: readonly Placed[]): (string | null)[] {
  const countries = placesOf(reading);
  if (new Set(countries.map(({ code }) => code)).size < 2) return quantities.map(() => null);
  const farness = (side: 'before' | 'after') =>
    quantities.reduce((sum, one) => sum + neighbour(reading, one, side).distance, 0);
  const comesBefore = farness('before') < farness('after');
  return quantities.map(({ quantity }) => {
    const before = countries.findLast(({ end }) => end <= quantity.start);
    const after = countries.find(({ start }) => start >= quantity.end);
    const near = (country: FoundCountry | undefined): boolean =>
      country !== undefined &&
      together(reading, Math.min(country.start, quantity.start), Math.max(country.end, quantity.end));
    const [first, second] = comesBefore ? [before, after] : [after, before];
    return (near(first) ? first : near(second) ? second : (before ?? after))?.code ?? null;
  });
}
