import { LRUCache } from 'lru-cache';
import { ChatModel, type ChatPart, type ChatRequest } from '../chat-model.js';
import { CircuitBreaker, type CircuitName } from './circuit-breaker.js';
import { GuardedCall } from './guarded-call.js';
import { ProviderGate } from './provider-gate.js';

export interface ModelCircuit {
  model: string;
  circuit: CircuitName;
}

export interface GuardedChatModelOptions {
  /** For requests that name no model. */
  model: string;
  /** Calls under way at the same time. */
  maxConcurrent: number;
}

/** Names of models come from assistants too, which people write: no more of them are kept in mind. */
const maxCircuits = 200;

/** One provider, with a gate before it and a circuit breaker for each of its models. */
export class GuardedChatModel extends ChatModel {
  private readonly gate: ProviderGate;
  private readonly breakers = new LRUCache<string, CircuitBreaker>({ max: maxCircuits });

  constructor(
    private readonly provider: ChatModel,
    private readonly options: GuardedChatModelOptions,
  ) {
    super();
    this.gate = new ProviderGate(options.maxConcurrent);
  }

  /** Rejects at once with a retryable ModelError while the circuit of the model is open. */
  override stream(request: ChatRequest, signal: AbortSignal): AsyncIterableIterator<ChatPart> {
    const guards = {
      circuit: this.breakerOf(request.model ?? this.options.model),
      gate: this.gate,
      company: `${request.companyId ?? ''}${request.isUpkeep ? ' upkeep' : ''}`,
    };
    return new GuardedCall(() => this.provider.stream(request, signal), guards, signal);
  }

  circuitOf(model: string): ModelCircuit {
    return { model, circuit: this.breakers.peek(model)?.state ?? 'closed' };
  }

  private breakerOf(model: string): CircuitBreaker {
    const known = this.breakers.get(model);
    if (known) return known;
    const breaker = new CircuitBreaker(model);
    this.breakers.set(model, breaker);
    return breaker;
  }
}
