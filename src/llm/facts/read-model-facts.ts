import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { z } from 'zod';
import { codeOf } from '../../common/errors/error-code.js';
import type { ModelConfig } from '../../config/config.js';
import { ConfigError } from '../../config/environment.js';
import { ModelFacts, type ModelFact } from './model-facts.js';

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

const factOf = ({ contextWindow, input, cachedInput, output }: Entry): ModelFact => ({
  contextWindowTokens: contextWindow ?? null,
  price: { input, cachedInput: cachedInput ?? input, output },
});

const shippedEntries = (): Record<string, Entry> =>
  Shipped.parse(JSON.parse(readFileSync(new URL('../data/model-facts.json', import.meta.url), 'utf8')))
    .models;

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

const reasonOf = (error: unknown): string =>
  error instanceof TooLarge ? error.message : String(codeOf(error) ?? 'unreadable');
