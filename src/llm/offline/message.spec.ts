import { expect, it } from '@jest/globals';
import { Message } from './message.js';

it.each([
  [
    'Calcule A, cherche des prêts et génère un rapport.',
    ['Calcule A', 'cherche des prêts', 'génère un rapport.'],
  ],
  ['Calculate A, then find loans', ['Calculate A', 'find loans']],
  ['Nous cherchons un prêt, calculé hier.', ['Nous cherchons un prêt, calculé hier.']],
])('every order is a sentence of its own: %s', (text, expected) => {
  expect(new Message(text).sentences.map(({ reading }) => reading.text)).toEqual(expected);
});
