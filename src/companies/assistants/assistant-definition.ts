import type { AssistantDefinition } from '@palabre/plugin';

export type { AssistantDefinition, Budget } from '@palabre/plugin';

export type Strategy = AssistantDefinition['strategy'];
export const strategies = ['REACTIVE', 'PLANNED', 'GROUNDED'] as const satisfies readonly Strategy[];

/** When a GROUNDED assistant searches the documents. FORCED: before every answer. AUTO: when the model asks for it. */
export const retrievalChoices = ['FORCED', 'AUTO'] as const;
export type RetrievalChoice = (typeof retrievalChoices)[number];
