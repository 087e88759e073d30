import { ListedModels, type ModelFact, ModelFacts, shippedModels } from '@palabre/llm-client';

import type { ModelConfig } from '../common/config/config.js';
import { ConfigError } from '../common/config/environment.js';
import { readJsonFile } from '../common/config/json-file.js';

const MAX_FILE_BYTES = 1_000_000;

/** The shipped facts, overridden by the operator's file. Throws ConfigError for a fault in that file. */
export function readModelFacts(config: Pick<ModelConfig, 'contextWindowTokens' | 'modelsFile'>): ModelFacts {
  return new ModelFacts({
    ...shippedModels(),
    own: config.modelsFile === null ? new Map() : readModelsFile(config.modelsFile),
    contextWindow: config.contextWindowTokens,
  });
}

function readModelsFile(path: string): ReadonlyMap<string, ModelFact> {
  const parsed = ListedModels.safeParse(readJsonFile('MODELS_FILE', path, MAX_FILE_BYTES));
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues.map(({ path: [name, ...field], message }) => {
      const where =
        name === undefined ? 'an object with an entry for each model' : `right in ${String(name)}`;
      return `MODELS_FILE must be ${where}: ${[...field, message].join(': ')}.`;
    }),
  );
}
