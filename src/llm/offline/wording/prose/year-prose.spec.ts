import { expect, it } from '@jest/globals';
import { read } from '../../reading/read.js';
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

it.each([
  ['pour 2 mois', '(× 6) : 2,007 tCO2e'],
  ['tous les 3 mois', '(× 4) : 1,338 tCO2e'],
  ['par sem', '(× 52) : 17,39 tCO2e'],
])('counts a year of what is %s', (period, expected) => {
  const content = JSON.stringify({ totalKgCO2e: 334.5, period });
  const result = { name: 'calculate_carbon_footprint', arguments: '{}', content };
  expect(yearText([result], read(`Empreinte de 850 kWh ${period}, sur l’année`), 'fr')).toContain(expected);
});

it.each(['par heure', 'pour 24 mois'])('counts no year of what is %s', (period) => {
  const content = JSON.stringify({ totalKgCO2e: 334.5, period });
  const result = { name: 'calculate_carbon_footprint', arguments: '{}', content };
  expect(yearText([result], read(`Empreinte de 850 kWh ${period}, sur l’année`), 'fr')).toBe('');
});
