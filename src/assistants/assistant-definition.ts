/**
 * How a turn is run. REACTIVE: one streaming loop, skills as the model asks for them. PLANNED: a planner
 * decides each step. GROUNDED: documents are searched first, and the answer cites them.
 */
export const strategies = ['REACTIVE', 'PLANNED', 'GROUNDED'] as const;
export type Strategy = (typeof strategies)[number];

/**
 * How a GROUNDED assistant comes to search the documents. FORCED: before every answer. AUTO: when the model asks for it.
 */
export const retrievalChoices = ['FORCED', 'AUTO'] as const;
export type RetrievalChoice = (typeof retrievalChoices)[number];

/** What one turn may use up before it is made to answer. */
export interface Budget {
  maxSteps: number;
  maxSeconds: number;
  /** Of one model call. */
  maxOutputTokens: number;
}

/** An assistant as it ships: what every company starts from until an admin publishes another prompt. */
export interface AssistantDefinition {
  key: string;
  name: string;
  /** BCP 47. */
  language: string;
  strategy: Strategy;
  budget: Budget;
  /** Looks up earlier messages, and notes what is of lasting use; left out: neither. */
  remembers?: { recallsConversations: boolean; extractsMemories: boolean };
  /** See prompt-template.ts for its variables. */
  template: string;
}
