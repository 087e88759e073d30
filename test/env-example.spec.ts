import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readConfig } from '../src/common/config/read-config.js';
import { settingsIn } from '../src/common/config/setting.js';
import { settings } from '../src/common/config/variables.js';

function read(path: string): string {
  return readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
}

const lines = read('.env.example').split('\n');
const examples = Object.fromEntries(
  lines.flatMap((line) => {
    const [, name, value] = /^# ([A-Z][A-Z0-9_]+)=(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value]];
  }),
) as Record<string, string>;

it('names every setting that the configuration reads, and no other', () => {
  const names = settingsIn(settings).map(({ variable }) => variable);
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
    (line, index) => /^# [A-Z0-9_]+=/.test(line) && !/^# [A-Z].+\.$/.test(lines[index - 1] ?? ''),
  );
  expect(unexplained).toEqual([]);
});
