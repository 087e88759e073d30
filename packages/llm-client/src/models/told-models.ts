import { z } from 'zod';
import { parseJson } from '@palabre/json';

import { orNull } from '../lenient-schema.js';
import type { ModelFact } from './model-facts.js';

const tokens = orNull(z.int().min(512).max(100_000_000));
const words = orNull(z.array(z.string().catch('')));
/** OpenRouter writes numbers as text. */
const dollarsPerToken = orNull(z.coerce.number().nonnegative().max(1));

/** What providers report of a model, in their various fields. */
const ToldModel = z.object({
  /** Ollama's own list calls it `name`. */
  id: orNull(z.string().min(1).max(500)),
  name: orNull(z.string().min(1).max(500)),
  /** vLLM, SGLang: the window that the model was started with. */
  max_model_len: tokens,
  /** Groq. */
  context_window: tokens,
  max_completion_tokens: tokens,
  /** OpenRouter, Together, Fireworks. */
  context_length: tokens,
  top_provider: orNull(z.object({ context_length: tokens, max_completion_tokens: tokens })),
  /** Mistral. LM Studio also reports the loaded window. */
  max_context_length: tokens,
  loaded_context_length: tokens,
  /** llama.cpp. */
  meta: orNull(z.object({ n_ctx: tokens })),
  /** Anthropic, Google behind gateways. */
  max_input_tokens: tokens,
  architecture: orNull(z.object({ input_modalities: words })),
  supported_parameters: words,
  capabilities: orNull(z.object({ vision: orNull(z.boolean()), reasoning: orNull(z.boolean()) })),
  pricing: orNull(
    z.object({ prompt: dollarsPerToken, completion: dollarsPerToken, input_cache_read: dollarsPerToken }),
  ),
});
type ToldModel = z.infer<typeof ToldModel>;

const entries = z.array(z.unknown());
const List = z.union([
  z.object({ data: entries }).transform(({ data }) => data),
  z.object({ models: entries }).transform(({ models }) => models),
  entries,
]);

/** Reads a provider's list of models leniently: names, and what it reports of each. */
export function readToldModels(text: string): [model: string, fact: Partial<ModelFact>][] {
  const list = List.safeParse(parseJson(text));
  if (!list.success) return [];
  return list.data.flatMap((entry): [string, Partial<ModelFact>][] => {
    const model = ToldModel.safeParse(entry);
    const name = model.data?.id ?? model.data?.name;
    return model.success && name ? [[name, factOf(model.data)]] : [];
  });
}

function factOf(told: ToldModel): Partial<ModelFact> {
  const images = told.architecture?.input_modalities?.includes('image') ?? told.capabilities?.vision;
  const reasons = told.supported_parameters?.includes('reasoning') ?? told.capabilities?.reasoning;
  return {
    contextWindow: windowOf(told),
    maxOutput: told.max_completion_tokens ?? told.top_provider?.max_completion_tokens ?? null,
    images: images ?? null,
    reasons: reasons ?? null,
    structured: told.supported_parameters?.includes('structured_outputs') ?? null,
    price: priceOf(told),
  };
}

/** The window at start comes before the possible one. */
function windowOf(told: ToldModel): number | null {
  return (
    told.loaded_context_length ??
    told.meta?.n_ctx ??
    told.max_model_len ??
    told.top_provider?.context_length ??
    told.context_window ??
    told.context_length ??
    told.max_context_length ??
    told.max_input_tokens ??
    null
  );
}

function priceOf({ pricing }: ToldModel): ModelFact['price'] {
  if (pricing?.prompt == null || pricing.completion == null) return null;
  const million = (dollars: number): number => Number((dollars * 1_000_000).toPrecision(12));
  const input = million(pricing.prompt);
  return {
    input,
    cachedInput: pricing.input_cache_read == null ? input : million(pricing.input_cache_read),
    output: million(pricing.completion),
  };
}
