import type { Assistant } from '../assistant.entity.js';
import { assistantDefinitions } from '../definitions/assistant-definitions.js';
import type { PromptVersion } from './prompt-version.entity.js';

/** A base prompt, published or as it ships. */
export type Prompt = Pick<PromptVersion, 'version' | 'template' | 'publishedAt' | 'publishedBy' | 'note'>;

/**
 * Version 0 is the code's own, so that an update of the product reaches every company that has published none. Null:
 * the product does not ship the assistant.
 */
export const shippedPrompt = ({ key }: Pick<Assistant, 'key'>): Prompt | null => {
  const definition = assistantDefinitions.find((candidate) => candidate.key === key);
  if (!definition) return null;
  return { version: 0, template: definition.template, publishedAt: null, publishedBy: null, note: null };
};
