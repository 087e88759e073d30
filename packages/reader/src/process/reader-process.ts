import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { parse } from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

import { childCommand } from './child-command.js';
import { frameOf, framesOf } from './frames.js';
import { offerToKernel, watchMemory } from './memory-limit.js';
import { DocumentRefused } from '../parsed-document.js';
import { MAX_MESSAGE_BYTES, ReaderMessage, type ReaderOrder } from './reader-messages.js';
import { remark } from '../remarks.js';

export interface ReaderLimits {
  /** The limit of the time spent waiting for the process. Time in which nobody waits does not count. */
  timeoutMs: number;
  memoryMegabytes: number;
}

const MAX_COMPLAINT_BYTES = 4000;

/** A process for one file. The owner must end it. */
export class ReaderProcess {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly exited: Promise<unknown>;
  private readonly ended = new AbortController();
  private failure: { reason: unknown } | null = null;
  private leftMs: number;
  private complaints = '';

  /** `module`: exports `readDocument`. */
  constructor(
    module: URL,
    private readonly limits: ReaderLimits,
  ) {
    const command = childCommand(module, limits);
    // An empty environment, as ours has secrets.
    this.child = spawn(command.file, command.arguments, {
      cwd: parse(process.execPath).root,
      env: {},
      stdio: 'pipe',
    });
    this.leftMs = limits.timeoutMs;
    this.child.once('error', (error) => this.fail(error));
    this.exited = new Promise((resolve) => this.child.once('exit', resolve).once('error', resolve));
    void this.exited.then(() => this.ended.abort());
    // A process that has ended takes no input. The reason is reported at its end.
    this.child.stdin.on('error', () => undefined);
    this.child.stderr.on('data', (chunk: Buffer) => this.note(chunk));
    const { pid } = this.child;
    if (pid === undefined) return;
    void offerToKernel(pid);
    yieldProcessor(pid);
    const limitBytes = limits.memoryMegabytes * 1024 * 1024;
    watchMemory(
      pid,
      limitBytes,
      () => this.fail(new DocumentRefused(remark('TOO_MUCH_MEMORY'))),
      this.ended.signal,
    );
  }

  /** The beginning of its error output, for the log. */
  get complaint(): string {
    return this.complaints;
  }

  /** Kills it. `messages` rejects with `reason`, unless there was another one before. */
  fail(reason: unknown): void {
    this.failure ??= { reason };
    this.child.kill('SIGKILL');
  }

  /** Sends the file. Never rejects: errors reach the reader of `messages`. */
  async feed(order: ReaderOrder, content: Readable): Promise<void> {
    try {
      await this.write(Buffer.from(JSON.stringify(order)));
      for await (const chunk of content) {
        if (this.ended.signal.aborted) return;
        if ((chunk as Buffer).byteLength > 0) await this.write(chunk as Buffer);
      }
      await this.write(Buffer.alloc(0));
    } catch (error) {
      this.fail(error);
    }
  }

  /** The messages in order. The last one is an end or a refusal. Rejects if there is none. */
  async *messages(): AsyncGenerator<ReaderMessage> {
    const frames = framesOf(this.child.stdout, MAX_MESSAGE_BYTES);
    for (;;) {
      const { done, value } = await this.inTime(() => frames.next());
      if (done) throw await this.reasonOfEnd();
      yield ReaderMessage.parse(JSON.parse(value.toString()));
    }
  }

  /** Resolves when the process is gone. */
  async end(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
    // Unread output would keep the streams open.
    for (const stream of this.child.stdio) stream?.destroy();
  }

  private async write(bytes: Uint8Array): Promise<void> {
    if (this.child.stdin.write(frameOf(bytes))) return;
    await once(this.child.stdin, 'drain', { signal: this.ended.signal }).catch(() => undefined);
  }

  private async inTime<Result>(wait: () => Promise<Result>): Promise<Result> {
    const begunAt = performance.now();
    const timer = setTimeout(() => this.fail(this.tooLong()), Math.max(0, this.leftMs));
    try {
      return await wait();
    } finally {
      clearTimeout(timer);
      this.leftMs -= performance.now() - begunAt;
    }
  }

  private tooLong(): DocumentRefused {
    return new DocumentRefused(remark('TOO_MUCH_TIME', { seconds: this.limits.timeoutMs / 1000 }));
  }

  private note(chunk: Buffer): void {
    if (this.complaints.length < MAX_COMPLAINT_BYTES)
      this.complaints += chunk.toString('latin1', 0, MAX_COMPLAINT_BYTES - this.complaints.length);
  }

  /** Called after its last message. Waits for the rest of its error output. */
  private async reasonOfEnd(): Promise<unknown> {
    await this.inTime(() => Promise.all([this.exited, finished(this.child.stderr).catch(() => undefined)]));
    if (this.failure !== null) return this.failure.reason;
    const { exitCode, signalCode } = this.child;
    const how = `The process that read the file ended early (${signalCode ?? exitCode}).`;
    if (/heap out of memory|allocation failed/i.test(this.complaints))
      return new DocumentRefused(remark('TOO_MUCH_MEMORY'));
    // Another process killed it, such as the kernel when memory ran out. That is not the file's fault.
    const isKilled = signalCode === 'SIGKILL' || signalCode === 'SIGTERM' || signalCode === 'SIGINT';
    if (isKilled || signalCode === null) return new Error(how);
    return new DocumentRefused(remark('DAMAGED'), { cause: new Error(how) });
  }
}

/** Lowers the priority, so that the server goes first on a machine with few processors. */
function yieldProcessor(processId: number): void {
  try {
    setPriority(processId, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has ended already, or works as well without it.
  }
}
