import { AsyncLocalStorage } from 'node:async_hooks';

import type { attribute } from './semantic-names.js';

/** Our name of an attribute. What it is called where it is exported stands in `semantic-names.ts`. */
export type AttributeName = keyof typeof attribute;

type AttributeValue = string | number | boolean | string[] | undefined;

export type Attributes = { readonly [Name in AttributeName]?: AttributeValue };

export interface SpanOptions {
  /** `server`: it answers a request from outside. `client`: it waits for one to be answered. */
  kind?: 'internal' | 'server' | 'client';
  attributes?: Attributes;
  /** Milliseconds since 1970; left out: now. */
  startedAt?: number;
  /** The `traceparent` of a span that this one goes on from. */
  link?: string | null;
}

/** What is being done, as far as it is traced: a span of this process, or whoever asked for the work. */
export interface Span {
  /** By which others continue the trace (https://www.w3.org/TR/trace-context/); null: there is nothing to continue. */
  readonly traceparent: string | null;
  /** Null: this span has ended, and what goes on after it is not its work. */
  begin(name: string, options?: SpanOptions): Span | null;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** What was said, as JSON: kept only where the operator asks for it. `content` is not called otherwise. */
  setContent(name: AttributeName, content: () => unknown): void;
  /** `error`: what the work rejected with. A second call does nothing. */
  end(error?: unknown): void;
}

const spans = new AsyncLocalStorage<Span>();

/** Does `work` as that of `span`. Null: nothing is traced, or what is around it goes on. */
export function within<T>(span: Span | null, work: () => T): T {
  return span === null ? work() : spans.run(span, work);
}

/** Does `work` in a span below the current one, if there is one; `options` is called only then. */
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

/** The same for what gives one value after the other. `onValue` is told of each. */
export function iterateInSpan<T>(
  name: string,
  options: () => SpanOptions,
  work: () => AsyncIterable<T>,
  onValue: (value: T, span: Span) => void = () => undefined,
): AsyncIterable<T> {
  const parent = spans.getStore();
  // Begun with the first value: nobody would end the span of values that are never asked for.
  return parent ? iterate(() => parent.begin(name, options()), work, onValue) : work();
}

/** Whoever asks for the next value may be somebody else each time: each is looked for in the span. */
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

/** Says more of the current span, if there is one. */
export function describeSpan(describe: (span: Span) => void): void {
  const span = spans.getStore();
  if (span) describe(span);
}

/** The `traceparent` of the current span; null: nothing is traced. */
export function currentTraceparent(): string | null {
  return spans.getStore()?.traceparent ?? null;
}

/** What a request to somebody else carries, so that its spans belong to this trace. */
export function traceHeaders(): { traceparent?: string } {
  const traceparent = currentTraceparent();
  return traceparent === null ? {} : { traceparent };
}
