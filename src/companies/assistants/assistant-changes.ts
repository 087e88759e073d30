import { z } from 'zod';
import { reasoningEfforts } from '@palabre/llm-client';
import { line } from '@palabre/text';

import { optionalNotNull } from '../../common/check-input.js';
import { language } from '../company-input.js';
import { modelName } from '../providers/provider-input.js';
import { retrievalChoices, strategies } from './assistant-definition.js';

function between(least: number, most: number) {
  return z
    .int('This must be a whole number.')
    .min(least, `This must be ${least} to ${most}.`)
    .max(most, `This must be ${least} to ${most}.`);
}

/** Enough for an answer, and low enough that a typing mistake is not expensive. */
export const assistantRanges = {
  maxSteps: [1, 50],
  maxSeconds: [5, 900],
  maxOutputTokens: [64, 128_000],
  backgroundMaxSteps: [1, 200],
  backgroundMaxSeconds: [5, 7_200],
} as const satisfies Record<string, readonly [least: number, most: number]>;

const name = line(100);

export const MAX_SKILLS = 1_000;

const skills = z
  .array(z.string().regex(/^[\w./-]{1,200}$/, 'This is no skill’s key.'))
  .max(MAX_SKILLS, `These must be at most ${MAX_SKILLS}.`)
  .transform((keys) => [...new Set(keys)])
  .nullish();

const key = z
  .string()
  .regex(/^[a-z\d][a-z\d_-]{0,63}$/, 'A key has 1 to 64 small letters without accents, digits, - and _.');

export const NewAssistant = z.object({
  key,
  name,
  language,
  strategy: z.enum(strategies),
  template: z.string(),
  model: modelName.nullish(),
  skills,
});

export const NewCopy = z.object({ newKey: key, name });

/** Changes to an assistant. A missing field stays as it is. A null model means the installation's default. */
export const AssistantChanges = z.object({
  name: optionalNotNull(name),
  language: optionalNotNull(language),
  strategy: optionalNotNull(z.enum(strategies)),
  skills,
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
