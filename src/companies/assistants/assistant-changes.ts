import { z } from 'zod';

import { optionalNotNull } from '../../common/check-input.js';
import { line } from '../../common/text/data-text.js';
import { reasoningEfforts } from '../../llm/chat-model.js';
import { modelName } from '../providers/provider-input.js';
import { retrievalChoices } from './assistant-definition.js';

function between(least: number, most: number) {
  return z
    .int('This must be a whole number.')
    .min(least, `This must be ${least} to ${most}.`)
    .max(most, `This must be ${least} to ${most}.`);
}

/** Enough to answer at all, and not so much that a typing mistake costs a fortune. */
export const assistantRanges = {
  maxSteps: [1, 50],
  maxSeconds: [5, 900],
  maxOutputTokens: [64, 128_000],
  backgroundMaxSteps: [1, 200],
  backgroundMaxSeconds: [5, 7_200],
} as const satisfies Record<string, readonly [least: number, most: number]>;

/** What may be changed of an assistant. A missing field stays as it is. The model null is the installation's default. */
export const AssistantChanges = z.object({
  name: optionalNotNull(line(100)),
  model: modelName.nullish(),
  reasoningEffort: z.enum(reasoningEfforts).nullish(),
  maxSteps: optionalNotNull(between(...assistantRanges.maxSteps)),
  maxSeconds: optionalNotNull(between(...assistantRanges.maxSeconds)),
  maxOutputTokens: optionalNotNull(between(...assistantRanges.maxOutputTokens)),
  backgroundMaxSteps: optionalNotNull(between(...assistantRanges.backgroundMaxSteps)),
  backgroundMaxSeconds: optionalNotNull(between(...assistantRanges.backgroundMaxSeconds)),
  recallsConversations: optionalNotNull(z.boolean()),
  extractsMemories: optionalNotNull(z.boolean()),
  showsReasoning: optionalNotNull(z.boolean()),
  retrieval: optionalNotNull(z.enum(retrievalChoices)),
});
export type AssistantChanges = z.output<typeof AssistantChanges>;
