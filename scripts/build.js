/**
 * Compiles src, packages/*, clients/* and the console into their `dist` folders, in a way that a server which runs from
 * them does not notice:
 * first into a folder of this process, so that what does not compile changes nothing and two builds do not meet, then
 * into place, one file at a time and only what is different. Nothing is deleted: a server that runs may still load what
 * the sources no longer have. (`rm -rf dist` before a build does it, where that matters.)
 *
 * Test doubles (`*.double.ts`) are left out, except with `--with-doubles`: the benchmarks run on some of them.
 */
// Not by name: the Node of a machine that only installs need not have all of it.
import fs from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildWeb } from './build-web.js';

const root = fileURLToPath(new URL('..', import.meta.url));

if (fs.existsSync(join(root, 'node_modules/@swc/core'))) await build();
else leaveAsItIs(process.argv.includes('--if-tools-are-installed'));

async function build() {
  const packages = fs.globSync('{packages,clients}/*', { cwd: root }).map((folder) => join(root, folder));
  const folders = [...packages, root].filter((folder) => fs.existsSync(join(folder, 'src')));
  const places = folders.map((folder) => ({ folder, fresh: join(folder, `dist-${process.pid}`) }));
  try {
    for (const { folder, fresh } of places) await compile(folder, fresh);
    const fresh = join(root, `dist-${process.pid}`);
    copyAssets(fresh);
    await buildWeb(root, fresh);
    for (const { folder, fresh } of places) putInPlace(fresh, join(folder, 'dist'));
  } finally {
    for (const { fresh } of places) fs.rmSync(fresh, { recursive: true, force: true });
  }
}

/** The folder is as deep as `dist`, so that source maps point to the sources from there. */
async function compile(folder, fresh) {
  const { transformFile } = await import('@swc/core');
  const left = process.argv.includes('--with-doubles') ? ['**/*.spec.ts'] : ['**/*.{spec,double}.ts'];
  const files = fs.globSync('**/*.ts', { cwd: join(folder, 'src'), exclude: left });
  const compiling = files.map(async (file) => {
    const [from, to] = [join(folder, 'src', file), join(fresh, file.replace(/ts$/, 'js'))];
    const sourceFileName = relative(dirname(to), from);
    const options = { configFile: join(root, '.swcrc'), sourceFileName, outputPath: to };
    const { code, map } = await transformFile(from, options);
    fs.mkdirSync(dirname(to), { recursive: true });
    fs.writeFileSync(to, `${code}\n//# sourceMappingURL=${basename(to)}.map`);
    fs.writeFileSync(`${to}.map`, map);
  });
  const failed = (await Promise.allSettled(compiling)).filter(({ status }) => status === 'rejected');
  if (failed.length === 0) return;
  const reasons = failed.map(({ reason }) => reason.message).join('\n');
  throw new Error(`${reasons}\n${folder} does not compile: dist is as it was.`);
}

/** What stands beside the code in dist as in src; nest-cli.json lists it for `npm run dev`. */
function copyAssets(fresh) {
  const { assets } = readJson('nest-cli.json').compilerOptions;
  for (const file of fs.globSync(assets, { cwd: join(root, 'src') })) {
    fs.cpSync(join(root, 'src', file), join(fresh, file));
  }
}

/** A file is there whole at every moment: who loads it gets the old one or the new one. */
function putInPlace(fresh, dist) {
  for (const file of filesIn(fresh)) {
    const [from, to] = [join(fresh, file), join(dist, file)];
    if (fs.existsSync(to) && fs.readFileSync(to).equals(fs.readFileSync(from))) continue;
    fs.mkdirSync(dirname(to), { recursive: true });
    fs.renameSync(from, to);
  }
}

function filesIn(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function readJson(path) {
  return JSON.parse(fs.readFileSync(join(root, path), 'utf8'));
}

/** A production install has no compiler: it runs what was built elsewhere. */
function leaveAsItIs(isInstallation) {
  if (fs.existsSync(join(root, 'dist/app/main.js'))) return;
  process.stderr.write(
    'Palabre is not built: the compiler is a development dependency. `npm ci` brings it; a production install ' +
      '(`npm ci --omit=dev`) needs the folders dist, packages/*/dist and clients/*/dist of another build, as in the Dockerfile.\n',
  );
  if (!isInstallation) process.exitCode = 1;
}
