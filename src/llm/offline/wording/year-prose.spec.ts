import { expect, it } from '@jest/globals';
import { read } from '../reading/read.js';
import { yearText } from './year-prose.js';

it('counts no year of nothing: all that was given is declared apart from the total', () => {
  const content = JSON.stringify({ totalKgCO2e: 0, outsideKyotoKgCO2e: 17_600, period: 'par mois' });
  const result = { name: 'calculate_carbon_footprint', arguments: '{}', content };
  expect(yearText([result], read('Empreinte de 10 kg de R22 par mois sur un an'), 'fr')).toBe('');
});

it.each(['pendant un an', 'par an'])('counts a year of weeks: %s', (asked) => {
  const content = JSON.stringify({ totalKgCO2e: 470.744, period: 'par semaine' });
  const result = { name: 'calculate_carbon_footprint', arguments: '{}', content };
  const reading = read(`Empreinte de 200 litres d’essence par semaine ${asked}`);
  expect(yearText([result], reading, 'fr')).toContain('24,48 tCO2e');
});
