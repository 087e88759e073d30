import type { Fact } from './report.js';

/** The colours of a report, as hexadecimal digits. Text on white has a contrast of 4.5 or more, bars of 3 or more. */
export const colours = {
  ink: '1f2a2e',
  muted: '566367',
  accent: '0b5d3b',
  tint: 'e8f1ec',
  rule: 'c3cfc9',
  caution: '9a5b00',
  cautionTint: 'fbf3e4',
  link: '0b4f8a',
  white: 'ffffff',
} as const;

/** Told apart by people who see no red or no green, too: they differ in lightness as well. */
export const series = ['0b5d3b', 'c77d1e', '2f6fb0', '7a4e9e', '5f6b6d', '9c3d3d'] as const;

export function seriesColour(index: number): string {
  return series[index % series.length] ?? series[0];
}

/** A scale that ends a little beyond the largest value, so that labels find place. */
export function scaleEnd(values: readonly { value: number }[], maximum: number | null): number {
  return maximum ?? (Math.max(...values.map(({ value }) => value), 0) || 1);
}

const MAX_CHARACTERS = 60;

/** What fits into half a line. */
export function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length <= MAX_CHARACTERS ? text : `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`;
}

const SHORT_CHARACTERS = 40;

/** Facts by the rows that they stand in: two beside each other where all are short, and null where none is left. */
export function factRows(facts: readonly Fact[]): (Fact | null)[][] {
  const isShort = facts.length > 3 && facts.every(({ value }) => value.length <= SHORT_CHARACTERS);
  if (!isShort) return facts.map((fact) => [fact]);
  return facts.flatMap((fact, index) => (index % 2 === 0 ? [[fact, facts[index + 1] ?? null]] : []));
}
