import { type ExecutionResult, GraphQLError } from 'graphql';

type Step = IteratorResult<ExecutionResult, undefined>;

const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Backpressure for graphql-sse. Not an async generator, which could not be stopped while its source is silent. */
export class PacedResults implements AsyncIterableIterator<ExecutionResult, undefined> {
  /** A result was taken since the last one was asked for. */
  private hasRoom = true;
  private goOn: (() => void) | null = null;
  private isOver = false;

  constructor(private readonly source: AsyncIterator<ExecutionResult>) {}

  /** The connection has taken the last result. */
  taken(): void {
    if (this.goOn) this.goOn();
    else this.hasRoom = true;
    this.goOn = null;
  }

  next(): Promise<Step> {
    if (!this.hasRoom && !this.isOver)
      return new Promise<void>((resolve) => (this.goOn = resolve)).then(() => this.advance());
    this.hasRoom = false;
    return this.advance();
  }

  async return(): Promise<Step> {
    this.isOver = true;
    this.taken();
    await this.source.return?.();
    return done;
  }

  /** graphql-sse only stops iterators that have this method. */
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
