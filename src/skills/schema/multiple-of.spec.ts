import { isMultipleOf } from './multiple-of.js';

describe('a multiple', () => {
  it.each([
    [19.99, 0.01],
    [-1.1, 0.1],
    [123_456_789_012.34, 0.01],
    [0, 5],
    [1e21, 1],
    [3e-7, 1e-7],
    [1.5, 0.5],
  ])('%d is one of %d', (value, step) => {
    expect(isMultipleOf(value, step)).toBe(true);
  });

  it.each([
    [19.995, 0.01],
    [7, 2],
    [1e-7, 0.01],
    [Infinity, 1],
  ])('%d is none of %d', (value, step) => {
    expect(isMultipleOf(value, step)).toBe(false);
  });
});
