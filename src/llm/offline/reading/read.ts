import { findCities } from './cities.js';
import { type FoundCountry, findCountries } from './countries.js';
import { type FoundDate, findDates } from './dates.js';
import { fold, tidy } from './words/fold.js';
import { type Meaning, meaningsIn } from './words/meaning.js';
import { findQuantities } from './numbers/quantities.js';
import type { Quantity } from './numbers/quantity.js';
import { apartFrom, byStart } from './spans.js';

/** A text, read once: what it speaks of and the values it states, each with its place. */
export interface Reading {
  text: string;
  /** As long as `text`: positions hold for both. */
  folded: string;
  meanings: readonly Meaning[];
  quantities: readonly Quantity[];
  countries: readonly FoundCountry[];
  /** Known by name, each with its country. */
  cities: readonly FoundCountry[];
  dates: readonly FoundDate[];
}

export function read(given: string): Reading {
  const text = tidy(given);
  const folded = fold(text);
  const meanings = meaningsIn(text, folded);
  const dates = findDates(folded);
  const countries = findCountries(text, folded);
  // The 22 of «R 22» and the 12 of «12 mars 2025» are parts of names, not amounts.
  const gases = meanings.filter((meaning) => meaning.key.startsWith('refrigerant:'));
  const quantities = apartFrom(findQuantities(text, folded), [...dates, ...gases].toSorted(byStart));
  return { text, folded, meanings, quantities, countries, cities: findCities(text), dates };
}

/** What a text speaks of besides the places, days and amounts it names. */
export function subjectsOf({ meanings, countries, cities, dates, quantities }: Reading): Meaning[] {
  return apartFrom(meanings, [...countries, ...cities, ...dates, ...quantities].toSorted(byStart));
}

/** A text cut into sentences and lines. */
export const sentencesOf = (text: string): string[] =>
  text
    // A full stop inside a number or a name (3.5, S.A.) ends nothing.
    .split(/(?<=[.!?。！？])\s+|(?<=[。！？])|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
