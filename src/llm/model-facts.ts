import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { z } from 'zod';

import type { ModelConfig } from '../common/config/config.js';
import { ConfigError } from '../common/config/environment.js';
import { codeOf } from '../common/errors/error-code.js';
import type { TokenUsage } from './chat-model.js';

/** In USD for a million tokens. */
interface ModelPrice {
  input: number;
  /** Input that the provider had in its cache. */
  cachedInput: number;
  output: number;
}

interface ModelFact {
  contextWindowTokens: number | null;
  price: ModelPrice | null;
}

/** Most models of today hold as much. A model on a machine of one's own may have been started with far less. */
const defaultContextWindowTokens = 128_000;

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

function withoutDay(name: string): string {
  return name.replace(/[-@]20\d\d-?[01]\d-?[0-3]\d$/, '');
}

const maxFileBytes = 1_000_000;
const dollars = z.number().nonnegative().max(1_000_000);

/** `input`, `cachedInput` and `output` are USD for a million tokens. */
const Entry = z.strictObject({
  contextWindow: z.int().min(1000).max(100_000_000).optional(),
  input: dollars,
  cachedInput: dollars.optional(),
  output: dollars,
});
type Entry = z.infer<typeof Entry>;

const Entries = z.record(z.string().min(1), Entry);
const Shipped = z.object({ models: Entries });

/** What ships, with what the operator's file says over it. Throws ConfigError that names what is wrong in that file. */
export function readModelFacts(
  config: Pick<ModelConfig, 'contextWindowTokens' | 'pricesFile'>,
  shipped: Record<string, Entry> = shippedEntries(),
): ModelFacts {
  const own = config.pricesFile === null ? {} : readPricesFile(config.pricesFile);
  const merged = new Map(Object.entries(shipped).map(([name, entry]) => [name.toLowerCase(), entry]));
  for (const [name, entry] of Object.entries(own)) {
    // A price that is the operator's own says nothing new of how much the model holds.
    const contextWindow = entry.contextWindow ?? merged.get(name.toLowerCase())?.contextWindow;
    merged.set(name.toLowerCase(), { ...entry, ...(contextWindow === undefined ? {} : { contextWindow }) });
  }
  const facts = [...merged].map(([name, entry]) => [name, factOf(entry)] as const);
  return new ModelFacts(facts, config.contextWindowTokens);
}

function factOf({ contextWindow, input, cachedInput, output }: Entry): ModelFact {
  return {
    contextWindowTokens: contextWindow ?? null,
    price: { input, cachedInput: cachedInput ?? input, output },
  };
}

function shippedEntries(): Record<string, Entry> {
  return Shipped.parse(JSON.parse(readFileSync(new URL('./data/model-facts.json', import.meta.url), 'utf8')))
    .models;
}

function readPricesFile(path: string): Record<string, Entry> {
  const parsed = Entries.safeParse(jsonOf(path));
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues.map(({ path: [name, ...field], message }) => {
      const where =
        name === undefined ? 'an object with an entry for each model' : `right in ${String(name)}`;
      return `LLM_PRICES_FILE must be ${where}: ${[...field, message].join(': ')}.`;
    }),
  );
}

function jsonOf(path: string): unknown {
  try {
    return JSON.parse(textOf(path));
  } catch (error) {
    // Neither the path nor what JSON.parse quotes is repeated: either may be a secret in the wrong place.
    const reason = error instanceof SyntaxError ? 'it is no JSON' : reasonOf(error);
    throw new ConfigError([`LLM_PRICES_FILE must be a JSON file that can be read (${reason}).`]);
  }
}

function textOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(maxFileBytes + 1);
    const length = readSync(file, bytes);
    if (length > maxFileBytes) throw new TooLarge(`larger than ${maxFileBytes} bytes`);
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}

class TooLarge extends Error {}

function reasonOf(error: unknown): string {
  return error instanceof TooLarge ? error.message : String(codeOf(error) ?? 'unreadable');
}
