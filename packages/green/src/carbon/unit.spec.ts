import fc from 'fast-check';

import { convert, isConvertible, parseFactorUnit, unitNames } from './unit.js';

describe('units', () => {
  it.each([
    [1.5, 'MWh', 'kWh', 1500],
    [250, 'kWh', 'MWh', 0.25],
    [2, 'm3', 'litre', 2000],
    [750, 'kg', 'tonne', 0.75],
    [12, 'km', 'passenger_km', 12],
  ] as const)('counts %d %s in %s as %d', (quantity, from, to, expected) => {
    expect(convert(quantity, from, to)).toBeCloseTo(expected, 12);
  });

  it.each([
    ['litre', 'kg'],
    ['km', 'tonne_km'],
    ['passenger_km', 'km'],
    ['kWh', 'litre'],
  ] as const)('does not turn %s into %s', (from, to) => {
    expect(isConvertible(from, to)).toBe(false);
    expect(() => convert(1, from, to)).toThrow(RangeError);
  });

  it('comes back to the same quantity', () => {
    const unit = fc.constantFrom(...unitNames);
    fc.assert(
      fc.property(unit, unit, fc.double({ min: 1e-6, max: 1e12, noNaN: true }), (from, to, quantity) => {
        fc.pre(isConvertible(from, to) && isConvertible(to, from));
        expect(convert(convert(quantity, from, to), to, from) / quantity).toBeCloseTo(1, 12);
      }),
    );
  });

  it('reads how factors write their unit, and nothing it would misread', () => {
    expect(parseFactorUnit('kgCO2e/L')).toEqual({ gas: 'CO2e', per: 'litre' });
    expect(parseFactorUnit('kgCO2/kg')).toEqual({ gas: 'CO2', per: 'kg' });
    expect(parseFactorUnit('kgCO2e/passager.km')).toEqual({ gas: 'CO2e', per: 'passenger_km' });
    expect(parseFactorUnit('kgCO2e/kWh PCI')).toEqual({ gas: 'CO2e', per: 'kWh' });
    for (const other of ['kgCO2e/kWh PCS', 'kgCO2/t clinker', 'kgCH4/t', 'gCO2e/kWh', '']) {
      expect(parseFactorUnit(other)).toBeNull();
    }
  });
});
