import type { ChatRequest } from '@palabre/llm-client';
import {
  finish,
  ScriptedChatModel,
  type ScriptStep,
  text,
  toolCall,
} from '@palabre/llm-client/scripted-chat-model.double.js';

import type { ManualClock } from '../../common/manual-clock.double.js';
import { wordingIn } from '../../common/wording/wording.js';
import { noUsage, type TurnEntry } from '../../conversations/turns/turn-event.js';
import type { AgentResult, AgentTurn } from './agent-turn.js';
import { planned } from './planned.js';
import {
  HastyClock,
  play,
  type Played,
  ScriptedModels,
  scriptedPorts,
  ScriptedSkills,
  scriptedTurn,
  succeeded,
} from './scripted-turn.double.js';

/** A turn of five steps in 45 s, and of three in 600 s in the background. */
export function turnOf(changes: Partial<AgentTurn> = {}, maxSteps = 5, maxSeconds = 45): AgentTurn {
  return {
    ...scriptedTurn(maxSteps),
    strategy: 'PLANNED',
    budget: { maxSteps, maxSeconds, maxOutputTokens: 100 },
    background: { maxSteps: 3, maxSeconds: 600 },
    ...changes,
  };
}

interface PlayedPlan extends Played<AgentResult> {
  model: ScriptedChatModel;
  models: ScriptedModels;
}

export type Replies = ConstructorParameters<typeof ScriptedChatModel>[0];

/** Plays a planned turn to its end, with one skill and a clock that is past every pause at once. */
export async function playPlanned(
  script: Replies,
  {
    skills = new ScriptedSkills({ look: () => Promise.resolve(succeeded('"42"')) }),
    turn = turnOf(),
    clock = new HastyClock() as ManualClock,
    signal = new AbortController().signal,
    onEntry = (_: TurnEntry): void => undefined,
    isCaching = false,
  } = {},
): Promise<PlayedPlan> {
  const model = new ScriptedChatModel(script);
  const models = new ScriptedModels(model, { isCaching });
  const ports = scriptedPorts({ models, model, skills, clock });
  return { ...(await play(planned(ports, turn, { ...noUsage }, signal), onEntry)), model, models };
}

export function isPlan({ tools }: ChatRequest): boolean {
  return tools.length > 0;
}
export function synthesize(reason = 'I know enough.'): ScriptStep[] {
  return [toolCall('synthesize_answer', { reason }), finish()];
}
export function goOn(reason = 'There is much to read.'): ScriptStep[] {
  return [toolCall('continue_in_background', { reason }), finish()];
}
let places = 0;
/** Each with arguments of its own. */
export function look(name = 'look'): ScriptStep {
  return toolCall(name, { at: (places += 1) });
}
export const answer = [text('It is 42.'), finish()];

export function decided(action: string, reason: string | null, nextSkill: string | null = null) {
  return {
    type: 'plan-decided',
    action,
    nextSkill,
    reason,
  };
}
export function moved(reason: string | null, language = 'en') {
  return [
    decided('CONTINUE_IN_BACKGROUND', reason),
    { type: 'status-changed', status: 'IN_BACKGROUND', detail: null },
    { type: 'moved-to-background', reason, message: wordingIn(language).plan.movedToBackground },
  ];
}
export function types(entries: readonly TurnEntry[]): string[] {
  return entries.map(({ type }) => type);
}
export function toolNames({ tools }: ChatRequest): string[] {
  return tools.map(({ name }) => name);
}
