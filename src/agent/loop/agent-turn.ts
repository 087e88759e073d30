import type { JsonObject } from '@palabre/json';

import type { RetrievalChoice, Strategy } from '../../companies/assistants/assistant-definition.js';
import type { ForeignTextPolicy } from '../../companies/company-input.js';
import type { Citation } from '../../conversations/message.repository.js';
import type { PendingInput } from '../../conversations/turns/inputs/pending-input.entity.js';
import type { SkillCall } from '../../conversations/turns/skill-call.entity.js';
import type {
  AskedFor,
  GivenAnswer,
  InputAsked,
  PendingStatus,
  PlanDecision,
  TurnEntry,
  Usage,
} from '../../conversations/turns/turn-event.js';
import type { AgentPorts } from './agent-ports.js';
import type { PromptState } from './prompt/prompt.js';

interface TurnBudget {
  /** Model calls that may use skills. One more without skills is reserved for the answer. */
  maxSteps: number;
  maxSeconds: number;
  /** The limit of each model call. */
  maxOutputTokens: number;
}

/** Facts of the company's documents at the start of a run. */
export interface TurnDocuments {
  /** There are searchable documents. */
  areThere: boolean;
  /** The names of the documents that the turn is restricted to. Empty: no restriction. */
  asked: readonly string[];
  /** The conversation has attachments, perhaps in another branch. */
  hasAttachments?: boolean;
  /** Documents are attached on the turn's path. */
  areAttached?: boolean;
}

/** A turn to run: the content of its prompts, except for what the loop adds. */
export interface AgentTurn {
  strategy: Strategy;
  /** For a GROUNDED turn: whether documents are searched before the answer. */
  retrieval: RetrievalChoice;
  documents: TurnDocuments;
  /** The schema of the answer, ready to compile. Null: free text. */
  answerSchema: JsonObject | null;
  showsReasoning: boolean;
  /** The company's policy at the start of the run. */
  foreignTextPolicy: ForeignTextPolicy;
  /** When it went to the background. Null: it did not. */
  backgroundAt: Date | null;
  /** By `Clock.elapsedMs`, as if the phase had run without interruption. Waiting does not count. */
  phaseBeganMs: number;
  budget: TurnBudget;
  /** In addition to `budget`, for a PLANNED turn in the background. */
  background: { maxSteps: number; maxSeconds: number };
  prompt: Omit<PromptState, 'skillText' | 'memoryText' | 'steps' | 'note'>;
  /** The calls of earlier runs, in order of asking. Empty for a new turn. */
  made: readonly MadeCall[];
  /** The decisions of earlier runs' planners, in order. */
  decided: readonly PlanDecision[];
  /** The inputs that people have answered, including those whose call is in `made`. */
  answered: readonly AnsweredCall[];
}

/** A skill call that an earlier run recorded. */
export interface MadeCall extends Pick<SkillCall, 'skill' | 'status' | 'result' | 'startedAt'> {
  callId: string;
  asked: AskedFor;
}

/** A person's answer. EXPIRED: nobody answered in time. */
export interface AnsweredCall extends Pick<
  PendingInput,
  'kind' | 'callId' | 'skill' | 'arguments' | 'comment' | 'request'
> {
  asked: AskedFor;
  answer: Exclude<PendingStatus, 'PENDING'>;
  /** The given answer. Null: none, or an approval. */
  given: GivenAnswer | null;
}

/** How the loop ended. Failures and aborts reject instead. */
export type AgentResult =
  | {
      type: 'done';
      finishReason: 'ANSWERED' | 'MAX_STEPS' | 'MAX_SECONDS' | 'MAX_TOKENS';
      citations: Citation[];
    }
  /** The run is over, but the turn is not: another run continues it when all inputs are answered. */
  | { type: 'waiting'; inputs: InputAsked[] };

/** Runs a turn: yields log entries, returns the end. `usage` is updated in place, even on rejection. */
export type AgentLoop = (
  ports: AgentPorts,
  turn: AgentTurn,
  usage: Usage,
  signal: AbortSignal,
) => AsyncGenerator<TurnEntry, AgentResult>;
