import { expect, it } from '@jest/globals';
import { read } from '../reading/read.js';
import { yearText } from './year-prose.js';

it.each(['pendant un an', 'par an'])('counts a year of weeks: %s', (asked) => {
  const content = JSON.stringify({ totalKgCO2e: 470.744, period: 'par semaine' });
  const result = { name: 'calculate_carbon_footprint', arguments: '{}', content };
  const reading = read(`Empreinte de 200 litres d’essence par semaine ${asked}`);
  expect(yearText([result], reading, 'fr')).toContain('24,48 tCO2e');
});
