import { readFileSync } from 'node:fs';
import { z } from 'zod';

import { reasoningEfforts } from '../chat-model.js';
import { modelApis } from '../openai/api-choice.js';
import { type KnownModels, type ModelFact, nothingKnown } from './model-facts.js';

const tokens = z.int().min(1).max(100_000_000);
const dollars = z.number().nonnegative().max(1_000_000);

/** `input`, `cachedInput` and `output` are USD for a million tokens. */
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

/** Known facts of models by name, in JSON. Every field is optional. */
export const ListedModels = z.record(z.string().min(1), Entry).transform(factsOf);

const Shipped = z.object({ apis: z.record(z.string(), z.enum(modelApis)), models: ListedModels });

/** Facts of well-known models, and hosts with the Responses API. */
export function shippedModels(): Pick<KnownModels, 'apis' | 'models'> {
  const file = new URL('../../data/known-models.json', import.meta.url);
  return Shipped.parse(JSON.parse(readFileSync(file, 'utf8')));
}

function factsOf(entries: Record<string, Entry>): Map<string, ModelFact> {
  return new Map(Object.entries(entries).map(([name, entry]) => [name.toLowerCase(), factOf(entry)]));
}

function factOf({ input, cachedInput, output, efforts, ...entry }: Entry): ModelFact {
  return {
    ...nothingKnown,
    ...entry,
    // Sorted, whatever the order in the list.
    efforts: efforts ? reasoningEfforts.filter((effort) => efforts.includes(effort)) : null,
    price:
      input === undefined || output === undefined
        ? null
        : { input, cachedInput: cachedInput ?? input, output },
  };
}
