import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { modelApis, type ModelFact, ModelFacts, reasoningEfforts } from '@palabre/llm-client';

import type { ModelConfig } from '../../common/config/config.js';
import { ConfigError } from '../../common/config/environment.js';
import { readJsonFile } from '../../common/config/json-file.js';

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
  const parsed = Entries.safeParse(readJsonFile('MODELS_FILE', path, MAX_FILE_BYTES));
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues.map(({ path: [name, ...field], message }) => {
      const where =
        name === undefined ? 'an object with an entry for each model' : `right in ${String(name)}`;
      return `MODELS_FILE must be ${where}: ${[...field, message].join(': ')}.`;
    }),
  );
}
