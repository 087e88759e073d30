import { describe, expect, it } from '@jest/globals';
import { fold, tidy } from '../words/fold.js';
import { findQuantities } from './quantities.js';
import { convert, unitNamed } from './units.js';

const quantities = (given: string): string[] => {
  const text = tidy(given);
  return findQuantities(text, fold(text)).map(({ value, unit }) => `${value} ${unit?.key ?? '-'}`);
};

describe('findQuantities', () => {
  it.each<[string, string[]]>([
    ["12 000 kWh d'électricité et 3 500 litres de gazole", ['12000 kWh', '3500 litre']],
    ['12MWh, 5t, 2 kg, 3 km, 7 m³, 4 L', ['12 MWh', '5 tonne', '2 kg', '3 km', '7 m3', '4 litre']],
    ['3 kilovatios-hora y 2 toneladas', ['3 kWh', '2 tonne']],
    ['12,000度電、3公噸、5公里、8公升', ['12000 kWh', '3 tonne', '5 km', '8 litre']],
    ['1 200 passagers-km, 30 tonne-kilometres, 8 t.km', ['1200 passenger_km', '30 tonne_km', '8 tonne_km']],
    ['120 millions de FCFA', ['120000000 XOF']],
    ['€120, 3 US$, 5 000 XAF, 45 euros, $7.5', ['120 EUR', '3 USD', '5000 XAF', '45 EUR', '7.5 USD']],
    ['20 % et 3 pour cent', ['20 percent', '3 percent']],
    ['une tonne de déchets pour une entreprise', ['1 tonne']],
    ['mil litros', ['1000 litre']],
    ['45 salariés', ['45 -']],
    ['12 bouteilles, 3D, le 2e', ['12 -']],
    ["5 l'année", ['5 -']],
    ['40 hotel nights, 3 nuitées', ['40 night', '3 night']],
    ['3 vols de 4 500 km, 2 × 500 L, 12 mois à 1 000 kWh', ['13500 km', '1000 litre', '12000 kWh']],
    ['2 bouteilles de gaz de 12,5 kg', ['25 kg']],
    ['10 bouteilles de gaz de cuisine de 12,5 kg', ['125 kg']],
    ['12 fûts de gazole pour le groupe de 200 litres', ['2400 litre']],
    ['30 sacs de charbon de bois de 50 kg', ['1500 kg']],
    ['12 drums of diesel for the generator of 200 litres', ['2400 litre']],
    ['10 bombonas de gas de cocina de 12,5 kg', ['125 kg']],
    ['3 x 500 L de gazole et 2x1000 kWh', ['1500 litre', '2000 kWh']],
    ['3 camions consomment 2 000 L de gazole chacun', ['6000 litre']],
    ['4 trucks use 2,000 litres of diesel each', ['8000 litre']],
    ['3 camiones gastan 2000 litros de gasóleo cada uno', ['6000 litre']],
    ['3 allers-retours en avion de 5 300 km', ['15900 km']],
    ['1/2 tonne, ½ litre, 2 1/2 kg', ['0.5 tonne', '0.5 litre', '2.5 kg']],
    [
      'une demi-tonne, un demi litre, half a ton, media tonelada, 半噸',
      ['0.5 tonne', '0.5 litre', '0.5 tonne', '0.5 tonne', '0.5 tonne'],
    ],
    [
      '2 tonnes et demie, 3 tons and a half, 2 toneladas y media, 2噸半',
      ['2.5 tonne', '3.5 tonne', '2.5 tonne', '2.5 tonne'],
    ],
    ['2 millions et demi de kWh', ['2500000 kWh']],
    ['2 tonnes et demi-tarif', ['2 tonne']],
    ['Deux camionnettes diesel, 12 000 km chacune', ['24000 km']],
    ['3 vans that drive 5,000 km each', ['15000 km']],
    ['en 2024 consommations de 12 kWh, site 2 consommation de 5 kWh', ['2024 -', '12 kWh', '2 -', '5 kWh']],
    ['45 salariés et 12 kWh', ['45 -', '12 kWh']],
    ['3 tonnes de riz sur 500 km, 2 tons over 10 km', ['1500 tonne_km', '20 tonne_km']],
    ['2,000 more litres, otros 500 litros', ['2000 litre', '500 litre']],
    ['12 ALL the things', ['12 ALL']],
  ])('%s', (text, expected) => {
    expect(quantities(text)).toEqual(expected);
  });
});

describe('a range', () => {
  const ranges = (given: string): string[] => {
    const text = tidy(given);
    return findQuantities(text, fold(text)).flatMap(({ range, start, end }) =>
      range ? [text.slice(start, end)] : [],
    );
  };

  it.each<[string, string[]]>([
    ['12 000 à 15 000 kWh', ['12 000 à 15 000 kWh']],
    ['10-12 MWh au Mali', ['10-12 MWh']],
    ['10 – 12 MWh au Mali', ['10 – 12 MWh']],
    ['entre 10 et 20 millions de FCFA', ['10 et 20 millions de FCFA']],
    ['10 à 20 millions de FCFA', ['10 à 20 millions de FCFA']],
    ['10 ou 12 tonnes de riz', ['10 ou 12 tonnes']],
    ['2 à 3 vols de 500 km', ['2 à 3 vols de 500 km']],
    ['12,000 to 15,000 kWh', ['12,000 to 15,000 kWh']],
    ['between 10 and 12 MWh', ['10 and 12 MWh']],
    ['entre 10 y 12 MWh, de 3 a 5 toneladas', ['10 y 12 MWh', '3 a 5 toneladas']],
    ['10到12噸', ['10到12噸']],
    ['entre 40 et 50 employés', ['40 et 50']],
    ['en 2023 et 2024, 2023-2024, entre 2023 et 2024', []],
    ['Nous sommes passés de 10 000 à 12 000 kWh', []],
    ['site 1 à 12 000 kWh, site 10 - 12 000 kWh', []],
    ['12 mois à 1 000 kWh, 3 camions à 500 kg', []],
    ['12 kWh et 15 kWh', []],
    ['77 222-33-44', []],
  ])('is no exact amount: %s', (text, expected) => {
    expect(ranges(text)).toEqual(expected);
  });
});

describe('units', () => {
  it.each([
    ['kWh', 'kWh'],
    ['tonne_km', 'tonne_km'],
    ['Litres', 'litre'],
    ['m³', 'm3'],
    ['EUR', 'EUR'],
    ['%', 'percent'],
  ])('%s is %s', (name, key) => expect(unitNamed(name)?.key).toBe(key));

  it.each([
    ['MWh', 'kWh', 12_000],
    ['tonne', 'kg', 12_000],
    ['kg', 'tonne', 0.012],
    ['litre', 'kg', null],
    ['EUR', 'USD', null],
  ])('converts 12 %s to %s', (from, to, expected) => {
    const [a, b] = [unitNamed(from), unitNamed(to)];
    expect(a && b && convert(12, a, b)).toBe(expected);
  });

  it('names none in other words', () => {
    expect(['people', 'kWh of it', '', 'total'].map(unitNamed)).toEqual([null, null, null, null]);
  });
});
