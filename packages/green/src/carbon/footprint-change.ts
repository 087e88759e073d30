import { type Change, changesBetween } from '../kept-result.js';
import { fill, type Wording } from '../wording.js';
import type { Calculated } from './calculated-footprint.js';
import { sayQuantity } from './carbon-wording.js';
import type { EmissionData } from './emission-data.js';
import type { FootprintGiven } from './footprint-details.js';
import { labelOf } from './footprint-summary.js';

type Item = FootprintGiven['items'][number];

/** The input, with the country of the whole on each quantity. */
export function withCountries(asked: FootprintGiven): FootprintGiven {
  const placed = (item: Item): Item => {
    const country = item.country ?? asked.country;
    return { ...item, ...(country !== undefined && { country }) };
  };
  return { ...asked, items: asked.items.map(placed) };
}

/**
 * The earlier input with the new one: for an activity in a country the new quantities replace the old, and 0 removes
 * it. `profileCountry`: the country of quantities that state none.
 */
export function amended(
  before: FootprintGiven,
  now: FootprintGiven,
  profileCountry: string | null,
): FootprintGiven {
  const changed = withCountries({ ...before, ...now });
  const keyOf = ({ activity, country }: Item): string => `${activity} ${country ?? profileCountry}`;
  const keys = new Set(changed.items.map(keyOf));
  const kept = before.items.filter((item) => !keys.has(keyOf(item)));
  return { ...changed, items: [...kept, ...changed.items.filter(({ quantity }) => quantity !== 0)] };
}

/** The changed values of a footprint, and their effect on its total. */
export function changesOf(
  before: Calculated,
  after: Calculated,
  wording: Wording,
  data: EmissionData,
): Change[] {
  const { speech, carbon, results } = wording;
  /** Quantities of one activity in one country are reported together. */
  const quantitiesOf = ({ items }: FootprintGiven): Map<string, string> => {
    const groups = Map.groupBy(items, ({ activity, country }) => {
      const label = labelOf(activity, wording, data);
      return country ? fill(carbon.inCountry, { label, country: speech.country(country) }) : label;
    });
    const say = ({ quantity, unit }: Item): string => sayQuantity(quantity, unit, wording);
    return new Map([...groups].map(([label, group]) => [label, group.map(say).join(' + ')]));
  };
  const [was, is] = [before.result.totalKgCO2e, after.result.totalKgCO2e].map((kg) => speech.emissions(kg));
  return [
    ...changesBetween(quantitiesOf(before.given), quantitiesOf(after.given), (label) => label),
    { label: results.total, before: was ?? null, after: is ?? null },
  ];
}
