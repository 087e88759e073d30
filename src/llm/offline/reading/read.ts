import { type FoundCountry, findCountries } from './countries.js';
import { type FoundDate, findDates } from './dates.js';
import { fold, tidy } from './fold.js';
import { type Meaning, meaningsIn } from './meaning.js';
import { findQuantities, type Quantity } from './quantities.js';

/** A text, read once: what it speaks of and the values it states, each with its place. */
export interface Reading {
  text: string;
  /** As long as `text`: positions hold for both. */
  folded: string;
  meanings: readonly Meaning[];
  quantities: readonly Quantity[];
  countries: readonly FoundCountry[];
  dates: readonly FoundDate[];
}

const overlaps = (a: { start: number; end: number }, b: { start: number; end: number }): boolean =>
  a.start < b.end && b.start < a.end;

export function read(given: string): Reading {
  const text = tidy(given);
  const folded = fold(text);
  const meanings = meaningsIn(text, folded);
  const dates = findDates(folded);
  const countries = findCountries(text, folded);
  // The 22 of «R 22» and the 12 of «12 mars 2025» are parts of names, not amounts.
  const names = [...dates, ...meanings.filter((meaning) => meaning.key.startsWith('refrigerant:'))];
  const quantities = findQuantities(text, folded).filter(
    (quantity) => !names.some((name) => overlaps(name, quantity)),
  );
  return { text, folded, meanings, quantities, countries, dates };
}

/** The part of a reading between two places, without reading it again. */
export const meaningsBetween = (reading: Reading, start: number, end: number): readonly Meaning[] =>
  reading.meanings.filter((meaning) => meaning.start >= start && meaning.end <= end);

/** A text cut into sentences and lines. */
export const sentencesOf = (text: string): string[] =>
  text
    // A full stop inside a number or a name (3.5, S.A.) ends nothing.
    .split(/(?<=[.!?。！？])\s+|(?<=[。！？])|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
