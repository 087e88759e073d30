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

/** What a turn may use up. */
interface TurnBudget {
  /** Model calls that may ask for skills; one more without skills is kept in reserve for the answer. */
  maxSteps: number;
  maxSeconds: number;
  /** Of one model call. */
  maxOutputTokens: number;
}

/** What is known of the company's documents when a run of a turn begins. */
export interface TurnDocuments {
  /** There is something to be searched. */
  areThere: boolean;
  /** What those are called that the turn is restricted to; empty: it is not. */
  asked: readonly string[];
  /** Something is attached to the conversation, maybe in another branch. */
  hasAttachments?: boolean;
  /** Documents are attached to the turn's path. */
  areAttached?: boolean;
}

/** A turn to be run: all that its prompts are made of but what the loop itself finds out. */
export interface AgentTurn {
  strategy: Strategy;
  /** Of a GROUNDED turn: whether the documents are searched before anything is said. */
  retrieval: RetrievalChoice;
  documents: TurnDocuments;
  /** What the answer has to fit, fit to be compiled; null: it is free. */
  answerSchema: JsonObject | null;
  /** What the model thinks before it answers is shown. */
  showsReasoning: boolean;
  /** The company's, as of when the run began. */
  foreignTextPolicy: ForeignTextPolicy;
  /** When it went to the background; null: it is not there. */
  backgroundAt: Date | null;
  /** By `Clock.elapsedMs`, as if it had been run all the time since: waiting does not count. */
  phaseBeganMs: number;
  budget: TurnBudget;
  /** On top of `budget`, for a PLANNED turn that goes on in the background. */
  background: { maxSteps: number; maxSeconds: number };
  prompt: Omit<PromptState, 'skillText' | 'memoryText' | 'steps' | 'note'>;
  /** What an earlier run of the turn got as far as, in the order of asking; empty for a turn that is new. */
  made: readonly MadeCall[];
  /** What planners of earlier runs decided, in order. */
  decided: readonly PlanDecision[];
  /** What people were asked for and have answered, also for calls that are among `made` by now. */
  answered: readonly AnsweredCall[];
}

/** A skill call that an earlier owner of the turn told of. */
export interface MadeCall extends Pick<SkillCall, 'skill' | 'status' | 'result' | 'startedAt'> {
  callId: string;
  asked: AskedFor;
}

/** What a person answered. EXPIRED: nobody did in time. */
export interface AnsweredCall extends Pick<
  PendingInput,
  'kind' | 'callId' | 'skill' | 'arguments' | 'comment' | 'request'
> {
  asked: AskedFor;
  answer: Exclude<PendingStatus, 'PENDING'>;
  /** What was given, but for an approval; null: nothing. */
  given: GivenAnswer | null;
}

/** How the loop came to its end; failures and aborts reject instead. */
export type AgentResult =
  | {
      type: 'done';
      finishReason: 'ANSWERED' | 'MAX_STEPS' | 'MAX_SECONDS' | 'MAX_TOKENS';
      citations: Citation[];
    }
  /** The run is over and the turn is not: another run goes on with it when all of these are answered. */
  | { type: 'waiting'; inputs: InputAsked[] };

/** How a turn is run: entries of the log out, and how it ended. `usage` is counted in place, also when it rejects. */
export type AgentLoop = (
  ports: AgentPorts,
  turn: AgentTurn,
  usage: Usage,
  signal: AbortSignal,
) => AsyncGenerator<TurnEntry, AgentResult>;
