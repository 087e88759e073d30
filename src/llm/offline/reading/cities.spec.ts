import { expect, it } from '@jest/globals';
import { countryOfCities } from './cities.js';

it.each([
  ['une savonnerie à Bobo-Dioulasso', 'BF'],
  ['usine à Bamako', 'ML'],
  ['in Dar es Salaam', 'TZ'],
  ['à Dakar et à Thiès', 'SN'],
  ['de Dakar à Abidjan', null],
  ['rouler à paris', null],
  ['nulle part', null],
])('tells the country of the cities in «%s»', (text, code) => {
  expect(countryOfCities(text)).toBe(code);
});
