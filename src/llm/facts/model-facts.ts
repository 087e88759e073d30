import type { TokenUsage } from '../chat-model.js';

/** In USD for a million tokens. */
export interface ModelPrice {
  input: number;
  /** Input that the provider had in its cache. */
  cachedInput: number;
  output: number;
}

export interface ModelFact {
  contextWindowTokens: number | null;
  price: ModelPrice | null;
}

/** Most models of today hold as much. A model on a machine of one's own may have been started with far less. */
export const defaultContextWindowTokens = 128_000;

/** What is known of models by their names: how much they hold and what they cost. The class is the injection token. */
export class ModelFacts {
  private readonly facts: ReadonlyMap<string, ModelFact>;

  constructor(
    facts: Iterable<readonly [name: string, fact: ModelFact]>,
    /** Of every model; null: what is known of each. */
    private readonly contextWindowTokens: number | null = null,
  ) {
    this.facts = new Map([...facts].map(([name, fact]) => [name.toLowerCase(), fact]));
  }

  /** Tokens of prompt and answer together. */
  contextWindowOf(model: string): number {
    return this.contextWindowTokens ?? this.factOf(model)?.contextWindowTokens ?? defaultContextWindowTokens;
  }

  priceOf(model: string): ModelPrice | null {
    return this.factOf(model)?.price ?? null;
  }

  /** In USD; null: no price is known. Reasoning is output, and the cached input is part of the input. */
  costOf(model: string, usage: TokenUsage): number | null {
    const price = this.priceOf(model);
    if (price === null) return null;
    const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
    const micros =
      (usage.inputTokens - cached) * price.input +
      cached * price.cachedInput +
      usage.outputTokens * price.output;
    return micros / 1_000_000;
  }

  private factOf(model: string): ModelFact | undefined {
    for (const name of namesOf(model)) {
      const fact = this.facts.get(name);
      if (fact) return fact;
    }
    return undefined;
  }
}

/** `openai/gpt-5-2025-08-07`: as it is, without those who serve it, without the day it was released, without both. */
function namesOf(model: string): string[] {
  const name = model.toLowerCase();
  const bare = name.slice(name.lastIndexOf('/') + 1);
  return [name, bare, withoutDay(name), withoutDay(bare)];
}

const withoutDay = (name: string): string => name.replace(/[-@]20\d\d-?[01]\d-?[0-3]\d$/, '');
