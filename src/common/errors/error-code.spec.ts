import { readFile } from 'node:fs/promises';
import { codeOf } from './error-code.js';

it('is that of an error of the file system', async () => {
  const error: unknown = await readFile('/no/such/file').catch((reason: unknown) => reason);
  expect(codeOf(error)).toBe('ENOENT');
});

it.each([
  [new Error('plain'), undefined],
  [{ code: 4401 }, 4401],
  ['ENOENT', undefined],
  [null, undefined],
  [undefined, undefined],
])('of %p is %p', (error, code) => {
  expect(codeOf(error)).toBe(code);
});
