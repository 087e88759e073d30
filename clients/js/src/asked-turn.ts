import { PalabreError } from './palabre-error.js';
import { initialTurn, reduceTurn, type TurnEnd, type TurnState } from './reduce-turn.js';
import type { TurnEvent } from './turn-event.js';

export interface StartedTurn {
  readonly turnId: string;
  readonly conversationId: string;
}

/** An answer, and how it came about. */
export interface Answer extends StartedTurn, Pick<TurnState, 'text' | 'steps' | 'sources'>, TurnEnd {}

/** What a turn needs of its client. */
interface TurnClient {
  follow(
    turnId: string,
    after: number,
    options: { signal: AbortSignal | undefined },
  ): AsyncIterable<TurnEvent>;
  cancel(turnId: string): Promise<void>;
}

/**
 * A turn that was just asked for. Iterate over it to get its events, each once; ask for `answer` to get what came of it;
 * or do both. Who leaves, or aborts the signal, does not cancel the turn: it goes on at the server.
 */
export class AskedTurn implements AsyncIterable<TurnEvent> {
  private current = initialTurn;
  private readonly over = Promise.withResolvers<TurnEnd>();
  private readers = 0;
  private answerIsWanted = false;
  private hasFailed = false;

  constructor(
    private readonly client: TurnClient,
    /** Settles once the question is stored. */
    readonly started: Promise<StartedTurn>,
    private readonly signal?: AbortSignal,
  ) {
    // Whoever asks for them is told; nobody has to.
    started.catch(() => undefined);
    this.over.promise.catch(() => undefined);
  }

  /** What a screen shows of the events that were read so far. */
  get state(): TurnState {
    return this.current;
  }

  /**
   * What came of the turn, also of one that was cancelled. Rejects with the turn's error if it failed. Events that nobody
   * else reads are read for it.
   */
  get answer(): Promise<Answer> {
    this.answerIsWanted = true;
    if (this.readers === 0) void this.readToTheEnd();
    return this.answerAtTheEnd();
  }

  async cancel(): Promise<void> {
    const { turnId } = await this.started;
    await this.client.cancel(turnId);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TurnEvent, void, undefined> {
    this.readers += 1;
    try {
      const { turnId } = await this.started;
      if (this.current.end) return;
      const { signal } = this;
      for await (const event of this.client.follow(turnId, this.current.sequence, { signal })) {
        this.current = reduceTurn(this.current, event);
        if (this.current.end) this.over.resolve(this.current.end);
        yield event;
      }
      if (!this.current.end) throw new PalabreError('UNREACHABLE', 'The stream ended before the turn.');
    } catch (error) {
      this.hasFailed = true;
      this.over.reject(error);
      throw error;
    } finally {
      this.readers -= 1;
      if (this.answerIsWanted && this.readers === 0) void this.readToTheEnd();
    }
  }

  private async readToTheEnd(): Promise<void> {
    if (this.current.end || this.hasFailed) return;
    try {
      for await (const _event of this);
    } catch {
      // The answer rejects with it.
    }
  }

  private async answerAtTheEnd(): Promise<Answer> {
    const [started, end] = await Promise.all([this.started, this.over.promise]);
    if (end.error) throw new PalabreError(end.error.code, end.error.message, { extensions: end.error });
    const { text, steps, sources } = this.current;
    return { ...started, ...end, text, steps, sources };
  }
}
