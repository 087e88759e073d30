import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { parse } from 'node:path';
import { finished } from 'node:stream/promises';

import { childCommand } from './child-command.js';
import { framesOf, MAX_MESSAGE_BYTES, writeFrame } from './frames.js';
import type { LauncherReport, ReaderLimits } from './launcher-messages.js';
import { watchMemory } from './memory-limit.js';

const MAX_COMPLAINT_BYTES = 4000;

/** A process that reads one file, in the launcher. */
export class LaunchedProcess {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly frames: AsyncGenerator<Buffer, undefined>;
  private readonly exited: Promise<unknown>;
  private readonly ended = new AbortController();
  private finishing: Promise<void> | null = null;
  private isTooLarge = false;
  private complaint = '';

  constructor(
    private readonly id: number,
    { module, limits }: { module: string; limits: ReaderLimits },
    private readonly report: (message: LauncherReport) => void,
  ) {
    const command = childCommand(new URL(module), limits);
    // An empty environment, as the server's has secrets.
    this.child = spawn(command.file, command.arguments, {
      cwd: parse(process.execPath).root,
      env: {},
      stdio: 'pipe',
    });
    this.frames = framesOf(this.child.stdout, MAX_MESSAGE_BYTES);
    this.exited = new Promise((resolve) => {
      this.child.once('exit', resolve).once('error', (error) => {
        this.complaint ||= String(error);
        // It was not started, and nothing else closes its streams.
        if (this.child.pid === undefined) this.child.stdio.forEach((stream) => stream?.destroy());
        resolve(error);
      });
    });
    void this.exited.then(() => this.ended.abort());
    // A process that has ended takes no input. The reason is reported at its end.
    this.child.stdin.on('error', () => undefined);
    this.child.stderr.on('data', (chunk: Buffer) => this.note(chunk));
    const { pid } = this.child;
    if (pid === undefined) return;
    const limitBytes = limits.memoryMegabytes * 1024 * 1024;
    watchMemory(pid, limitBytes, () => this.endForMemory(), this.ended.signal);
  }

  /** Passes on a frame, and reports when there is room for the next one, or when the process is gone. */
  async take(bytes: Uint8Array): Promise<void> {
    if (!writeFrame(this.child.stdin, bytes))
      await once(this.child.stdin, 'drain', { signal: this.ended.signal }).catch(() => undefined);
    this.report({ id: this.id, type: 'taken' });
  }

  /** Reports its next message, or its end. A message that is too long ends it. */
  async next(): Promise<void> {
    try {
      const { value } = await this.frames.next();
      if (value) this.report({ id: this.id, type: 'message', bytes: value });
      else await this.finish();
    } catch {
      this.kill();
    }
  }

  kill(): void {
    this.child.kill('SIGKILL');
    // Unread output would keep the streams open.
    void this.exited.then(() => this.child.stdio.forEach((stream) => stream?.destroy()));
    void this.finish();
  }

  private endForMemory(): void {
    this.isTooLarge = true;
    this.child.kill('SIGKILL');
  }

  /** Reports the end once the process is gone, with the rest of its error output. */
  private finish(): Promise<void> {
    return (this.finishing ??= (async () => {
      await Promise.all([this.exited, finished(this.child.stderr).catch(() => undefined)]);
      const { exitCode, signalCode } = this.child;
      const { id, isTooLarge, complaint } = this;
      this.report({ id, type: 'end', code: exitCode, signal: signalCode, isTooLarge, complaint });
    })());
  }

  private note(chunk: Buffer): void {
    if (this.complaint.length < MAX_COMPLAINT_BYTES)
      this.complaint += chunk.toString('latin1', 0, MAX_COMPLAINT_BYTES - this.complaint.length);
  }
}
