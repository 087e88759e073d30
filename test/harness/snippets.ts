import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transform } from '@swc/core';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where all pages say that Palabre is. */
const PRINTED_ADDRESS = 'http://localhost:4000';

/** A piece of code as a page prints it. */
export interface Snippet {
  language: string;
  code: string;
}

/** Those of a page of docs/doors, in its order. */
export function snippetsIn(page: string): Snippet[] {
  const text = readFileSync(join(root, 'docs/doors', page), 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    language,
    code,
  }));
}

/** The only one of a page that has these words in it. */
export function snippetWith(page: string, words: string): Snippet {
  const [snippet, ...others] = snippetsIn(page).filter(({ code }) => code.includes(words));
  if (!snippet || others.length > 0)
    throw new Error(`${page} has not one snippet with “${words}” in it, but ${others.length + 1}.`);
  return snippet;
}

interface Surroundings {
  /** The server's address, which stands in place of the printed one. */
  url: string;
  environment?: Record<string, string>;
  /** What the page leaves to the reader, such as the values that it names. */
  before?: string;
  /** What the reader's page does then, and what it says. */
  after?: string;
  /** Packages that are not installed, and the modules that stand in for them. */
  standIns?: Record<string, URL>;
  /** Whose packages are used: this project's, unless a folder is named. */
  folder?: string;
}

/** A program that is under way. */
export interface RunningSnippet {
  /** Resolves once it has printed these words; rejects with all that it has said when it ends before. */
  says(words: string): Promise<void>;
  /** What it has printed once it ends. Rejects when it fails. */
  finished: Promise<string>;
}

/** Starts it as a program of its own, as it is printed. */
export async function startSnippet(snippet: Snippet, surroundings: Surroundings): Promise<RunningSnippet> {
  const { url, environment = {}, before = '', after = '', standIns = {}, folder = root } = surroundings;
  const place = await mkdtemp(join(tmpdir(), 'palabre-snippet-'));
  await symlink(join(folder, 'node_modules'), join(place, 'node_modules'));
  await writeFile(join(place, 'package.json'), '{ "type": "module" }');
  const code = [before, snippet.code.replaceAll(PRINTED_ADDRESS, url), after].join('\n');
  await writeFile(join(place, 'snippet.ts'), snippet.language === 'tsx' ? await withoutTags(code) : code);
  await writeFile(join(place, 'stand-ins.js'), standInModule(standIns));
  const program = spawn(process.execPath, ['--import', './stand-ins.js', './snippet.ts'], {
    cwd: place,
    env: { PATH: process.env.PATH, PALABRE: url, ...environment },
  });
  let printed = '';
  let said = '';
  program.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  for (const stream of [program.stdout, program.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  const finished = once(program, 'close').then(async ([status]) => {
    await rm(place, { recursive: true, force: true });
    if (status !== 0) throw new Error(said);
    return printed;
  });
  // Whoever waits for neither learns of it by what it has not done.
  finished.catch(() => undefined);
  return {
    finished,
    says: async (words) => {
      const ended = finished.then(() => Promise.reject(new Error(said)));
      while (!printed.includes(words)) await Promise.race([once(program.stdout, 'data'), ended]);
    },
  };
}

/** Runs it to its end, and gives what it prints. Rejects when it fails. */
export async function runSnippet(snippet: Snippet, surroundings: Surroundings): Promise<string> {
  return (await startSnippet(snippet, surroundings)).finished;
}

/** The same of a program that another interpreter than Node carries out. */
export async function runSnippetBy(
  interpreter: 'python3' | 'sh',
  { code }: Snippet,
  { url, environment = {} }: Pick<Surroundings, 'environment' | 'url'>,
): Promise<string> {
  const env = { PATH: process.env.PATH, PALABRE: url, ...environment };
  const args = ['-c', code.replaceAll(PRINTED_ADDRESS, url)];
  return (await promisify(execFile)(interpreter, args, { env })).stdout;
}

/** Whether this machine has it. */
export function isThere(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** Node leaves types out by itself, but not React's tags. */
async function withoutTags(code: string): Promise<string> {
  const parser = { syntax: 'typescript', tsx: true } as const;
  const jsc = { parser, target: 'es2024', transform: { react: { runtime: 'automatic' } } } as const;
  return (await transform(code, { jsc, module: { type: 'es6' } })).code;
}

function standInModule(standIns: Record<string, URL>): string {
  return `import { registerHooks } from 'node:module';
    const standIns = new Map(${JSON.stringify(Object.entries(standIns))});
    registerHooks({
      resolve(name, context, next) {
        const url = standIns.get(name);
        return url === undefined ? next(name, context) : { url, shortCircuit: true };
      },
    });`;
}
