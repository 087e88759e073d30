import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';

import type { Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import type { McpLink } from './mcp-session.js';

const MAX_MESSAGE_BYTES = 8_000_000;
const MAX_LINE_CHARACTERS = 10_000;
/** An endless output must not fill the log. */
const MAX_LINES = 200;
const KILL_AFTER_MS = 2_000;

interface ChildServer {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/**
 * A server in its own process, which ends with the link. Of our environment it gets PATH, HOME and the like, as the
 * client's transport passes them, but no settings of ours.
 */
export class ChildLink implements McpLink {
  readonly transport: Transport;
  private readonly stdio: StdioClientTransport;
  private gone = Promise.withResolvers<void>();
  private isGone = false;
  private pid: number | null = null;

  /** `onLine`: gets the server's error output, including secrets. */
  constructor({ command, args, env }: ChildServer, onLine: (line: string) => void) {
    const stdio = new StdioClientTransport({
      command,
      args: [...args],
      env: { ...env },
      stderr: 'pipe',
      maxBufferSize: MAX_MESSAGE_BYTES,
    });
    const start = stdio.start.bind(stdio);
    // Wraps two methods of the SDK's class, because the client recognises a process by that class.
    stdio.start = async () => {
      this.gone = Promise.withResolvers<void>();
      this.isGone = false;
      await start();
      this.pid = stdio.pid;
    };
    const close = stdio.close.bind(stdio);
    // Also when the client closes it to restart in the other era. Ends all descendants, because a shell around a
    // server does not forward signals.
    stdio.close = async () => {
      const descendants = this.pid === null ? [] : descendantsOf(this.pid);
      try {
        await close();
      } finally {
        for (const pid of descendants) send(pid, 'SIGKILL');
      }
    };
    const onclose = (): void => {
      this.isGone = true;
      this.gone.resolve();
    };
    Object.assign(stdio, { onclose });
    this.stdio = stdio;
    this.transport = stdio;
    readLines(stdio.stderr as Readable, onLine);
  }

  async dispose(): Promise<void> {
    if (this.pid !== null) for (const pid of descendantsOf(this.pid)) send(pid, 'SIGTERM');
    this.signal('SIGTERM');
    await this.stdio.close();
    if (this.pid === null || this.isGone) return;
    const timer = setTimeout(() => {
      this.signal('SIGKILL');
      this.gone.resolve();
    }, KILL_AFTER_MS);
    await this.gone.promise;
    clearTimeout(timer);
  }

  private signal(name: NodeJS.Signals): void {
    if (this.pid === null || this.isGone) return;
    if (!send(this.pid, name)) this.isGone = true; // it has ended, and nobody was told yet
  }
}

/** Whether the process existed. */
function send(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

const MAX_GENERATIONS = 20;

/** The descendants of a process, where the system lists them: on Linux. */
function descendantsOf(pid: number, generations = MAX_GENERATIONS): number[] {
  if (generations === 0) return [];
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? [];
    return children.map(Number).flatMap((child) => [child, ...descendantsOf(child, generations - 1)]);
  } catch {
    return [];
  }
}

/** Keeps reading after the last logged line, because a process with a full pipe blocks. */
function readLines(stream: Readable, onLine: (line: string) => void): void {
  let told = 0;
  let begun = '';
  stream.setEncoding('utf8').on('data', (piece: string) => {
    if (told >= MAX_LINES) return;
    const lines = `${begun}${piece}`.split('\n');
    const last = lines.pop() ?? '';
    begun = last.length <= MAX_LINE_CHARACTERS ? last : '';
    if (begun === '') lines.push(last);
    const full = lines.filter((line) => line.trim() !== '');
    for (const line of full.slice(0, MAX_LINES - told)) onLine(line.slice(0, MAX_LINE_CHARACTERS));
    told += full.length;
  });
  stream.on('end', () => begun !== '' && told < MAX_LINES && onLine(begun));
}
