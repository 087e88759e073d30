import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Command {
  file: string;
  arguments: string[];
}

/** The heap's share of the memory. The file and its unpacked parts are outside of the heap. */
const HEAP_SHARE = 2 / 3;

/** More than one: the garbage collector runs on other processors. */
const PROCESSOR_SECONDS_PER_SECOND = 3;

const SHELL = '/bin/sh';

const isFromSources = import.meta.url.endsWith('.ts');
const here = dirname(realpathSync(fileURLToPath(import.meta.url)));

/** The package's folder. src and dist are at the same depth. */
const root = join(here, '..', '..');

/** All folders in which libraries are looked up: they may be linked, or be further up. */
const libraries = (createRequire(import.meta.url).resolve.paths('library') ?? []).flatMap((folder) =>
  folder.endsWith('node_modules') && existsSync(folder) ? [folder, realpathSync(folder)] : [],
);

const readable = new Set([
  ...[join(root, isFromSources ? 'src' : 'dist'), join(root, 'data'), ...libraries].map((folder) =>
    join(folder, '*'),
  ),
  join(root, 'package.json'),
  join(root, 'wording.json'),
]);

/**
 * The command of the process that reads a document. It may read the installation's code and libraries, and may neither
 * write files nor start processes. The system kills it when it uses far too much processor time, in case its parent has
 * died and it is too busy to notice.
 */
export function childCommand(module: URL, limits: { timeoutMs: number; memoryMegabytes: number }): Command {
  const node = [
    process.execPath,
    '--permission',
    ...Array.from(readable, (path) => `--allow-fs-read=${path}`),
    '--disallow-code-generation-from-strings',
    `--max-old-space-size=${Math.floor(limits.memoryMegabytes * HEAP_SHARE)}`,
    '--no-warnings',
    ...(isFromSources ? ['--experimental-transform-types'] : []),
    join(here, isFromSources ? 'reader-child.ts' : 'reader-child.js'),
    module.href,
  ];
  const seconds = Math.ceil((limits.timeoutMs / 1000) * PROCESSOR_SECONDS_PER_SECOND);
  // No core dump: it would contain the document.
  const limited = `ulimit -c 0; ulimit -t ${seconds}; exec "$0" "$@"`;
  const [file = '', ...rest] = existsSync(SHELL) ? [SHELL, '-c', limited, ...node] : node;
  return { file, arguments: rest };
}
