import { existsSync, readFileSync } from 'node:fs';

import { memoryBreaks } from './laws/memory-breaks.js';
import { turnBreaks } from './laws/turn-breaks.js';

const lawBreaks = [...turnBreaks, ...memoryBreaks];

function path(file: string): URL {
  return new URL(`../${file}`, import.meta.url);
}

describe('the breaks of `npm run test:laws`', () => {
  it.each(lawBreaks)('fit the code: $name', ({ file, search, replace, tests }) => {
    const source = readFileSync(path(file), 'utf8');
    expect(source.split(search)).toHaveLength(2);
    expect(replace).not.toBe(search);
    for (const test of tests) expect(existsSync(path(test))).toBe(true);
  });
});
