import { AsyncLocalStorage } from 'node:async_hooks';

import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';

import { McpFailure } from './mcp-failure.js';

export type Elicitation = ElicitRequest['params'];

/** The total wait for people on an open connection of a 2025 server during a call. */
export const MAX_LIVE_SECONDS = 300;

/** A call during which the server may ask the person and wait for the answer. */
export class LiveCall {
  private readonly controller = new AbortController();
  private readonly asked: { params: Elicitation; answer: (result: ElicitResult) => void }[] = [];
  private told = Promise.withResolvers<void>();
  private readonly outcome: Promise<unknown>;
  private endsAtMs: number | null = null;

  /** `send` returns the server's final answer. Its signal cancels it. */
  constructor(send: (call: LiveCall, signal: AbortSignal) => Promise<unknown>) {
    this.outcome = send(this, this.controller.signal);
    // Handled later, or not at all.
    this.outcome.catch(() => undefined);
  }

  /** The remaining time for waiting for people. */
  get leftSeconds(): number {
    this.endsAtMs ??= performance.now() + MAX_LIVE_SECONDS * 1000;
    return Math.max(1, Math.floor((this.endsAtMs - performance.now()) / 1000));
  }

  ask(params: Elicitation): Promise<ElicitResult> {
    const { promise, resolve } = Promise.withResolvers<ElicitResult>();
    this.asked.push({ params, answer: resolve });
    this.told.resolve();
    return promise;
  }

  /** Answers the question that `next` returned. */
  answer(result: ElicitResult): void {
    this.asked.shift()?.answer(result);
  }

  cancel(reason: unknown): void {
    this.controller.abort(reason);
  }

  /** The server's answer, or its next question. Cancelled when `signal` is aborted, and after `timeoutMs`. */
  async next(
    signal: AbortSignal,
    timeoutMs: number,
  ): Promise<{ result: unknown; question: null } | { result: null; question: Elicitation }> {
    const onAbort = (): void => this.cancel(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(
      () => this.cancel(new McpFailure('UNANSWERED', 'The server did not answer in time.')),
      timeoutMs,
    );
    try {
      return await Promise.race([
        this.outcome.then((result) => ({ result, question: null })),
        this.nextQuestion().then((question) => ({ result: null, question })),
      ]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  private async nextQuestion(): Promise<Elicitation> {
    for (;;) {
      const [first] = this.asked;
      if (first) return first.params;
      this.told = Promise.withResolvers<void>();
      await this.told.promise;
    }
  }
}

/** The running calls of a session, to find the call of a question. */
export class LiveCalls {
  private readonly current = new AsyncLocalStorage<LiveCall>();
  private readonly open = new Set<LiveCall>();

  /** Begins a call. Messages on its own stream belong to it. */
  begin(send: (signal: AbortSignal) => Promise<unknown>): LiveCall {
    return new LiveCall(async (call, signal) => {
      this.open.add(call);
      try {
        return await this.current.run(call, () => send(signal));
      } finally {
        this.open.delete(call);
      }
    });
  }

  /** With several calls on one stream, the call of a question is unknown, so nobody is asked. */
  async ask(params: Elicitation): Promise<ElicitResult> {
    const current = this.current.getStore();
    const [only, ...others] = current && this.open.has(current) ? [current] : this.open;
    return only && others.length === 0 ? only.ask(params) : { action: 'cancel' };
  }
}
