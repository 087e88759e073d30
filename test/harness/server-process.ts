import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { signToken } from '../../src/companies/auth/token-signer.js';
import { AMPLE_LIMITS, SECRET } from './start-app.js';
import { TestClient } from './test-client.js';

/** As `npm run build` makes it. */
const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

const COMPILE_CACHE = join(tmpdir(), 'palabre-compile-cache');

/** As `npm start` and the image have it. */
const NODE_FLAGS = ['--max-semi-space-size=32'];

export type Settings = Record<string, string>;

export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
}

/** A program of the build in a process of its own, with nothing of this process's environment. */
export class Program {
  output = '';
  readonly finished: Promise<Finished>;
  private readonly child: ChildProcessWithoutNullStreams;

  constructor(
    file: 'app/main.js' | 'app/cli/palabre.js',
    commandLine: readonly string[],
    settings: Settings,
  ) {
    const env = {
      AUTH_SECRET: SECRET,
      LOG_LEVEL: 'silent',
      // The modules are compiled once for all programs, which is a fifth of the processor time of a start.
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...AMPLE_LIMITS,
      ...settings,
    };
    // Away from the project's folder, where a developer may have a .env.
    this.child = spawn(process.execPath, [...NODE_FLAGS, `${DIST}${file}`, ...commandLine], {
      env,
      cwd: '/',
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    this.finished = once(this.child, 'close').then(([code, signal]: unknown[]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      output: this.output,
    }));
  }

  /** Resolves once `pattern` is in the output; rejects with the output when the program ends before. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    const ended = this.finished.then(({ output }) => Promise.reject(new Error(output)));
    for (;;) {
      const found = pattern.exec(this.output);
      if (found) return found;
      await Promise.race([once(this.child.stdout, 'data'), ended]);
    }
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  kill(signal: NodeJS.Signals): Promise<Finished> {
    this.child.kill(signal);
    return this.finished;
  }
}

/** The server as an operator starts it. */
export class ServerProcess implements AsyncDisposable {
  private readonly clients: TestClient[] = [];

  private constructor(
    private readonly program: Program,
    readonly url: string,
  ) {}

  static async start(settings: Settings): Promise<ServerProcess> {
    const program = new Program('app/main.js', [], { PORT: '0', ...settings });
    const [, url = ''] = await program.says(/(?:GraphQL|Health) +(http:\S+?)\/(?:graphql|health)/);
    return new ServerProcess(program, url);
  }

  /** An admin of the company demo. */
  async client(): Promise<TestClient> {
    const claims = { sub: 'ada', company: 'demo', role: 'ADMIN' as const, name: 'Ada' };
    const client = new TestClient(this.url, await signToken(SECRET, claims, 3600));
    this.clients.push(client);
    return client;
  }

  /** What it has said so far. */
  get output(): string {
    return this.program.output;
  }

  get pid(): number {
    return this.program.pid;
  }

  /** How it ended, once it has. */
  get finished(): Promise<Finished> {
    return this.program.finished;
  }

  kill(signal: NodeJS.Signals): Promise<Finished> {
    return this.program.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
    await this.kill('SIGKILL');
  }
}

/** Runs a program that ends by itself. */
export function runToEnd(
  file: 'app/main.js' | 'app/cli/palabre.js',
  commandLine: readonly string[],
  settings: Settings,
): Promise<Finished> {
  return new Program(file, commandLine, settings).finished;
}
