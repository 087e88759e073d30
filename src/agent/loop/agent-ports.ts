import type { JsonObject } from '../../common/json.js';
import type { ChatModel, ToolSpec } from '../../llm/chat-model.js';

/** What became of a skill call, for the model (`result`) and for people (`preview`). */
export interface SkillOutcome {
  status: 'SUCCEEDED' | 'FAILED';
  result: string;
  preview: string;
}

/** What the loop needs of the skills. */
export interface SkillPort {
  /** What the model may call at this moment: asked before every model call. */
  list(): Promise<ToolSpec[]>;
  /**
   * Carries out one call. What may not be done twice is not begun before it is stored that it was asked for. Rejects
   * when `signal` is aborted, or the turn is no longer this run's.
   */
  call(call: { callId: string; key: string; arguments: string }, signal: AbortSignal): Promise<SkillOutcome>;
  /** Whether a call that broke off may be carried out again without harm. */
  isRepeatable(key: string): boolean;
  /** The arguments a model wrote as a JSON object, to be shown; empty when they are none. */
  read(argumentsText: string): JsonObject;
  /** A new id for a call: the model's own ids may repeat. */
  newCallId(): string;
}

export interface AgentPorts {
  model: ChatModel;
  skills: SkillPort;
  /** Milliseconds from any fixed point; only differences count. */
  now(): number;
}
