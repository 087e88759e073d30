import type { JsonObject, JsonValue } from '../../common/json.js';
import type { StoredMessage } from '../model-calls/stored-messages.js';

/** The skills by which models read and write memories: all that they say is about these. */
export const MEMORY_SKILLS: readonly string[] = ['remember', 'recall', 'forget_memory'];

/** A skill call, or the question whether it is allowed, as far as it holds what models and skills said. */
export interface CallTrace {
  id: string;
  skill: string;
  modelCallId: string;
  arguments: JsonObject;
  modelArguments: string;
  preamble: string;
}

export interface SkillCallTrace extends CallTrace {
  result: string | null;
  resultPreview: string | null;
  details: JsonValue | null;
}

export interface ApprovalTrace extends CallTrace {
  reason: string | null;
  comment: string | null;
}

export interface EventTrace {
  sequence: number;
  data: JsonObject;
}

export interface PromptTrace {
  id: string;
  messages: StoredMessage[];
}

/** What a turn keeps of what it was told and what it did, but for its messages. */
export interface Traces {
  calls: SkillCallTrace[];
  approvals: ApprovalTrace[];
  events: EventTrace[];
  prompts: PromptTrace[];
}
