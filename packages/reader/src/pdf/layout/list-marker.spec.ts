import { readItem } from './list-marker.js';

it.each([
  ['• Eau', { marker: '-', text: 'Eau' }],
  ['•Eau', { marker: '-', text: 'Eau' }],
  ['\uf0b7 Eau', { marker: '-', text: 'Eau' }],
  ['– Eau', { marker: '-', text: 'Eau' }],
  ['2. Eau', { marker: '2.', text: 'Eau' }],
  ['12) Eau', { marker: '12)', text: 'Eau' }],
  ['b) Eau', { marker: '-', text: 'b) Eau' }],
  ['(iv) Eau', { marker: '-', text: '(iv) Eau' }],
  ['2024. Eau', null],
  ['-12 °C', null],
  ['1.5 tonne', null],
  ['*nota bene*', null],
  ['•', null],
  ['Eau', null],
])('reads %s', (line, item) => {
  expect(readItem(line)).toEqual(item);
});
