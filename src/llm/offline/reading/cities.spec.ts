import { expect, it } from '@jest/globals';
import { countryOfCities } from './cities.js';

it.each([
  ['une savonnerie à Bobo-Dioulasso', 'BF'],
  ['usine à Bamako', 'ML'],
  ['in Dar es Salaam', 'TZ'],
  ['à Dakar et à Thiès', 'SN'],
  ['de Dakar à Abidjan', null],
  ['Nous avons déménagé de Lomé à Cotonou', 'BJ'],
  ['We moved from Accra to Nairobi', 'KE'],
  ['We moved 20 tonnes from Accra to Nairobi', null],
  ['rouler à paris', null],
  ['nulle part', null],
])('tells the country of the cities in «%s»', (text, code) => {
  expect(countryOfCities(text)).toBe(code);
});
