import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readConfig } from '../src/common/config/config.js';

function read(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
}

const lines = read('.env.example').split('\n');
const examples = Object.fromEntries(
  lines.flatMap((line) => {
    const [, name, value] = /^# ([A-Z][A-Z_]+)=(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value]];
  }),
) as Record<string, string>;

it('names every setting that the configuration reads, and no other', () => {
  const files = readdirSync(new URL('../src/common/config/', import.meta.url));
  const sources = files.filter((file) => !/\.(spec|double)\.ts$|^client-config/.test(file));
  const source = sources.map((file) => read(`src/common/config/${file}`)).join('');
  const names = [...source.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(10);
  expect(Object.keys(examples).toSorted()).toEqual(names.toSorted());
});

it('gives the defaults that are in force', () => {
  expect(readConfig(examples)).toEqual(readConfig({}));
  expect(readConfig(examples).dataDir).toBe(resolve('.palabre'));
});

it('sets nothing by itself, and says of each setting what it does', () => {
  expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
  const unexplained = lines.filter(
    (line, index) => /^# [A-Z_]+=/.test(line) && !/^# [A-Z].+\.$/.test(lines[index - 1] ?? ''),
  );
  expect(unexplained).toEqual([]);
});
