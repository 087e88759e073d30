import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Command {
  file: string;
  arguments: string[];
}

/** Of what is left of the memory live things that no heap counts, such as the file itself and what is unpacked of it. */
const HEAP_SHARE = 2 / 3;

/** Beside the reader itself, what collects its garbage takes processor time as well. */
const PROCESSOR_SECONDS_PER_SECOND = 3;

const SHELL = '/bin/sh';

const isFromSources = import.meta.url.endsWith('.ts');
const here = dirname(realpathSync(fileURLToPath(import.meta.url)));

/** The folder with the package's package.json: src and dist are folders of it, and this file lies in both as deep. */
const root = join(here, '..', '..');

/** Wherever libraries are looked for: they may be linked, or stand further up. */
const libraries = (createRequire(import.meta.url).resolve.paths('library') ?? []).flatMap((folder) =>
  folder.endsWith('node_modules') && existsSync(folder) ? [folder, realpathSync(folder)] : [],
);

const readable = new Set([join(root, isFromSources ? 'src' : 'dist'), ...libraries]);

/**
 * How the process is started that reads a document: it may read the installation's own code and libraries, and neither
 * write a file nor start a process. It is stopped by the system when it has computed for far too long: it may have lost
 * its parent while it could not look up.
 */
export function childCommand(module: URL, limits: { timeoutMs: number; memoryMegabytes: number }): Command {
  const node = [
    process.execPath,
    '--permission',
    ...Array.from(readable, (folder) => `--allow-fs-read=${join(folder, '*')}`),
    `--allow-fs-read=${join(root, 'package.json')}`,
    '--disallow-code-generation-from-strings',
    `--max-old-space-size=${Math.floor(limits.memoryMegabytes * HEAP_SHARE)}`,
    '--no-warnings',
    ...(isFromSources ? ['--experimental-transform-types'] : []),
    join(here, isFromSources ? 'reader-child.ts' : 'reader-child.js'),
    module.href,
  ];
  const seconds = Math.ceil((limits.timeoutMs / 1000) * PROCESSOR_SECONDS_PER_SECOND);
  // Neither does it leave a picture of its memory behind, in which the document would be.
  const limited = `ulimit -c 0; ulimit -t ${seconds}; exec "$0" "$@"`;
  const [file = '', ...rest] = existsSync(SHELL) ? [SHELL, '-c', limited, ...node] : node;
  return { file, arguments: rest };
}
