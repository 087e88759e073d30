import { z } from 'zod';

import { line } from '../common/text/plain-line.js';
import { retrievalChoices } from './assistant-definition.js';

/** Sent to the provider as it is, so nothing is taken out of it. */
const modelName = z
  .string()
  .regex(/^\P{C}*$/u, 'This holds characters that are not text.')
  .trim()
  .min(1, 'This must not be empty.')
  .max(200, 'This must be at most 200 characters long.');

const between = (least: number, most: number) =>
  z
    .int('This must be a whole number.')
    .min(least, `This must be ${least} to ${most}.`)
    .max(most, `This must be ${least} to ${most}.`);

/** Null would leave the column without a value it cannot do without. */
const required = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .custom<unknown>((value) => value !== null, 'This must not be null.')
    .pipe(schema.optional())
    .optional();

/** What may be used up: enough to answer at all, and not so much that a mistake in one field costs a fortune. */
export const assistantRanges = {
  maxSteps: [1, 50],
  maxSeconds: [5, 900],
  maxOutputTokens: [64, 128_000],
  backgroundMaxSteps: [1, 200],
  backgroundMaxSeconds: [5, 7_200],
} as const satisfies Record<string, readonly [least: number, most: number]>;

/** What may be changed of an assistant. Left out: as it was. A model of null: the installation's default. */
export const AssistantChanges = z.object({
  name: required(line(100)),
  model: modelName.nullish(),
  maxSteps: required(between(...assistantRanges.maxSteps)),
  maxSeconds: required(between(...assistantRanges.maxSeconds)),
  maxOutputTokens: required(between(...assistantRanges.maxOutputTokens)),
  backgroundMaxSteps: required(between(...assistantRanges.backgroundMaxSteps)),
  backgroundMaxSeconds: required(between(...assistantRanges.backgroundMaxSeconds)),
  recallsConversations: required(z.boolean()),
  extractsMemories: required(z.boolean()),
  retrieval: required(z.enum(retrievalChoices)),
});
export type AssistantChanges = z.output<typeof AssistantChanges>;
