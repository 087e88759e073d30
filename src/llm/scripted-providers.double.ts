import {
  type ChatModel,
  type ModelFact,
  ModelFacts,
  type ModelProvider,
  nothingKnown,
} from '@palabre/llm-client';

import type { ModelProviders } from './model-providers.js';

/** What is known of models in a test. */
export function scriptedFacts(facts: Record<string, Partial<ModelFact>>): ModelFacts {
  const models = Object.entries(facts).map(([name, fact]) => [name, { ...nothingKnown, ...fact }] as const);
  return new ModelFacts({ models: new Map(models), own: new Map(), apis: {}, contextWindow: null });
}

/** A provider without a connection. */
export function scriptedProvider(model: ChatModel, facts: ModelFacts): ModelProvider {
  const provider: Pick<ModelProvider, 'stream' | 'abilitiesOf' | 'noteWindow' | 'costOf' | 'facts'> = {
    facts,
    stream: (request, signal) => model.stream(request, signal) as ReturnType<ModelProvider['stream']>,
    abilitiesOf: (name) => ({
      windowTokens: facts.contextWindowOf(name),
      sees: true,
      keepsToSchema: false,
    }),
    noteWindow: (name, tokens) => facts.noteWindow(name, tokens),
    costOf: (name, usage) => facts.costOf(name, usage),
  };
  return provider as ModelProvider;
}

/** The installation's providers, which are the same. */
export function scriptedProviders(
  provider: ModelProvider,
  model: string,
  fallback: string | null,
): ModelProviders {
  const providers: Pick<ModelProviders, 'usual' | 'fallback' | 'installed'> = {
    usual: { provider, model },
    fallback: fallback === null ? null : { provider, model: fallback },
    installed: () => provider,
  };
  return providers as ModelProviders;
}
