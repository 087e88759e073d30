import type { ChatRequest } from '../chat-model.js';

/** How the models of one provider differ from most, in one protocol, as learnt from refusals. */
export class Dialects<Dialect extends object> {
  /** Only models that want something else than most. */
  private readonly known = new Map<string, Dialect>();

  constructor(
    private readonly common: Dialect,
    /** What a refusal teaches; null: nothing that would please the provider. */
    private readonly changeAfter: (
      dialect: Dialect,
      request: ChatRequest,
      error: unknown,
    ) => DialectChange<Dialect> | null,
    /** Told of what a model's dialect is from now on, and was. */
    private readonly onChange: (model: string, dialect: Dialect, before: Dialect) => void = () => undefined,
  ) {}

  of(model: string): Dialect {
    return this.known.get(model) ?? this.common;
  }

  /** Learns from a refusal. True: repeat the request, which will be different. */
  learn(model: string, dialect: Dialect, request: ChatRequest, error: unknown): boolean {
    const learnt = this.changeAfter(dialect, request, error);
    if (learnt === null) return false;
    const before = this.of(model);
    const changed = { ...before, ...learnt.change };
    this.known.set(model, changed);
    this.onChange(model, changed, before);
    return learnt.isHopeful;
  }
}

export interface DialectChange<Dialect> {
  change: Partial<Dialect>;
  /** False when an earlier change is undone, because repeating the request would loop. */
  isHopeful: boolean;
}
