import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

function built(command: string): string {
  const file = command === 'remote' ? 'clients/cli/bin/palabre.js' : `dist/app/cli/${command}.js`;
  return fileURLToPath(new URL(`../../${file}`, import.meta.url));
}

export interface Surroundings {
  /** All of the environment: nothing of the tests' own gets in. */
  env: Record<string, string>;
  /** A folder without an .env file. */
  cwd: string;
  /** What standard input holds. */
  input?: string;
}

/** A built command in a process of its own, as a user runs it. */
export class RunningCommand {
  out = '';
  error = '';
  /** The exit code, once everything that was written has been read. */
  readonly exit: Promise<number | null>;
  private readonly child: ChildProcess;

  /** `remote`: the client for any server, which takes nothing of an installation. */
  constructor(
    command: 'ask' | 'palabre' | 'remote',
    commandLine: string[],
    { env, cwd, input = '' }: Surroundings,
  ) {
    const child = spawn(process.execPath, [built(command), ...commandLine], { env, cwd });
    this.child = child;
    this.exit = once(child, 'close').then(([code]) => code as number | null);
    child.stdout.setEncoding('utf8').on('data', (text: string) => void (this.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => void (this.error += text));
    child.stdin.end(input);
  }

  /** Resolves as soon as `text` has been written. Rejects when the command ends without. */
  async until(stream: 'out' | 'error', text: string): Promise<void> {
    const source = stream === 'out' ? this.child.stdout : this.child.stderr;
    const ended = this.exit.then(() => 'ended' as const);
    while (!this[stream].includes(text)) {
      const seen = source && once(source, 'data');
      if ((await Promise.race([seen, ended])) === 'ended' && !this[stream].includes(text)) {
        throw new Error(`The command ended without “${text}”:\n${this.out}\n${this.error}`);
      }
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}
