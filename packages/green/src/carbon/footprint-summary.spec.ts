import { loadEmissionData } from './emission-data.js';
import { sayLine } from './footprint-summary.js';
import { type FootprintLine, computeFootprint } from './footprint.js';
import { wordingOf } from '../wording.js';

const data = loadEmissionData();
const english = wordingOf('en');

/** «x: 30 tonnes × 2,399.43994 kgCO2e/tonne = 71,983 kgCO2e (scope 3)», in figures. */
function figuresOf(text: string): { product: number; shown: number; digits: number } {
  const [, quantity = '', factor = '', amount = ''] =
    /: ([\d.,]+) [^×]*× ([\d.,]+) kgCO2e?\/[^=]*= ([\d.,]+) kgCO2/.exec(text) ?? [];
  const [count, value, shown] = [quantity, factor, amount].map((each) => Number(each.replaceAll(',', '')));
  return {
    product: (count ?? Number.NaN) * (value ?? Number.NaN),
    shown: shown ?? Number.NaN,
    digits: amount.split('.')[1]?.length ?? 0,
  };
}

it.each([1, 30, 900, 12_345, 180_000, 2_000_001])(
  'a reader who multiplies %s by a factor gets the amount shown',
  (quantity) => {
    const first = computeFootprint({ items: [{ activity: 'diesel', quantity, unit: 'litre' }] }, data)
      .lines[0];
    const factors = [...data.factors.values(), ...data.grids.values(), ...data.gases.values()].filter(
      (factor) => factor.value !== null,
    );
    expect(factors.length).toBeGreaterThan(200);
    for (const { id, gas, per, value, geography } of factors) {
      const factor = { id, gas, per, value: value ?? 0 };
      const line = { ...first, unit: per, geography, factor, kgCO2e: quantity * factor.value, year: null };
      const { product, shown, digits } = figuresOf(sayLine(line as FootprintLine, english, data));
      expect(Math.abs(product - shown)).toBeLessThanOrEqual((0.5 + 1e-6) * 10 ** -digits);
    }
  },
);
