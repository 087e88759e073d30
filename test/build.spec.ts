import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));

let folder: string;
function at(path: string): string {
  return join(folder, path);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palabre-build-'));
  for (const file of ['scripts', '.swcrc', 'package.json'])
    await cp(join(root, file), at(file), { recursive: true });
  await mkdir(at('src/app'), { recursive: true });
  await mkdir(at('packages/one/src'), { recursive: true });
  await writeFile(at('nest-cli.json'), '{ "compilerOptions": { "assets": ["data/*.json"] } }');
  await mkdir(at('src/data'));
  await writeFile(at('src/data/facts.json'), '{}');
  await writeFile(at('src/app/main.ts'), 'export const one: number = 1;');
  await writeFile(at('packages/one/src/index.ts'), 'export const two: number = 2;');
  await symlink(join(root, 'node_modules'), at('node_modules'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Built {
  code: number;
  error: string;
}

function build(...commandLine: string[]): Promise<Built> {
  return new Promise((resolve) => {
    execFile(process.execPath, [at('scripts/build.js'), ...commandLine], (error, _out, text) =>
      resolve({ code: error === null ? 0 : Number(error.code), error: text }),
    );
  });
}

async function leftovers(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.startsWith('dist-'));
}

it('compiles sources and packages, and puts beside them what they read', async () => {
  expect(await build()).toMatchObject({ code: 0 });
  expect(await readFile(at('dist/app/main.js'), 'utf8')).toContain('export const one = 1;');
  expect(await readFile(at('packages/one/dist/index.js'), 'utf8')).toContain('two = 2');
  expect(await readFile(at('dist/data/facts.json'), 'utf8')).toBe('{}');
  expect(await leftovers()).toEqual([]);
});

it('builds the pages for browsers, unless they were made of the same sources', async () => {
  await mkdir(at('web/src/app'), { recursive: true });
  await writeFile(at('web/index.html'), '<script type="module" src="/src/main.js"></script>');
  await writeFile(at('web/src/main.js'), `document.title = '${'Palabre '.repeat(200)}';`);
  await writeFile(at('web/src/app/screens.json'), '{}');
  await mkdir(at('clients/js/src/generated'), { recursive: true });
  await writeFile(at('clients/js/src/generated/persisted-documents.json'), '{}');
  await writeFile(at('clients/js/src/index.ts'), 'export const three: number = 3;');
  expect(await build()).toMatchObject({ code: 0 });
  const assets = await readdir(at('dist/web/assets'));
  expect(assets.map((name) => name.replace(/-.*?\./, '.')).toSorted()).toEqual([
    'index.js',
    'index.js.br',
    'index.js.gz',
  ]);
  await writeFile(at('dist/web/index.html'), 'as it was');
  await build();
  expect(await readFile(at('dist/web/index.html'), 'utf8')).toBe('as it was');
  await writeFile(at('web/src/main.js'), 'document.title = 1');
  await build();
  expect(await readFile(at('dist/web/index.html'), 'utf8')).toContain('assets/index');
});

it('leaves test doubles out, except when asked for them', async () => {
  await writeFile(at('src/app/model.double.ts'), 'export const reply: number = 1;');
  await build();
  expect(await readdir(at('dist/app'))).not.toContain('model.double.js');
  expect(await build('--with-doubles')).toMatchObject({ code: 0 });
  expect(await readdir(at('dist/app'))).toEqual(expect.arrayContaining(['main.js', 'model.double.js']));
});

it('takes nothing from a server that runs from what was built before', async () => {
  await build();
  await writeFile(at('dist/removed-since.js'), 'export {};');
  const before = await stat(at('dist/app/main.js'));
  expect(await build()).toMatchObject({ code: 0 });
  expect((await stat(at('dist/app/main.js'))).ino).toBe(before.ino);
  expect(await readFile(at('dist/removed-since.js'), 'utf8')).toBe('export {};');
});

it('has the same entry for development as npm start', async () => {
  for (const file of ['nest-cli.json', 'tsconfig.json', 'tsconfig.build.json'])
    await cp(join(root, file), at(file));
  await writeFile(at('src/app/main.ts'), `console.log('started');`);
  const { stdout } = await promisify(execFile)(at('node_modules/.bin/nest'), ['start'], { cwd: folder });
  expect(stdout).toContain('started');
});

it('changes nothing when the sources do not compile', async () => {
  await build();
  await writeFile(at('packages/one/src/index.ts'), 'export const two = 3;');
  await writeFile(at('src/app/main.ts'), 'export const one = ;');
  expect(await build()).toMatchObject({ code: 1, error: expect.stringContaining('dist is as it was') });
  expect(await readFile(at('dist/app/main.js'), 'utf8')).toContain('one = 1');
  expect(await readFile(at('packages/one/dist/index.js'), 'utf8')).toContain('two = 2');
  expect(await leftovers()).toEqual([]);
});

it('may be run twice at once', async () => {
  const both = await Promise.all([build(), build()]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(await readFile(at('dist/app/main.js'), 'utf8')).toContain('export const one = 1;');
});

describe('where the compiler is not installed', () => {
  beforeEach(() => rm(at('node_modules')));

  it('an installation goes on, and a build says what is missing', async () => {
    expect(await build('--if-tools-are-installed')).toMatchObject({ code: 0 });
    expect(await build()).toMatchObject({ code: 1, error: expect.stringContaining('npm ci') });
  });

  it('what was built elsewhere is taken as it is', async () => {
    await mkdir(at('dist/app'), { recursive: true });
    await writeFile(at('dist/app/main.js'), '');
    expect(await build()).toEqual({ code: 0, error: '' });
  });
});
