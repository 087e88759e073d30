import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

interface Chunk {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
  isEntry?: boolean;
}

const dist = new URL('../../dist/web/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('manifest.json', dist), 'utf8')) as Record<string, Chunk>;

const KB = 1000;

function gzipped(file: string): number {
  return file.endsWith('.js') ? gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length : 0;
}

/** The chunks that are loaded together with one. */
function loadedWith(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const other of manifest[name]?.imports ?? []) loadedWith(other, seen);
  return seen;
}

function sizeOf(names: Iterable<string>): number {
  return [...names].reduce((sum, name) => sum + gzipped(manifest[name]!.file), 0);
}

/** The page, the language and the chat. */
const first = loadedWith(
  'src/chat/chat-screen.tsx',
  loadedWith('src/i18n/fr.json', loadedWith('index.html')),
);

/** A conversation and the viewer of cited pages are some too: pdf.js works in a thread of its own. */
const screens = Object.keys(manifest).filter((name) => /(-screen|\/thread|page-viewer)\.tsx$/.test(name));

it('loads at most 170 KB of JavaScript before the chat, gzip', () => {
  expect(sizeOf(first) / KB).toBeLessThanOrEqual(170);
});

it.each(screens)('loads at most 60 KB more for %s', (screen) => {
  expect(sizeOf([...loadedWith(screen)].filter((name) => !first.has(name))) / KB).toBeLessThanOrEqual(60);
});

it('has at most 480 KB in all', () => {
  const all = new Set([...first, ...screens.flatMap((screen) => [...loadedWith(screen)])]);
  expect(sizeOf(all) / KB).toBeLessThanOrEqual(480);
});
