import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';

const run = promisify(execFile);
const here = fileURLToPath(new URL('.', import.meta.url));
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

const MAX_GZIP_BYTES = 12 * 1024;

it(`is at most ${MAX_GZIP_BYTES} bytes of gzip, without graphql-ws`, async () => {
  const { output } = (await build({
    configFile: false,
    logLevel: 'silent',
    root: here,
    build: {
      write: false,
      lib: { entry: 'src/index.ts', formats: ['es'] },
      rollupOptions: { external: ['graphql-ws'] },
    },
  }).then((built) => (Array.isArray(built) ? built[0] : built))) as Rolldown.RolldownOutput;
  expect(output).toHaveLength(1);
  expect(output[0].imports).toEqual(['graphql-ws']);
  expect(gzipSync(output[0].code, { level: 9 }).byteLength).toBeLessThan(MAX_GZIP_BYTES);
});

/** What a front-end team writes first, from the README. */
async function firstExample(): Promise<string> {
  const readme = await readFile(join(here, 'README.md'), 'utf8');
  const [, example = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  return `declare const signIn: () => Promise<string>;
declare const show: (text: string) => void;
declare const clear: () => void;
${example}
export const types: [string, string] = [text, conversationId];
// @ts-expect-error: sources are typed.
sources.at(0)?.nothing;
`;
}

it('is published with its types, and works where it is installed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'palabre-client-'));
  try {
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: here });
    const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('[')));
    const paths = (files as { path: string }[]).map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['README.md', 'LICENSE', 'package.json', 'dist/index.d.ts']),
    );
    expect(paths.filter((path) => /spec|double/.test(path))).toEqual([]);

    const installed = join(folder, 'node_modules/@palabre/client');
    await mkdir(installed, { recursive: true });
    await run('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', installed]);
    for (const name of ['graphql', 'graphql-ws', '@graphql-typed-document-node'])
      await symlink(join(modules, name), join(folder, 'node_modules', name));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'page.ts'), await firstExample());
    const options =
      '--strict --noEmit --target es2024 --module esnext --moduleResolution bundler --lib es2024,dom';
    const tsc = join(modules, 'typescript/bin/tsc');
    await run(process.execPath, [tsc, ...options.split(' '), 'page.ts'], { cwd: folder });
    await writeFile(
      join(folder, 'run.js'),
      `import { createPalabre } from '@palabre/client';
       import documents from '@palabre/client/persisted-documents.json' with { type: 'json' };
       console.log(typeof createPalabre({ url: 'http://localhost' }).ask, Object.keys(documents)[0].slice(0, 7));`,
    );
    expect((await run(process.execPath, ['run.js'], { cwd: folder })).stdout).toBe('function sha256:\n');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
