import { LRUCache } from 'lru-cache';

import type { ReasoningEffort, TokenUsage } from '../chat-model.js';
import type { ModelApi } from '../openai/api-choice.js';

/** In USD for a million tokens. */
export interface ModelPrice {
  input: number;
  /** Input that the provider had in its cache. */
  cachedInput: number;
  output: number;
}

/** What is known of a model. Null: nobody knows. */
export interface ModelFact {
  /** Tokens of prompt and answer together. */
  contextWindow: number | null;
  /** Tokens of an answer at most. */
  maxOutput: number | null;
  /** Whether it sees images. */
  images: boolean | null;
  /** Whether it thinks before it speaks. */
  reasons: boolean | null;
  /** How much it can be told to think, from least to most; empty: it cannot be told. */
  efforts: readonly ReasoningEffort[] | null;
  /** Whether its answers can be made to keep to a schema. */
  structured: boolean | null;
  /** How many tokens its tokenizer finds where ours finds one; null: as many. */
  tokenFactor: number | null;
  price: ModelPrice | null;
  /** The protocol that it is asked in. */
  api: ModelApi | null;
}

export const nothingKnown: ModelFact = {
  contextWindow: null,
  maxOutput: null,
  images: null,
  reasons: null,
  efforts: null,
  structured: null,
  tokenFactor: null,
  price: null,
  api: null,
};

/**
 * Where a context window is from: a setting, what is known of the model, its provider's own list, or nothing, so that the
 * usual one is taken for granted.
 */
export const windowSources = ['SET', 'KNOWN', 'TOLD', 'ASSUMED'] as const;
export type WindowSource = (typeof windowSources)[number];

export interface ModelInUse extends ModelFact {
  contextWindow: number;
  windowSource: WindowSource;
}

/** Most models of today take this much. A self-hosted model may have been started with far less. */
const USUAL_CONTEXT_WINDOW = 128_000;
/** More than providers list, and less than a megabyte. */
const MAX_TOLD = 2_000;

/** Facts by model name, and the protocol to use by host. */
export interface KnownModels {
  /** By their names in lowercase. */
  models: ReadonlyMap<string, ModelFact>;
  /** The operator's own facts. They come before what a provider reports. */
  own: ReadonlyMap<string, ModelFact>;
  /** `*.example.org` is for all names below it. */
  apis: Readonly<Record<string, ModelApi>>;
  /** Overrides the window of every model; null: the known window of each. */
  contextWindow: number | null;
}

/** What is known of the models of one provider, by their names, and what it tells of them itself. */
export class ModelFacts {
  private readonly told = new LRUCache<string, Partial<ModelFact>>({ max: MAX_TOLD });

  /** Windows that the provider said to be smaller than was known, when it refused a call. */
  private readonly said = new LRUCache<string, number>({ max: MAX_TOLD });

  /** `host`: the provider's; empty: any. */
  constructor(
    private readonly known: KnownModels,
    private readonly host = '',
  ) {}

  /** The same facts for another provider, which has reported nothing yet. */
  at(host: string): ModelFacts {
    return new ModelFacts(this.known, host);
  }

  of(model: string): ModelInUse {
    const own = factIn(this.known.own, model);
    const told = this.told.get(model.toLowerCase());
    const known = factIn(this.known.models, model);
    const fact = over(own, over(told, known ?? nothingKnown));
    const set = this.known.contextWindow ?? own?.contextWindow ?? null;
    const source: WindowSource =
      set !== null ? 'SET' : told?.contextWindow ? 'TOLD' : fact.contextWindow ? 'KNOWN' : 'ASSUMED';
    return {
      ...fact,
      contextWindow: set ?? fact.contextWindow ?? USUAL_CONTEXT_WINDOW,
      windowSource: source,
    };
  }

  /** Takes in what the provider tells of its models. */
  tell(facts: Iterable<readonly [model: string, fact: Partial<ModelFact>]>): void {
    for (const [model, fact] of facts) this.told.set(model.toLowerCase(), fact);
  }

  /** Tokens of prompt and answer together, as we count them. */
  contextWindowOf(model: string): number {
    const { contextWindow, tokenFactor } = this.of(model);
    const said = this.said.get(model.toLowerCase()) ?? Infinity;
    return Math.floor(Math.min(contextWindow, said) / (tokenFactor ?? 1));
  }

  /** Records that a model takes only so many tokens. False: it was known to take no more. */
  noteWindow(model: string, tokens: number): boolean {
    const known = Math.min(this.of(model).contextWindow, this.said.get(model.toLowerCase()) ?? Infinity);
    if (tokens >= known) return false;
    this.said.set(model.toLowerCase(), tokens);
    return true;
  }

  /** The protocol that a model is asked in, where that is left to us. */
  apiOf(model: string): ModelApi {
    const { host } = this;
    const parent = host.slice(host.indexOf('.'));
    return this.of(model).api ?? this.known.apis[host] ?? this.known.apis[`*${parent}`] ?? 'chat';
  }

  /** In USD; null: no price is known. Reasoning is output, and the cached input is part of the input. */
  costOf(model: string, usage: TokenUsage): number | null {
    const { price } = this.of(model);
    if (price === null) return null;
    const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
    const micros =
      (usage.inputTokens - cached) * price.input +
      cached * price.cachedInput +
      usage.outputTokens * price.output;
    return micros / 1_000_000;
  }
}

function factIn(facts: ReadonlyMap<string, ModelFact>, model: string): ModelFact | undefined {
  for (const name of namesOf(model)) {
    const fact = facts.get(name);
    if (fact) return fact;
  }
  return undefined;
}

/** What `first` says, and what it does not say of `rest`. */
function over(first: Partial<ModelFact> | undefined, rest: ModelFact): ModelFact {
  const said = Object.entries(first ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return { ...rest, ...Object.fromEntries(said) };
}

/** `openai/gpt-5-2025-08-07`: as it is, without those who serve it, without the day it was released, without both. */
function namesOf(model: string): string[] {
  const name = model.toLowerCase();
  const bare = name.slice(name.lastIndexOf('/') + 1);
  return [name, bare, withoutDay(name), withoutDay(bare)];
}

function withoutDay(name: string): string {
  return name.replace(/[-@]20\d\d-?[01]\d-?[0-3]\d$/, '');
}
