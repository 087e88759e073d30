/**
 * Builds the console and the explorer into `fresh/web`, unless `dist/web` was made of the very same sources, and puts
 * beside each file what it is when it is compressed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { extname, join, relative } from 'node:path';
import zlib from 'node:zlib';

import { consoleOperations } from './console-operations.js';

const MIN_COMPRESSED_BYTES = 1_000;
const COMPRESSED = new Set(['.js', '.css', '.svg', '.json', '.ttf']);

/** What the pages are made of. The lock file stands for the packages. */
const SOURCES = [
  'web',
  'clients/js/src',
  'clients/js/package.json',
  'package-lock.json',
  'scripts/build-web.js',
  'scripts/console-operations.js',
];

export async function buildWeb(root, fresh) {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  if (!fs.existsSync(join(root, 'web/index.html')) || !fs.existsSync(vite)) return;
  const made = hashOf(root);
  const note = 'web/made-of';
  if (fs.existsSync(join(root, 'dist', note)) && fs.readFileSync(join(root, 'dist', note), 'utf8') === made)
    return;
  const folder = join(fresh, 'web');
  const args = ['build', 'web', '--outDir', folder, '--manifest', 'manifest.json', '--logLevel', 'error'];
  const { status } = spawnSync(process.execPath, [vite, ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('The console does not compile: dist is as it was.');
  const screens = readJson(join(root, 'web/src/app/screens.json'));
  fs.writeFileSync(join(folder, 'screens.json'), JSON.stringify(screens));
  const preloads = preloadsOf(readJson(join(folder, 'manifest.json')), Object.keys(screens));
  fs.writeFileSync(join(folder, 'preloads.json'), JSON.stringify(preloads));
  const operations = await consoleOperations(root);
  fs.writeFileSync(join(folder, 'operations.json'), JSON.stringify(operations));
  for (const name of fs.readdirSync(join(folder, 'assets'))) compress(join(folder, 'assets', name));
  fs.writeFileSync(join(fresh, note), made);
}

/** What each screen and language needs besides what the page itself names: browsers load it with the page. */
function preloadsOf(manifest, screens) {
  const page = filesWith(manifest, 'index.html');
  const filesOf = (name) => [...filesWith(manifest, name)].filter((file) => !page.has(file));
  const languages = Object.keys(manifest).filter((name) => /^src\/i18n\/[^/]+\.json$/.test(name));
  return {
    screens: Object.fromEntries(
      screens.map((screen) => [screen, filesOf(`src/${screen}/${screen}-screen.tsx`)]),
    ),
    // The first part of the tag is enough: no language is there twice.
    languages: Object.fromEntries(
      languages.map((name) => [/(\w+)[^/]*\.json$/.exec(name)[1], filesOf(name)]),
    ),
  };
}

/** Those that are loaded together with a chunk. */
function filesWith(manifest, name, files = new Set()) {
  const { file, css = [], imports = [] } = manifest[name];
  if (files.has(file)) return files;
  for (const each of [file, ...css]) files.add(each);
  for (const other of imports) filesWith(manifest, other, files);
  return files;
}

function readJson(path) {
  return JSON.parse(fs.readFileSync(path, 'utf8'));
}

function hashOf(root) {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((source) => filesIn(join(root, source))).toSorted()) {
    hash.update(relative(root, file)).update('\0').update(fs.readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function filesIn(path) {
  if (!fs.existsSync(path)) return [];
  if (!fs.statSync(path).isDirectory()) return [path];
  return fs
    .readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && !name.startsWith('dist'))
    .flatMap(({ name }) => filesIn(join(path, name)));
}

function compress(file) {
  const content = fs.readFileSync(file);
  if (!COMPRESSED.has(extname(file)) || content.length < MIN_COMPRESSED_BYTES) return;
  const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: 9 };
  fs.writeFileSync(`${file}.br`, zlib.brotliCompressSync(content, { params }));
  fs.writeFileSync(`${file}.gz`, zlib.gzipSync(content, { level: 9 }));
}
