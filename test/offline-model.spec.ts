import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { reservedSkillKeys } from '../src/skills/skill.js';

const root = fileURLToPath(new URL('..', import.meta.url));
function textsOf(pattern: string): string[] {
  return globSync(pattern, { cwd: root })
    .filter((path) => !path.endsWith('.spec.ts'))
    .map((path) => readFileSync(`${root}/${path}`, 'utf8'));
}

const sources = textsOf('packages/offline-model/src/**/*.ts').join('');
const ours = [
  ...textsOf('src/companies/assistants/**/*.{ts,prompt.txt}'),
  ...textsOf('src/agent/**/*-{labels,task}.ts'),
  ...textsOf('src/skills/**/*.{skill,key,keys}.ts'),
].join('\n');

const WORDS = /\p{L}+ \p{L}+ \p{L}+|\p{Script=Han}{6}/u;
/** Whole lines of prompts, and strings: as a program would look for them. */
const sentences = new Set(
  [...ours.matchAll(/(['"`])((?:(?!\1)[^\\\n]|\\.){12,})\1|^([^'"`\n]{20,})$/gmu)]
    .map(([, , quoted, line]) => quoted ?? line?.trim() ?? '')
    .filter((sentence) => WORDS.test(sentence)),
);
const headings = new Set([...ours.matchAll(/^#+ +(.+)$/gmu)].map(([, heading = '']) => heading));
const keys = new Set([
  ...reservedSkillKeys,
  ...[...ours.matchAll(/functionTool\('([a-z_]+)'/g)].map(([, key = '']) => key),
  ...[...ours.matchAll(/(?:key|[A-Z]) = '([a-z_]+)'/g)].map(([, key = '']) => key),
]);

it('the offline model knows no skill, no sentence and no heading of ours: it reads requests as any model would', () => {
  expect(keys.size).toBeGreaterThan(15);
  expect(headings.size).toBeGreaterThan(30);
  expect(sentences.size).toBeGreaterThan(300);
  // A word of the language may be a skill's name as well: what would be compared with it stands in quotes.
  expect([...keys].filter((key) => sources.includes(key.includes('_') ? key : `'${key}'`))).toEqual([]);
  expect([...headings].filter((heading) => sources.includes(heading))).toEqual([]);
  expect([...sentences].filter((sentence) => sources.includes(sentence))).toEqual([]);
});

it('takes no more than two thousand lines', () => {
  expect(sources.split('\n').length - 1).toBeLessThanOrEqual(2_000);
});
