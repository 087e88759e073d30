import { type Change, changesBetween } from '../kept-result.js';
import { fill, type Wording } from '../wording.js';
import type { Calculated } from './calculated-footprint.js';
import { sayQuantity } from './carbon-wording.js';
import type { EmissionData } from './emission-data.js';
import type { FootprintGiven } from './footprint-details.js';
import { labelOf } from './footprint-summary.js';

type Item = FootprintGiven['items'][number];

/** What was given, each quantity with the country of the whole. */
export function withCountries(asked: FootprintGiven): FootprintGiven {
  const placed = (item: Item): Item => {
    const country = item.country ?? asked.country;
    return { ...item, ...(country !== undefined && { country }) };
  };
  return { ...asked, items: asked.items.map(placed) };
}

/**
 * What was given before, with what is given now: of an activity in one country the new quantities alone count, and 0 takes
 * it out. `profileCountry`: where quantities without a country are.
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

/** What of a footprint became another, and what that makes of its total. */
export function changesOf(
  before: Calculated,
  after: Calculated,
  wording: Wording,
  data: EmissionData,
): Change[] {
  const { speech, carbon, results } = wording;
  /** Two quantities of one activity in one country are told together. */
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
