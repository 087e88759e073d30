import { AsyncLocalStorage } from 'node:async_hooks';

import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';

import { McpFailure } from './mcp-failure.js';

export type Elicitation = ElicitRequest['params'];

/** How long a server of 2025, which waits on an open connection, is kept waiting for people, over all of a call. */
export const MAX_LIVE_SECONDS = 300;

interface Asked {
  params: Elicitation;
  answer: (result: ElicitResult) => void;
}

/** A call during which the server may ask the person, and wait for the answer. */
export class LiveCall {
  private readonly controller = new AbortController();
  private readonly asked: Asked[] = [];
  private told = Promise.withResolvers<void>();
  private readonly outcome: Promise<unknown>;
  private endsAtMs: number | null = null;

  /** `send` gives what the server answers in the end, and is cancelled by the signal. */
  constructor(send: (call: LiveCall, signal: AbortSignal) => Promise<unknown>) {
    this.outcome = send(this, this.controller.signal);
    // Somebody looks at it later, or nobody does any more.
    this.outcome.catch(() => undefined);
  }

  /** Of what there may be to wait for people. */
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

  /** To what `next` has given as the question. */
  answer(result: ElicitResult): void {
    this.asked.shift()?.answer(result);
  }

  cancel(reason: unknown): void {
    this.controller.abort(reason);
  }

  /** What the server answers, or what it asks before that. Once `signal` is aborted, and after `timeoutMs`, it is cancelled. */
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

/** The calls of one session that are under way: whose question a question is. */
export class LiveCalls {
  private readonly current = new AsyncLocalStorage<LiveCall>();
  private readonly open = new Set<LiveCall>();

  /** Begins a call. What comes on the stream of its own answer is known to belong to it. */
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

  /** Where several calls are under way on one stream, nobody knows who is asked: then nobody is. */
  async ask(params: Elicitation): Promise<ElicitResult> {
    const current = this.current.getStore();
    const [only, ...others] = current && this.open.has(current) ? [current] : this.open;
    return only && others.length === 0 ? only.ask(params) : { action: 'cancel' };
  }
}
