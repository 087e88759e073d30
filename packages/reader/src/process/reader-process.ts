import type { Readable } from 'node:stream';

import { DocumentRefused } from '../parsed-document.js';
import { remark } from '../remarks.js';
import { type LauncherLink, openLauncherLink } from './launcher.js';
import type { LauncherReport, ReaderEnd, ReaderLimits } from './launcher-messages.js';
import { ReaderMessage, type ReaderOrder } from './reader-messages.js';

/** A process for one file, which the launcher starts. The owner must end it. */
export class ReaderProcess {
  private readonly link: LauncherLink;
  private readonly ended = Promise.withResolvers<ReaderEnd>();
  private failure: { reason: unknown } | null = null;
  private taken = Promise.withResolvers<void>();
  private message = Promise.withResolvers<Uint8Array | null>();
  private isEnded = false;
  private leftMs: number;
  private complaints = '';

  /** `module`: exports `readDocument`. */
  constructor(
    module: URL,
    private readonly limits: ReaderLimits,
  ) {
    this.leftMs = limits.timeoutMs;
    this.link = openLauncherLink((report) => this.hear(report));
    this.link.send({ type: 'start', module: module.href, limits });
  }

  /** The beginning of its error output, for the log. */
  get complaint(): string {
    return this.complaints;
  }

  /** Kills it. `messages` rejects with `reason`, unless there was another one before. */
  fail(reason: unknown): void {
    this.failure ??= { reason };
    this.link.kill();
  }

  /** Sends the file. Never rejects: errors reach the reader of `messages`. */
  async feed(order: ReaderOrder, content: Readable): Promise<void> {
    try {
      await this.write(Buffer.from(JSON.stringify(order)));
      for await (const chunk of content) {
        if (this.isEnded) return;
        if ((chunk as Buffer).byteLength > 0) await this.write(chunk as Buffer);
      }
      await this.write(Buffer.alloc(0));
    } catch (error) {
      this.fail(error);
    }
  }

  /** The messages in order. The last one is an end or a refusal. Rejects if there is none. */
  async *messages(): AsyncGenerator<ReaderMessage> {
    for (;;) {
      const bytes = await this.inTime(() => this.next());
      if (bytes === null) throw reasonOf(await this.ended.promise, this.failure);
      yield ReaderMessage.parse(JSON.parse(Buffer.from(bytes).toString()));
    }
  }

  /** Resolves when the process is gone, or the launcher, with which it ends. */
  async end(): Promise<void> {
    this.link.kill();
    await this.ended.promise;
    this.link.close();
  }

  private hear(report: LauncherReport): void {
    if (report.type === 'taken') this.taken.resolve();
    else if (report.type === 'message') this.message.resolve(report.bytes);
    else {
      this.isEnded = true;
      this.complaints = report.complaint;
      this.taken.resolve();
      this.message.resolve(null);
      this.ended.resolve(report);
    }
  }

  // Not in a race with the end, which would keep all messages until then.
  private write(bytes: Uint8Array): Promise<void> {
    this.taken = Promise.withResolvers();
    if (this.isEnded) this.taken.resolve();
    else this.link.send({ type: 'frame', bytes });
    return this.taken.promise;
  }

  /** Null: there are no more. */
  private next(): Promise<Uint8Array | null> {
    this.message = Promise.withResolvers();
    if (this.isEnded) this.message.resolve(null);
    else this.link.send({ type: 'next' });
    return this.message.promise;
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
}

/** Why there is no further message. */
function reasonOf({ code, signal, isTooLarge, complaint }: ReaderEnd, failure: { reason: unknown } | null) {
  if (failure !== null) return failure.reason;
  if (isTooLarge || /heap out of memory|allocation failed/i.test(complaint))
    return new DocumentRefused(remark('TOO_MUCH_MEMORY'));
  const how = `The process that read the file ended early (${signal ?? code ?? 'its launcher is gone, or could not start it'}).`;
  // Another process killed it, such as the kernel when memory ran out. That is not the file's fault.
  const isKilled = signal === 'SIGKILL' || signal === 'SIGTERM' || signal === 'SIGINT';
  if (isKilled || signal === null) return new Error(how);
  return new DocumentRefused(remark('DAMAGED'), { cause: new Error(how) });
}
