import { expect, it } from '@jest/globals';
import { isJsonObject } from './json.js';

it.each([
  ['{}', true],
  ['{"a":[1]}', true],
  ['[]', false],
  ['null', false],
  ['"{}"', false],
  ['1', false],
  ['true', false],
])('tells whether %s is an object', (text, isObject) => {
  expect(isJsonObject(JSON.parse(text))).toBe(isObject);
});
