import type { JsonValue } from '../../common/json.js';
import type { ToolCall, ToolSpec } from '../../llm/chat-model.js';
import type { ReservedKey } from '../../skills/reserved-keys.js';
import { singleLine } from '../../common/data-text.js';
import type { Said } from './model-call/model-call.js';
import { planLabelsFor } from './plan-labels.js';

/** What a planner decided: skills first, then what it said is to come after them. */
export interface Plan {
  /** What it said besides. */
  text: string;
  /** Of skills. */
  calls: ToolCall[];
  /** Null: to be asked again. */
  next: { action: 'SYNTHESIZE' | 'CONTINUE_IN_BACKGROUND'; reason: string | null } | null;
}

const SYNTHESIZE = 'synthesize_answer' satisfies ReservedKey;
const CONTINUE_IN_BACKGROUND = 'continue_in_background' satisfies ReservedKey;

const MOST_REASON = 500;

/** The planner's own tools. */
export const controlsFor = (language: string, mayMove: boolean): ToolSpec[] => {
  const labels = planLabelsFor(language);
  const synthesize = control(SYNTHESIZE, labels.synthesize, labels.synthesizeReason);
  return mayMove
    ? [synthesize, control(CONTINUE_IN_BACKGROUND, labels.continueInBackground, labels.continueReason)]
    : [synthesize];
};

const control = (name: string, description: string, reason: string): ToolSpec => ({
  name,
  description,
  parameters: {
    type: 'object',
    properties: { reason: { type: 'string', description: reason } },
    required: ['reason'],
    additionalProperties: false,
  },
});

/** A planner that only talks has nothing more to be looked up. */
export const planOf = ({ text, calls }: Pick<Said, 'text' | 'calls'>): Plan => {
  const control = calls.find(({ name }) => isControl(name));
  return {
    text,
    calls: calls.filter(({ name }) => !isControl(name)),
    next: control ? nextOf(control) : calls.length === 0 ? { action: 'SYNTHESIZE', reason: null } : null,
  };
};

const isControl = (name: string): boolean => name === SYNTHESIZE || name === CONTINUE_IN_BACKGROUND;

const nextOf = ({ name, arguments: text }: ToolCall): Plan['next'] => ({
  action: name === SYNTHESIZE ? 'SYNTHESIZE' : 'CONTINUE_IN_BACKGROUND',
  reason: reasonOf(text),
});

/** What a planner wrote may be anything. */
const reasonOf = (argumentsText: string): string | null => {
  try {
    const value = JSON.parse(argumentsText) as JsonValue;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const { reason } = value;
    return typeof reason === 'string' ? singleLine(reason, MOST_REASON) || null : null;
  } catch {
    return null;
  }
};
