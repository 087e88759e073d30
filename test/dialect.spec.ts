import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = globSync(
  ['*.config.ts', '{src,test}/**/*.ts', '{packages,clients}/*/src/**/*.ts', 'web/src/**/*.{ts,tsx}'],
  { cwd: root },
);

/** A function at the top of a file, written as a constant; one with a type of its own may be. */
const arrowConstant = /^(?:export )?const (\w+) = (?:async )?(?:<[^=]*>)?\([^)]*\)(?:: [^=]*)? =>/gm;

it.each([
  ['export const one = (a: number): number => a;', ['one']],
  ['const two = async <T>(a: T) => a;', ['two']],
  ['export const typed: Handler = (a) => a;', []],
  ['function declared() {\n  const inner = () => 1;\n}', []],
])('finds what is no declaration: %s', (source, names) => {
  expect(Array.from(source.matchAll(arrowConstant), ([, name]) => name)).toEqual(names);
});

it('has named functions declared as such, and arrows for callbacks', () => {
  const found = files.flatMap((file) =>
    Array.from(
      readFileSync(`${root}${file}`, 'utf8').matchAll(arrowConstant),
      ([, name]) => `${file}: ${name}`,
    ),
  );
  expect(files.length).toBeGreaterThan(1_000);
  expect(found).toEqual([]);
});
