import { LRUCache } from 'lru-cache';

import type { ReasoningEffort, TokenUsage } from '../chat-model.js';
import type { ModelApi } from '../openai/api-choice.js';

/** In USD for a million tokens. */
export interface ModelPrice {
  input: number;
  /** Input that the provider had cached. */
  cachedInput: number;
  output: number;
}

/** Facts of a model. Null: unknown. */
export interface ModelFact {
  /** Tokens of prompt and answer together. */
  contextWindow: number | null;
  /** The most tokens of an answer. */
  maxOutput: number | null;
  /** Whether the model sees images. */
  images: boolean | null;
  reasons: boolean | null;
  /** Supported efforts, ascending. Empty: the effort cannot be set. */
  efforts: readonly ReasoningEffort[] | null;
  /** Whether answers can be held to a schema. */
  structured: boolean | null;
  /** The model's token count divided by ours. Null: 1. */
  tokenFactor: number | null;
  price: ModelPrice | null;
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

/** The source of a context window: a setting, known facts, the provider's list, or the usual size as an assumption. */
export const windowSources = ['SET', 'KNOWN', 'TOLD', 'ASSUMED'] as const;
export type WindowSource = (typeof windowSources)[number];

export interface ModelInUse extends ModelFact {
  contextWindow: number;
  windowSource: WindowSource;
}

/** The window of most current models. A self-hosted one may have been started with far less. */
const USUAL_CONTEXT_WINDOW = 128_000;
/** The most models to remember: more than providers list, and below a megabyte. */
const MAX_TOLD = 2_000;

/** Facts by model name, and the protocol to use by host. */
export interface KnownModels {
  /** By lowercase name. */
  models: ReadonlyMap<string, ModelFact>;
  /** The operator's own facts. They come before what a provider reports. */
  own: ReadonlyMap<string, ModelFact>;
  /** `*.example.org` covers all subdomains. */
  apis: Readonly<Record<string, ModelApi>>;
  /** Overrides the window of every model. Null: each model's own. */
  contextWindow: number | null;
}

/** Facts of one provider's models by name, including those that the provider reports. */
export class ModelFacts {
  private readonly told = new LRUCache<string, Partial<ModelFact>>({ max: MAX_TOLD });

  /** Smaller windows that the provider stated when it refused a call. */
  private readonly said = new LRUCache<string, number>({ max: MAX_TOLD });

  /** `host`: the provider's host. Empty: any. */
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

  /** Records what the provider reports of its models. */
  tell(facts: Iterable<readonly [model: string, fact: Partial<ModelFact>]>): void {
    for (const [model, fact] of facts) this.told.set(model.toLowerCase(), fact);
  }

  /** Tokens of prompt and answer together, as we count them. */
  contextWindowOf(model: string): number {
    const { contextWindow, tokenFactor } = this.of(model);
    const said = this.said.get(model.toLowerCase()) ?? Infinity;
    return Math.floor(Math.min(contextWindow, said) / (tokenFactor ?? 1));
  }

  /** Records a model's limit of tokens. False: no smaller than the known one. */
  noteWindow(model: string, tokens: number): boolean {
    const known = Math.min(this.of(model).contextWindow, this.said.get(model.toLowerCase()) ?? Infinity);
    if (tokens >= known) return false;
    this.said.set(model.toLowerCase(), tokens);
    return true;
  }

  /** The protocol for a model, where settings leave it open. */
  apiOf(model: string): ModelApi {
    const { host } = this;
    const parent = host.slice(host.indexOf('.'));
    return this.of(model).api ?? this.known.apis[host] ?? this.known.apis[`*${parent}`] ?? 'chat';
  }

  /** In USD. Null: no known price. Reasoning is part of the output, and cached input of the input. */
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

/** Fills the gaps of `first` from `rest`. */
function over(first: Partial<ModelFact> | undefined, rest: ModelFact): ModelFact {
  const said = Object.entries(first ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return { ...rest, ...Object.fromEntries(said) };
}

/** `openai/gpt-5-2025-08-07`: as it is, without the vendor, without the date, without both. */
function namesOf(model: string): string[] {
  const name = model.toLowerCase();
  const bare = name.slice(name.lastIndexOf('/') + 1);
  return [name, bare, withoutDay(name), withoutDay(bare)];
}

function withoutDay(name: string): string {
  return name.replace(/[-@]20\d\d-?[01]\d-?[0-3]\d$/, '');
}
