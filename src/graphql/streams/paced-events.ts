import type { ExecutionResult } from 'graphql';

import type { EventPace } from '../limits/usage-limits.service.js';

type Step = IteratorResult<ExecutionResult, undefined>;

/** Takes a subscription's next event when its viewer's pace allows. Not an async generator: see PacedResults. */
export class PacedEvents implements AsyncIterableIterator<ExecutionResult, undefined> {
  constructor(
    private readonly source: AsyncIterator<ExecutionResult, undefined>,
    private readonly pace: EventPace,
  ) {}

  next(): Promise<Step> {
    return this.pace.isFree() ? this.source.next() : this.pace.whenFree().then(() => this.source.next());
  }

  async return(): Promise<Step> {
    await this.source.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
