import { isJsonObject } from '../../common/json.js';
import type { Echo, ToolCall, ToolSpec } from '../../llm/chat-model.js';
import type { ReservedKey } from '../../skills/definitions/reserved-keys.js';
import { singleLine } from '../../common/text/data-text.js';
import type { Said, SaidCall } from './model-call/model-call.js';
import { planLabelsFor } from './plan-labels.js';
import type { AgentTurn } from './agent-turn.js';
import type { Step, StepCall } from './prompt/prompt.js';

/** What a planner decided: skills first, then what it said is to come after them. */
export interface Plan {
  /** What it said besides. */
  text: string;
  /** Of skills, and of what it was not offered: that fails as a call of an unknown skill does. */
  calls: SaidCall[];
  /** What its model wants back with all of it. */
  echo?: Echo | undefined;
  /** Null: to be asked again. */
  next: Synthesize | ContinueInBackground | null;
}

interface Synthesize {
  action: 'SYNTHESIZE';
  reason: string | null;
}

interface ContinueInBackground {
  action: 'CONTINUE_IN_BACKGROUND';
  reason: string | null;
  /** How it said so. */
  call: ToolCall;
}

const SYNTHESIZE = 'synthesize_answer' satisfies ReservedKey;
const CONTINUE_IN_BACKGROUND = 'continue_in_background' satisfies ReservedKey;

const MOST_REASON = 500;

/** Its own is not kept. Nine letters and digits: the one form that every provider takes back. */
const MOVE_ID = 'moved0000';

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

/** What a planner with these controls decided. One that only talks has nothing more to be looked up. */
export const planOf = (
  { text, calls, echo }: Pick<Said, 'text' | 'calls' | 'echo'>,
  controls: readonly Pick<ToolSpec, 'name'>[],
): Plan => {
  const names = new Set(controls.map(({ name }) => name));
  const control = calls.find(({ name }) => names.has(name));
  if (!control)
    return { text, calls, echo, next: calls.length === 0 ? { action: 'SYNTHESIZE', reason: null } : null };
  return { text, calls: calls.filter(({ name }) => !isControl(name)), echo, next: nextOf(control) };
};

const isControl = (name: string): boolean => name === SYNTHESIZE || name === CONTINUE_IN_BACKGROUND;

const nextOf = (call: ToolCall): Plan['next'] => {
  const reason = reasonOf(call.arguments);
  return call.name === SYNTHESIZE
    ? { action: 'SYNTHESIZE', reason }
    : { action: 'CONTINUE_IN_BACKGROUND', reason, call };
};

/** A planner's decisions, as its next prompts are to tell of them. */
export const decisionsOf = ({ next }: Plan, language: string): StepCall[] =>
  next?.action === 'CONTINUE_IN_BACKGROUND'
    ? [{ ...next.call, result: JSON.stringify({ note: planLabelsFor(language).goesOnInBackground }) }]
    : [];

/**
 * An earlier run's steps, with its planner's decision to go on in the background in them. A step that called no skill
 * has left its place, which is that decision's; else it was taken with the calls of a step, or after all of them.
 */
export function withMove(
  steps: readonly Step[],
  { decided, made, backgroundAt, prompt }: Pick<AgentTurn, 'decided' | 'made' | 'backgroundAt' | 'prompt'>,
): Step[] {
  const move = decided.find(({ action }) => action === 'CONTINUE_IN_BACKGROUND');
  // Without a reason it was none of a planner's: the time was over.
  if (!move || move.reason === null) return [...steps];
  const { reason } = move;
  const call = { id: MOVE_ID, name: CONTINUE_IN_BACKGROUND, arguments: JSON.stringify({ reason }) };
  const next = { action: 'CONTINUE_IN_BACKGROUND', reason, call } as const;
  const calls = decisionsOf({ text: '', calls: [], next }, prompt.language);
  const gap = steps.findIndex((step) => step.calls.length === 0);
  const before = made.filter(({ startedAt }) => startedAt < (backgroundAt ?? startedAt));
  const last = Math.max(-1, ...before.map(({ asked }) => asked.step));
  if (gap < 0 && last === steps.length - 1) return [...steps, { text: '', calls }];
  const place = gap < 0 ? Math.max(0, last) : gap;
  return steps.map((step, index) => (index === place ? { ...step, calls: [...step.calls, ...calls] } : step));
}

/** Whether a planner asked for nothing but to go on in the background. */
export const asksOnlyToGoOn = (calls: readonly Pick<ToolCall, 'name'>[]): boolean =>
  calls.length > 0 && calls.every(({ name }) => name === CONTINUE_IN_BACKGROUND);

/** What a planner wrote may be anything. */
const reasonOf = (argumentsText: string): string | null => {
  try {
    const value: unknown = JSON.parse(argumentsText);
    if (!isJsonObject(value)) return null;
    const { reason } = value;
    return typeof reason === 'string' ? singleLine(reason, MOST_REASON) || null : null;
  } catch {
    return null;
  }
};
