import { noiseThreshold, unrelatedTexts } from './spaces.service.js';

function unit(...numbers: number[]): Float32Array {
  const norm = Math.hypot(...numbers);
  return Float32Array.from(numbers, (number) => number / norm);
}

it('is above what a model makes of texts that have nothing to do with each other', () => {
  expect(noiseThreshold([unit(1, 0, 0), unit(0, 1, 0), unit(0, 0, 1)])).toBeCloseTo(0);
  const alike = [unit(3, 1, 0, 0), unit(3, 0, 1, 0), unit(3, 0, 0, 1)];
  expect(noiseThreshold(alike)).toBeCloseTo(0.85);
  const mixed = [unit(1, 0, 0), unit(1, 1, 0), unit(0, 1, 1), unit(0, 0, 1)];
  expect(noiseThreshold(mixed)).toBeGreaterThan(0.5);
});

it('leaves room above it even where a model finds everything the same', () => {
  expect(noiseThreshold(unrelatedTexts.map(() => unit(1, 1)))).toBe(0.85);
});
