import { LRUCache } from 'lru-cache';

import { CallNotMade, ChatModel, type ChatPart, type ChatRequest, ModelError } from '../chat-model.js';
import { type Attempt, CircuitBreaker, type CircuitName } from './circuit-breaker.js';
import { ProviderGate } from './provider-gate.js';

export interface ModelCircuit {
  model: string;
  circuit: CircuitName;
  /** What its provider makes of the key that it is sent. */
  key: KeyState;
}

interface GuardedChatModelOptions {
  /** For requests that name no model. */
  model: string;
  /** Calls under way at the same time. */
  maxConcurrent: number;
  /** Told once each time that the provider begins to refuse the key. */
  onKeyRefused?: () => void;
}

/** Names of models come from assistants too, which people write: no more of them are kept in mind. */
const maxCircuits = 200;

/** One provider, with a gate before it and a circuit breaker for each of its models. */
export class GuardedChatModel extends ChatModel {
  readonly key: ProviderKey;
  private readonly gate: ProviderGate;
  private readonly breakers = new LRUCache<string, CircuitBreaker>({ max: maxCircuits });

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
      circuit: this.breakerOf(request.model ?? this.options.model),
      gate: this.gate,
      key: this.key,
      company: `${request.companyId ?? ''}${request.isUpkeep ? ' upkeep' : ''}`,
    };
    return new GuardedCall(() => this.provider.stream(request, signal), guards, signal);
  }

  circuitOf(model: string): ModelCircuit {
    return { model, circuit: this.breakers.peek(model)?.state ?? 'closed', key: this.key.state };
  }

  private breakerOf(model: string): CircuitBreaker {
    const known = this.breakers.get(model);
    if (known) return known;
    const breaker = new CircuitBreaker(model);
    this.breakers.set(model, breaker);
    return breaker;
  }
}

type Parts = AsyncIterator<ChatPart>;
type Result = IteratorResult<ChatPart, undefined>;

function succeeded(attempt: Attempt): Promise<void> {
  return attempt.succeeded();
}

const over: Result = { done: true, value: undefined };

/**
 * One call under guard: waits for its place, holds it until the stream is at its end, and tells the circuit how it
 * came out. Written by hand for the reason that PartQueue is: `return()` has to end a wait at once.
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
    await this.settle((attempt) => (this.hasSpoken ? attempt.succeeded() : attempt.abandoned()));
    return over;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private async open(): Promise<Parts> {
    if (this.signal.aborted) throw new CallNotMade(this.signal.reason);
    this.signal.addEventListener('abort', this.onAbort);
    const { circuit, gate, company } = this.guards;
    // Before the wait, which would be for nothing, and after it.
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
    // The place is given back also where nobody reads on.
    void this.settle((attempt) => attempt.abandoned());
  };

  /** Not async: nearly every part goes through here, with nothing to be done for it. */
  private readonly onResult = (result: IteratorResult<ChatPart>): Result | Promise<Result> => {
    if (result.done) {
      // The reader has left: that is for `return()` to tell.
      if (this.isOver) return over;
      this.isOver = true;
      return this.settle(succeeded).then(() => over);
    }
    if (!this.hasSpoken) this.guards.key.accepted();
    // The finish is the last part: what comes after it needs no place.
    if (result.value.type === 'finish') return this.settle(succeeded).then(() => result);
    const isFirst = !this.hasSpoken;
    this.hasSpoken = true;
    // Decides a trial, so that others need not wait for the whole of a long answer.
    if (isFirst && this.attempt?.isTrial) return this.attempt.succeeded().then(() => result);
    return result;
  };

  private readonly onFailure = async (error: unknown): Promise<Result> => {
    // Left while it waited: an end, not a failure.
    const wasLeft = this.isOver;
    this.isOver = true;
    this.guards.key.failed(error);
    await this.settle((attempt) => (this.signal.aborted ? attempt.abandoned() : attempt.failed(error)));
    if (wasLeft) return over;
    throw error;
  };

  private async settle(tell: (attempt: Attempt) => Promise<void>): Promise<void> {
    this.signal.removeEventListener('abort', this.onAbort);
    const { attempt, leave } = this;
    this.attempt = null;
    this.leave = null;
    // First the outcome, then the place: who gets it must not run into a circuit that is about to open.
    if (attempt) await tell(attempt);
    leave?.();
  }
}

type KeyState = 'accepted' | 'refused' | 'unknown';

/** What a provider makes of our key, as its latest answer tells: it may be revoked, or put right, at any time. */
class ProviderKey {
  private current: KeyState = 'unknown';

  /** `onRefused` is told once each time that an accepted or unknown key turns out to be refused. */
  constructor(private readonly onRefused: () => void = () => undefined) {}

  get state(): KeyState {
    return this.current;
  }

  accepted(): void {
    this.current = 'accepted';
  }

  /** Any other failure than a refusal of the key tells nothing of it. */
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
