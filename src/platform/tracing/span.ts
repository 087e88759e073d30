import { AsyncLocalStorage } from 'node:async_hooks';

import type { attribute } from './semantic-names.js';

/** Our name of an attribute. `semantic-names.ts` has the exported name. */
export type AttributeName = keyof typeof attribute;

type AttributeValue = string | number | boolean | string[] | undefined;

export type Attributes = { readonly [Name in AttributeName]?: AttributeValue };

export interface SpanOptions {
  /** `server`: answers an outside request. `client`: waits for an answer. */
  kind?: 'internal' | 'server' | 'client';
  attributes?: Attributes;
  /** Milliseconds since 1970. Default: now. */
  startedAt?: number;
  /** The `traceparent` of a span that this one continues. */
  link?: string | null;
}

/** Traced work: a span of this process, or the remote caller. */
export interface Span {
  /** The context to continue the trace (https://www.w3.org/TR/trace-context/). Null: nothing to continue. */
  readonly traceparent: string | null;
  /** Null: this span has ended, so later work is not part of it. */
  begin(name: string, options?: SpanOptions): Span | null;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** Sets message content as JSON, only if the operator enables that. `content` is not called otherwise. */
  setContent(name: AttributeName, content: () => unknown): void;
  /** `error`: the reason for a failure. A second call does nothing. */
  end(error?: unknown): void;
}

const spans = new AsyncLocalStorage<Span>();

/** Runs `work` in `span`. Null: no tracing, or the current span stays. */
export function within<T>(span: Span | null, work: () => T): T {
  return span === null ? work() : spans.run(span, work);
}

/** Runs `work` in a span below the current one, if there is one. `options` is called only then. */
export async function inSpan<T>(
  name: string,
  options: () => SpanOptions,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const span = spans.getStore()?.begin(name, options()) ?? null;
  if (span === null) return work(null);
  try {
    const result = await spans.run(span, () => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** The same for an iterator. `onValue` gets each value. */
export function iterateInSpan<T>(
  name: string,
  options: () => SpanOptions,
  work: () => AsyncIterable<T>,
  onValue: (value: T, span: Span) => void = () => undefined,
): AsyncIterable<T> {
  const parent = spans.getStore();
  // Begun with the first value, because nobody would end the span of an unused iterator.
  return parent ? iterate(() => parent.begin(name, options()), work, onValue) : work();
}

/** Different callers may take values, so each `next` runs in the span. */
async function* iterate<T>(
  begin: () => Span | null,
  work: () => AsyncIterable<T>,
  onValue: (value: T, span: Span) => void,
): AsyncGenerator<T> {
  const span = begin();
  if (span === null) return yield* work();
  let opened: AsyncIterator<T> | null = null;
  try {
    const values = spans.run(span, () => work()[Symbol.asyncIterator]());
    opened = values;
    for (;;) {
      const next = await spans.run(span, () => values.next());
      if (next.done) return;
      onValue(next.value, span);
      yield next.value;
    }
  } catch (error) {
    span.end(error);
    throw error;
  } finally {
    span.end();
    await opened?.return?.();
  }
}

/** Adds attributes to the current span, if there is one. */
export function describeSpan(describe: (span: Span) => void): void {
  const span = spans.getStore();
  if (span) describe(span);
}

/** The `traceparent` of the current span. Null: no tracing. */
export function currentTraceparent(): string | null {
  return spans.getStore()?.traceparent ?? null;
}

/** Headers for outgoing requests, so that their spans belong to this trace. */
export function traceHeaders(): { traceparent?: string } {
  const traceparent = currentTraceparent();
  return traceparent === null ? {} : { traceparent };
}
