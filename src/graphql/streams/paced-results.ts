import { type ExecutionResult, GraphQLError } from 'graphql';

type Step = IteratorResult<ExecutionResult, undefined>;

const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * Results for graphql-sse, which takes all there are and keeps in memory what the client is too slow for: here it
 * gets the next one when the connection has taken the last one. A failure of the source is the last result.
 *
 * Written by hand, for a generator that waits for a silent source would not stop before its next result.
 */
export class PacedResults implements AsyncIterableIterator<ExecutionResult, undefined> {
  /** Something was taken since the last result was asked for. */
  private hasRoom = true;
  private goOn: (() => void) | null = null;
  private isOver = false;

  constructor(private readonly source: AsyncIterator<ExecutionResult>) {}

  /** The connection has taken what it was given last. */
  taken(): void {
    if (this.goOn) this.goOn();
    else this.hasRoom = true;
    this.goOn = null;
  }

  next(): Promise<Step> {
    if (!this.hasRoom && !this.isOver) {
      return new Promise<void>((resolve) => (this.goOn = resolve)).then(() => this.advance());
    }
    this.hasRoom = false;
    return this.advance();
  }

  async return(): Promise<Step> {
    this.isOver = true;
    this.taken();
    await this.source.return?.();
    return done;
  }

  /** graphql-sse takes for something that can be stopped only what has this method too. */
  async throw(error: unknown): Promise<Step> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private async advance(): Promise<Step> {
    if (this.isOver) return done;
    try {
      const step = await this.source.next();
      if (!step.done) return step;
      this.isOver = true;
      return done;
    } catch (error) {
      this.isOver = true;
      const originalError = error instanceof Error ? error : new Error(String(error));
      return { done: false, value: { errors: [new GraphQLError(originalError.message, { originalError })] } };
    }
  }
}
