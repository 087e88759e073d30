import { LRUCache } from 'lru-cache';

import { CallNotMade, ChatModel, type ChatPart, type ChatRequest, ModelError } from '../chat-model.js';
import { type Attempt, CircuitBreaker, type CircuitName } from './circuit-breaker.js';
import { ProviderGate } from './provider-gate.js';

export interface ModelCircuit {
  model: string;
  circuit: CircuitName;
  key: KeyState;
}

interface GuardedChatModelOptions {
  /** Default for requests without a model. */
  model: string;
  /** Calls under way at the same time. */
  maxConcurrent: number;
  /** Called once each time the provider starts to refuse the key. */
  onKeyRefused?: () => void;
}

/** A limit, because assistants may name any model. */
const maxCircuits = 200;

/** One provider, with a gate before it and a circuit breaker for each of its models. */
export class GuardedChatModel extends ChatModel {
  readonly key: ProviderKey;
  private readonly gate: ProviderGate;
  private readonly breakers = new LRUCache<string, CircuitBreaker>({
    max: maxCircuits,
    memoMethod: (model) => new CircuitBreaker(model),
  });

  constructor(
    private readonly provider: ChatModel,
    private readonly options: GuardedChatModelOptions,
  ) {
    super();
    this.gate = new ProviderGate(options.maxConcurrent);
    this.key = new ProviderKey(options.onKeyRefused);
  }

  /** Rejects at once with a retryable ModelError while the circuit of the model is open. */
  override stream(request: ChatRequest, signal: AbortSignal): AsyncIterableIterator<ChatPart> {
    const guards = {
      circuit: this.breakers.memo(request.model ?? this.options.model),
      gate: this.gate,
      key: this.key,
      company: `${request.companyId ?? ''}${request.isUpkeep ? ' upkeep' : ''}`,
    };
    return new GuardedCall(() => this.provider.stream(request, signal), guards, signal);
  }

  circuitOf(model: string): ModelCircuit {
    return { model, circuit: this.breakers.peek(model)?.state ?? 'closed', key: this.key.state };
  }
}

type Parts = AsyncIterator<ChatPart>;
type Result = IteratorResult<ChatPart, undefined>;

const over: Result = { done: true, value: undefined };

/**
 * One guarded call: waits for its place, holds it until the stream ends, and reports the outcome to the circuit.
 * Written by hand for the same reason as PartQueue: `return()` must end a wait at once.
 */
class GuardedCall implements AsyncIterableIterator<ChatPart, undefined> {
  private readonly waiting = new AbortController();
  private opening: Promise<Parts> | null = null;
  private parts: Parts | null = null;
  private attempt: Attempt | null = null;
  private leave: (() => void) | null = null;
  private hasSpoken = false;
  private isOver = false;

  constructor(
    private readonly begin: () => AsyncIterable<ChatPart>,
    private readonly guards: {
      circuit: CircuitBreaker;
      gate: ProviderGate;
      key: ProviderKey;
      company: string;
    },
    private readonly signal: AbortSignal,
  ) {}

  next(): Promise<Result> {
    if (this.isOver) return Promise.resolve(over);
    if (this.parts) return this.parts.next().then(this.onResult, this.onFailure);
    this.opening ??= this.open();
    return this.opening
      .then((parts) => (this.isOver ? over : parts.next()))
      .then(this.onResult, this.onFailure);
  }

  async return(): Promise<Result> {
    this.isOver = true;
    this.waiting.abort();
    await this.parts?.return?.();
    this.settle((attempt) => (this.hasSpoken ? attempt.succeeded() : attempt.abandoned()));
    return over;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private async open(): Promise<Parts> {
    if (this.signal.aborted) throw new CallNotMade(this.signal.reason);
    this.signal.addEventListener('abort', this.onAbort);
    const { circuit, gate, company } = this.guards;
    // Checked before the wait, which would be useless otherwise, and again after it.
    circuit.check();
    const { signal } = this.waiting;
    this.leave = await gate.enter(company, signal).catch((reason: unknown) => {
      throw new CallNotMade(reason);
    });
    if (signal.aborted) throw new CallNotMade(signal.reason);
    this.attempt = circuit.admit();
    this.parts = this.begin()[Symbol.asyncIterator]();
    return this.parts;
  }

  private readonly onAbort = (): void => {
    this.waiting.abort(this.signal.reason);
    // The place is returned even if nobody reads on.
    this.settle((attempt) => attempt.abandoned());
  };

  private readonly onResult = (result: IteratorResult<ChatPart>): Result => {
    if (result.done) {
      // The reader has left. `return()` reports the outcome.
      if (this.isOver) return over;
      this.isOver = true;
      this.settle((attempt) => attempt.succeeded());
      return over;
    }
    if (!this.hasSpoken) this.guards.key.accepted();
    // `finish` is the last part, so the place can be given back.
    if (result.value.type === 'finish') this.settle((attempt) => attempt.succeeded());
    // The first part decides a trial, so other calls need not wait for a long answer to end.
    else if (!this.hasSpoken && this.attempt?.isTrial) this.attempt.succeeded();
    this.hasSpoken = true;
    return result;
  };

  private readonly onFailure = (error: unknown): Result => {
    // The reader left while the call waited. This is not a failure.
    const wasLeft = this.isOver;
    this.isOver = true;
    this.guards.key.failed(error);
    this.settle((attempt) => (this.signal.aborted ? attempt.abandoned() : attempt.failed(error)));
    if (wasLeft) return over;
    throw error;
  };

  private settle(tell: (attempt: Attempt) => void): void {
    this.signal.removeEventListener('abort', this.onAbort);
    const { attempt, leave } = this;
    this.attempt = null;
    this.leave = null;
    // The outcome is reported before the place is given back, so the next call sees whether the circuit opened.
    if (attempt) tell(attempt);
    leave?.();
  }
}

type KeyState = 'accepted' | 'refused' | 'unknown';

/** Whether the provider accepts our key, by its latest answer. Keys can be revoked or fixed at any time. */
class ProviderKey {
  private current: KeyState = 'unknown';

  /** `onRefused` is called once each time the key turns from accepted or unknown to refused. */
  constructor(private readonly onRefused: () => void = () => undefined) {}

  get state(): KeyState {
    return this.current;
  }

  accepted(): void {
    this.current = 'accepted';
  }

  /** Only a refusal of the key changes its state. */
  failed(error: unknown): void {
    const isRefused =
      error instanceof ModelError &&
      error.code === 'MODEL_UNAVAILABLE' &&
      (error.status === 401 || error.status === 403);
    if (!isRefused) return;
    const wasRefused = this.current === 'refused';
    this.current = 'refused';
    if (!wasRefused) this.onRefused();
  }
}
