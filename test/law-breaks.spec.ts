import { existsSync, readFileSync } from 'node:fs';

import { transpileModule } from 'typescript';

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
    // What cannot be read would be noticed by every test.
    const broken = transpileModule(
      source.replace(search, () => replace),
      { reportDiagnostics: true },
    );
    expect(broken.diagnostics).toEqual([]);
    for (const test of tests) expect(existsSync(path(test))).toBe(true);
  });
});
