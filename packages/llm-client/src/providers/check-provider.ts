import { ModelError } from '../chat-model.js';
import { readToldModels } from '../models/told-models.js';
import { OpenAiChatModel, type OpenAiChatModelOptions } from '../openai/openai-chat-model.js';

/** Enough for a short answer. A reasoning model uses what it gets. */
const FEW_TOKENS = 16;

/** The result of a check. `lists`: whether the list has the model. Null: there is no list. */
export interface CheckedProvider {
  lists: boolean | null;
}

/**
 * Reads the provider's list of models, or without one asks the model for a word. Rejects with ModelError, whose
 * message says what to do, and with the signal's reason.
 */
export async function checkProvider(
  options: OpenAiChatModelOptions,
  signal: AbortSignal,
): Promise<CheckedProvider> {
  const { model: name } = options;
  const model = new OpenAiChatModel(options);
  try {
    const list = await model.get('/models', signal).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof ModelError && error.status === 404) return null;
      throw error;
    });
    const names = list === null ? [] : readToldModels(list).map(([told]) => told);
    if (names.length > 0) return { lists: names.includes(name) };
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    const request = { model: name, messages, tools: [], maxOutputTokens: FEW_TOKENS };
    for await (const part of model.stream(request, signal)) if (part.type === 'finish') break;
    return { lists: null };
  } finally {
    model.close();
  }
}
