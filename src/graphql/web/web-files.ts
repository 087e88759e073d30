import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

/** The output of `npm run build`, at the same depth from src and dist. */
const BUILT = fileURLToPath(new URL('../../../dist/web/', import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.pfb': 'application/octet-stream',
  '.bcmap': 'application/octet-stream',
  '.wasm': 'application/wasm',
};

/** The encodings of browsers, the smallest first. */
const encodings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;

const Screens = z.record(z.string(), z.literal(true));

const Files = z.record(z.string(), z.array(z.string()));
/** Files that the page does not name: by the first part of its path, and by language. */
const Preloads = z.object({ screens: Files, languages: Files });

/** The pages and files for browsers, as read at start. */
export interface WebFiles {
  folder: string;
  /** The console's page; its addresses are relative to its base. */
  console: string;
  explorer: string;
  /** The first parts of the paths at which the console's page stands. */
  screens: readonly string[];
  preloads: z.infer<typeof Preloads>;
  /** Their names contain a hash of the content, so browsers may cache them. Some are also compressed. */
  assets: ReadonlySet<string>;
}

/** The manifest of the console's operations. Null: nothing was built. */
export function consoleManifest(folder = BUILT): string | null {
  const file = join(folder, 'operations.json');
  return existsSync(file) ? file : null;
}

/** Null: running from source without a build. */
export function readWebFiles(folder = BUILT): WebFiles | null {
  if (!existsSync(join(folder, 'index.html'))) return null;
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  return {
    folder,
    console: read('index.html'),
    explorer: read('explorer.html'),
    screens: Object.keys(Screens.parse(JSON.parse(read('screens.json')))),
    preloads: Preloads.parse(JSON.parse(read('preloads.json'))),
    assets: new Set(readdirSync(join(folder, 'assets'))),
  };
}

/** Serves the pages' files. Only names that existed at start are looked up. */
export function registerAssets(fastify: FastifyInstance, { folder, assets }: WebFiles): void {
  fastify.get<{ Params: { name: string } }>('/assets/:name', (request, reply) => {
    const { name } = request.params;
    const type = types[extname(name)];
    if (type === undefined || !assets.has(name))
      return reply.code(404).type('text/plain; charset=utf-8').send('There is no such file.\n');
    const accepted = acceptedBy(request);
    const encoding = encodings.find(
      (encoding) => accepted.has(encoding.name) && assets.has(`${name}${encoding.extension}`),
    );
    const file = join(folder, 'assets', `${name}${encoding?.extension ?? ''}`);
    if (encoding) reply.header('content-encoding', encoding.name);
    return sendFile(reply.header('vary', 'accept-encoding'), file, type, 'max-age=31536000, immutable');
  });
  for (const [name, type] of [
    ['icon.svg', 'image/svg+xml'],
    ['theme.js', 'text/javascript; charset=utf-8'],
  ] as const) {
    fastify.get(`/${name}`, (_request, reply) => sendFile(reply, join(folder, name), type, 'max-age=86400'));
  }
}

function sendFile(reply: FastifyReply, file: string, type: string, caching: string): FastifyReply {
  return reply
    .type(type)
    .headers({
      'cache-control': `public, ${caching}`,
      'content-length': statSync(file).size,
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    .send(createReadStream(file));
}

function acceptedBy({ headers }: FastifyRequest): ReadonlySet<string> {
  const codings = String(headers['accept-encoding'] ?? '').split(',');
  const wanted = codings.filter((coding) => !/;\s*q=0(\.0*)?\s*$/.test(coding));
  return new Set(wanted.map((coding) => coding.split(';', 1)[0]?.trim() ?? ''));
}
