import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Of every screen. */
const COMMON = /^(styles|app)\//;

function classesIn(file: string): Set<string> {
  const rules = readFileSync(`${root}${file}`, 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
  const selectors = [...rules.matchAll(/([^{}]+)\{/g)].flatMap(([, list = '']) => list.split(','));
  return new Set(selectors.flatMap((selector) => /^\s*\.([\w-]+)/.exec(selector)?.[1] ?? []));
}

// Stylesheets of screens that were open before stay in the page.
it('no screen styles what another one names the same', () => {
  const files = globSync('**/*.css', { cwd: root }).filter((file) => !COMMON.test(file));
  const owners = Map.groupBy(
    files.flatMap((file) => [...classesIn(file)].map((name) => ({ name, file }))),
    ({ name }) => name,
  );
  const shared = [...owners.values()].filter(({ length }) => length > 1);
  expect(shared).toEqual([]);
});
