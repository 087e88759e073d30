import type { AskedFor, SkillCallStatus, TurnEntry, Usage } from '../../turns/turn-event.js';
import type { PromptState } from './prompt.js';

/** What a turn may use up. */
export interface TurnBudget {
  /** Model calls that may ask for skills; one more without skills is kept in reserve for the answer. */
  maxSteps: number;
  /** Of one model call. */
  maxOutputTokens: number;
}

/** A turn to be run: all that its prompts are made of but what the loop itself finds out. */
export interface AgentTurn {
  /** Null: the installation's default model. */
  model: string | null;
  budget: TurnBudget;
  prompt: Omit<PromptState, 'skills' | 'steps'>;
  /** What an earlier owner of the turn got as far as, in the order of asking; empty for a turn that is new. */
  made: readonly MadeCall[];
}

/** A skill call that an earlier owner of the turn told of. */
export interface MadeCall {
  callId: string;
  skill: string;
  asked: AskedFor;
  /** RUNNING: its end was never told, so that nobody knows how far it got. */
  status: SkillCallStatus;
  /** Null while RUNNING, and when nobody knows. */
  result: string | null;
}

/** How the loop came to its end; failures and aborts reject instead. */
export interface AgentResult {
  finishReason: 'ANSWERED' | 'MAX_STEPS' | 'MAX_TOKENS';
}

/** What a strategy is: entries of the log out, and how it ended. `usage` is kept up to date, also when it rejects. */
export type Strategy = (
  turn: AgentTurn,
  usage: Usage,
  signal: AbortSignal,
) => AsyncGenerator<TurnEntry, AgentResult>;
