import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { z } from 'zod';

import type { ModelConfig } from '../../common/config/config.js';
import { ConfigError } from '../../common/config/environment.js';
import { codeOf } from '../../common/errors/error-code.js';
import { reasoningEfforts } from '../chat-model.js';
import { modelApis } from '../openai/api-choice.js';
import { type ModelFact, ModelFacts } from './model-facts.js';

const MAX_FILE_BYTES = 1_000_000;
const tokens = z.int().min(1).max(100_000_000);
const dollars = z.number().nonnegative().max(1_000_000);

/** An entry of the file. `input`, `cachedInput` and `output` are USD for a million tokens. */
const Entry = z
  .strictObject({
    contextWindow: tokens.min(1000).optional(),
    maxOutput: tokens.optional(),
    images: z.boolean().optional(),
    reasons: z.boolean().optional(),
    efforts: z.array(z.enum(reasoningEfforts)).optional(),
    structured: z.boolean().optional(),
    tokenFactor: z.number().min(0.1).max(10).optional(),
    api: z.enum(modelApis).optional(),
    input: dollars.optional(),
    cachedInput: dollars.optional(),
    output: dollars.optional(),
  })
  .refine(
    ({ input, output }) => (input === undefined) === (output === undefined),
    'a price has input and output',
  )
  .refine(
    ({ input, cachedInput }) => cachedInput === undefined || input !== undefined,
    'a price has input and output',
  );
type Entry = z.infer<typeof Entry>;

const Entries = z.record(z.string().min(1), Entry);
const Shipped = z.object({ apis: z.record(z.string(), z.enum(modelApis)), models: Entries });

/** What ships, with what the operator's file says over it. Throws ConfigError that names what is wrong in that file. */
export function readModelFacts(config: Pick<ModelConfig, 'contextWindowTokens' | 'modelsFile'>): ModelFacts {
  const shipped = Shipped.parse(
    JSON.parse(readFileSync(new URL('./known-models.json', import.meta.url), 'utf8')),
  );
  return new ModelFacts({
    apis: shipped.apis,
    models: factsOf(shipped.models),
    own: factsOf(config.modelsFile === null ? {} : readModelsFile(config.modelsFile)),
    contextWindow: config.contextWindowTokens,
  });
}

function factsOf(entries: Record<string, Entry>): Map<string, ModelFact> {
  return new Map(Object.entries(entries).map(([name, entry]) => [name.toLowerCase(), factOf(entry)]));
}

function factOf({ input, cachedInput, output, efforts, ...entry }: Entry): ModelFact {
  return {
    contextWindow: entry.contextWindow ?? null,
    maxOutput: entry.maxOutput ?? null,
    images: entry.images ?? null,
    reasons: entry.reasons ?? null,
    // From least to most, in whatever order they are listed.
    efforts: efforts ? reasoningEfforts.filter((effort) => efforts.includes(effort)) : null,
    structured: entry.structured ?? null,
    tokenFactor: entry.tokenFactor ?? null,
    price:
      input === undefined || output === undefined
        ? null
        : { input, cachedInput: cachedInput ?? input, output },
    api: entry.api ?? null,
  };
}

function readModelsFile(path: string): Record<string, Entry> {
  const parsed = Entries.safeParse(jsonOf(path));
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues.map(({ path: [name, ...field], message }) => {
      const where =
        name === undefined ? 'an object with an entry for each model' : `right in ${String(name)}`;
      return `MODELS_FILE must be ${where}: ${[...field, message].join(': ')}.`;
    }),
  );
}

function jsonOf(path: string): unknown {
  try {
    return JSON.parse(textOf(path));
  } catch (error) {
    // Neither the path nor what JSON.parse quotes is repeated: either may be a secret in the wrong place.
    const reason = error instanceof SyntaxError ? 'it is no JSON' : reasonOf(error);
    throw new ConfigError([`MODELS_FILE must be a JSON file that can be read (${reason}).`]);
  }
}

function textOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(MAX_FILE_BYTES + 1);
    const length = readSync(file, bytes);
    if (length > MAX_FILE_BYTES) throw new TooLarge(`larger than ${MAX_FILE_BYTES} bytes`);
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}

class TooLarge extends Error {}

function reasonOf(error: unknown): string {
  return error instanceof TooLarge ? error.message : String(codeOf(error) ?? 'unreadable');
}
