import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { parse } from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

import { childCommand } from './child-command.js';
import { frameOf } from './frames.js';
import { LineSplitter } from './line-splitter.js';
import { offerToKernel, watchMemory } from './memory-limit.js';
import { DocumentRefused } from '../parsed-document.js';
import { DAMAGED, TAKES_TOO_MUCH_MEMORY } from '../reader-failure.js';
import { MAX_LINE_BYTES, ReaderMessage, type ReaderOrder } from './reader-messages.js';

export interface ReaderLimits {
  /** For how long the process is waited for in all; while nobody waits for it, it waits itself. */
  timeoutMs: number;
  memoryMegabytes: number;
}

const MAX_COMPLAINT_BYTES = 4000;

/** One file in one process. Whoever makes one has to end it. */
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
    // Nothing of the environment: there are secrets in it.
    this.child = spawn(command.file, command.arguments, {
      cwd: parse(process.execPath).root,
      env: {},
      stdio: 'pipe',
    });
    this.leftMs = limits.timeoutMs;
    this.child.once('error', (error) => this.fail(error));
    this.exited = new Promise((resolve) => this.child.once('exit', resolve).once('error', resolve));
    void this.exited.then(() => this.ended.abort());
    // A process that has gone takes nothing: why it has gone is told by its end.
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
      () => this.fail(new DocumentRefused(TAKES_TOO_MUCH_MEMORY)),
      this.ended.signal,
    );
  }

  /** The beginning of what it has complained about, for the log. */
  get complaint(): string {
    return this.complaints;
  }

  /** Kills it; what is read of it ends with `reason`, unless that is known already. */
  fail(reason: unknown): void {
    this.failure ??= { reason };
    this.child.kill('SIGKILL');
  }

  /** Hands the file over. Never rejects: what goes wrong is told to whoever reads. */
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

  /** What it tells, in order; the last is an end or a refusal. Rejects with why there is none. */
  async *messages(): AsyncGenerator<ReaderMessage> {
    const lines = new LineSplitter(MAX_LINE_BYTES);
    const chunks = this.child.stdout.iterator() as AsyncIterator<Buffer, undefined>;
    for (;;) {
      const { done, value } = await this.inTime(() => chunks.next());
      if (done) throw await this.reasonOfEnd();
      for (const line of lines.push(value)) yield ReaderMessage.parse(JSON.parse(line));
    }
  }

  /** Resolves when nothing is left of it. */
  async end(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
    // What nobody has read keeps them open.
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
    const seconds = this.limits.timeoutMs / 1000;
    return new DocumentRefused(
      `Reading the file takes longer than ${seconds} seconds. Split it into smaller files and upload those.`,
    );
  }

  private note(chunk: Buffer): void {
    if (this.complaints.length < MAX_COMPLAINT_BYTES)
      this.complaints += chunk.toString('latin1', 0, MAX_COMPLAINT_BYTES - this.complaints.length);
  }

  /** After all that it has told: of its end there is nothing left to come but what it complains of. */
  private async reasonOfEnd(): Promise<unknown> {
    await this.inTime(() => Promise.all([this.exited, finished(this.child.stderr).catch(() => undefined)]));
    if (this.failure !== null) return this.failure.reason;
    const { exitCode, signalCode } = this.child;
    const how = `The process that read the file ended early (${signalCode ?? exitCode}).`;
    if (/heap out of memory|allocation failed/i.test(this.complaints))
      return new DocumentRefused(TAKES_TOO_MUCH_MEMORY);
    // Somebody else has killed it, as the kernel does where memory runs out: not the file's fault.
    const isKilled = signalCode === 'SIGKILL' || signalCode === 'SIGTERM' || signalCode === 'SIGINT';
    if (isKilled || signalCode === null) return new Error(how);
    return new DocumentRefused(DAMAGED, { cause: new Error(how) });
  }
}

/** Where processors are few, whoever answers people goes before it. It may have ended already. */
function yieldProcessor(processId: number): void {
  try {
    setPriority(processId, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It is no less of use.
  }
}
