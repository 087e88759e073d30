import {
  createSourceEventStream,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  subscribe,
} from 'graphql';

import { type TextDeltaProjection, textDeltaProjection } from './text-delta-projection.js';
import type { TurnEvent } from '../turn-event.js';

/**
 * graphql-js's `subscribe`, but that pieces of text are shown by a projection where the operation allows it. All that
 * stands before the events (guards, arguments, errors) is graphql-js's.
 */
export const subscribeToEvents: typeof subscribe = async (args) => {
  const project = textDeltaProjection(args);
  if (!project) return subscribe(args);
  const source = await createSourceEventStream(args);
  return Symbol.asyncIterator in source
    ? new Projected(source as AsyncIterable<TurnEvent>, args, project)
    : source;
};

/** Written by hand, for a generator that waits for a silent turn would not stop before the next event. */
class Projected implements AsyncGenerator<ExecutionResult, undefined> {
  private readonly events: AsyncIterator<TurnEvent>;

  constructor(
    source: AsyncIterable<TurnEvent>,
    private readonly args: ExecutionArgs,
    private readonly project: TextDeltaProjection,
  ) {
    this.events = source[Symbol.asyncIterator]();
  }

  async next(): Promise<IteratorResult<ExecutionResult, undefined>> {
    const { done, value: event } = await this.events.next();
    if (done) return { done: true, value: undefined };
    const value =
      event.type === 'text-delta'
        ? { data: this.project(event) }
        : await execute({ ...this.args, rootValue: event });
    return { done: false, value };
  }

  async return(): Promise<IteratorResult<ExecutionResult, undefined>> {
    await this.events.return?.();
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<never> {
    await this.events.return?.();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }
}
