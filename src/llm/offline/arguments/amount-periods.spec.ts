import { describe, expect, it } from '@jest/globals';
import { read } from '../reading/read.js';
import { differingPeriods } from './amount-periods.js';

describe('differingPeriods', () => {
  it.each([
    ['2023 : 50 000 kWh et 2024 : 60 000 kWh', ['2023', '2024']],
    ['50 000 kWh en 2023 et 60 000 kWh en 2024', ['2023', '2024']],
    ['5 000 kWh per month and 200 litres of petrol per week', ['month', 'week']],
    ['5 000 kWh par mois et 12 000 litres de gazole', ['mois', '12 000 litres de gazole']],
    ['5 000 kWh et 300 litres de gazole par mois', []],
    ['5 000 kWh par mois et 300 L/mois de gazole', []],
    ['En 2024 : 5 000 kWh et 300 litres de gazole', []],
    ['200 litres d’essence par semaine pendant un an', []],
    ['850 kWh pour 2 mois et 300 litres de gazole par mois', ['2 mois', 'mois']],
    ['850 kWh pour 2 mois et 300 litres de gazole tous les 2 mois', []],
    ['5 litres de gazole par heure et 850 kWh par sem', ['heure', 'sem']],
  ])('of «%s»', (text, expected) => {
    expect(differingPeriods(read(text))).toEqual(expected);
  });
});
