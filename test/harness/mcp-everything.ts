import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { freePort } from './free-port.js';

const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

/** The reference server as a process of its own. */
export const everythingOverStdio = { command: process.execPath, args: [program, 'stdio'] };

/** The reference server at an address of its own. */
export class Everything implements AsyncDisposable {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
  ) {}

  static async start(port?: number): Promise<Everything> {
    const chosen = port ?? (await freePort());
    const child = spawn(process.execPath, [program, 'streamableHttp'], {
      env: { PATH: process.env.PATH, PORT: String(chosen) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    for await (const line of createInterface({ input: child.stderr! })) {
      if (line.includes('listening')) break;
    }
    child.stderr!.resume();
    return new Everything(chosen, child);
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `http://${this.host}/mcp`;
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
