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

export const seriesColour = (index: number): string => series[index % series.length] ?? series[0];

/** A scale that ends a little beyond the largest value, so that labels find place. */
export const scaleEnd = (values: readonly { value: number }[], maximum: number | null): number =>
  maximum ?? (Math.max(...values.map(({ value }) => value), 0) || 1);
