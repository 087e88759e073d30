import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = globSync('**/*.md', { cwd: root, exclude: (path) => path.split('/').includes('node_modules') });

/** Without what is in code blocks. */
function read(page: string): string {
  return readFileSync(join(root, page), 'utf8').replaceAll(/^( *)```.*?^\1```/gms, '');
}

/** As GitHub makes them of headings. */
function anchorsOf(page: string): Set<string> {
  const headings = [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

it.each(pages)('%s links to files and headings that are there', (page) => {
  const targets = [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(
    ([, target = '']) => target,
  );
  const broken = targets.filter((target) => {
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? join(root, page) : join(root, dirname(page), path);
    if (!existsSync(file)) return true;
    return anchor !== undefined && file.endsWith('.md') && !anchorsOf(relative(root, file)).has(anchor);
  });
  expect(broken).toEqual([]);
});
