import fc from 'fast-check';

import { countryCodeOf, measureIn, Names } from './understanding.js';
import { languages } from './wording.js';

describe('a country', () => {
  it.each([
    ['SN', 'SN'],
    ['sn', 'SN'],
    ['Sénégal', 'SN'],
    ['senegal', 'SN'],
    ['Côte d’Ivoire', 'CI'],
    ["cote d'ivoire", 'CI'],
    ['Camerún', 'CM'],
    ['塞內加爾', 'SN'],
    ['South Africa', 'ZA'],
    ['UK', 'GB'],
  ])('is known by its code and its names: %s', (text, code) => {
    expect(countryCodeOf(text)).toBe(code);
  });

  it('that is none is answered with those that are like it', () => {
    expect(() => countryCodeOf('Senegaal')).toThrow(
      /No country is called “Senegaal”.*nearest: SN \(Senegal\)/,
    );
  });

  it('is known by what each language calls it', () => {
    for (const language of languages) {
      const names = new Intl.DisplayNames(language, { type: 'region' });
      for (const code of ['BF', 'CD', 'KM', 'TZ', 'ST']) expect(countryCodeOf(names.of(code)!)).toBe(code);
    }
  });
});

describe('a measure', () => {
  it.each([
    ['12000', 12_000, ''],
    ['12 000', 12_000, ''],
    ['12\u202f000 kWh', 12_000, 'kWh'],
    ['12,000.5 kWh', 12_000.5, 'kWh'],
    ['1.234,5', 1234.5, ''],
    ['1,234,567', 1_234_567, ''],
    ['0,5 t', 0.5, 't'],
    ['0.125', 0.125, ''],
    ['2.1250 t', 2.125, 't'],
    ["12'000 L", 12_000, 'L'],
  ])('is read from %s', (text, value, unit) => {
    expect(measureIn(text)).toEqual({ value, unit });
  });

  it.each(['12,000', '2.125 t'])('that may be two is none: %s', (text) => {
    expect(() => measureIn(text)).toThrow('may be two numbers');
  });

  it.each(['', 'ten', 'kWh 12', '.', '-5'])('is not read from %j', (text) => {
    expect(() => measureIn(text)).toThrow('is no number');
  });

  it('is what JavaScript writes', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1e9, noNaN: true }), (value) => {
        const text = value.toFixed(5);
        expect(measureIn(text).value).toBe(Number(text));
      }),
    );
  });
});

it('names are found however they are written, and the nearest where they are not', () => {
  const names = new Names([
    ['natural_gas', ['natural gas', 'gaz naturel']],
    ['lpg', ['bottled gas', 'gaz en bouteille']],
    ['coal', ['coal', 'charbon', '煤']],
  ]);
  expect(['Natural-Gas', 'GAZ naturel', '煤', 'LPG'].map((text) => names.find(text))).toEqual([
    'natural_gas',
    'natural_gas',
    'coal',
    'lpg',
  ]);
  expect(names.find('gas')).toBeUndefined();
  expect(names.nearest('gaz naturelle', 1)).toEqual(['natural_gas']);
  expect(names.nearest('gaz bouteilles', 2)).toEqual(['lpg', 'natural_gas']);
  const french = { natural_gas: 'gaz naturel', lpg: 'gaz', coal: 'charbon' };
  expect(names.sayNearest('gaz bouteilles', (code) => french[code], 2)).toBe('lpg (gaz), gaz naturel');
});
