import type { ToolSpec } from '@palabre/llm-client';

import type { Usage } from '../../conversations/turns/turn-event.js';
import type { AgentPorts, SkillOffer } from './agent-ports.js';
import type { AgentTurn } from './agent-turn.js';
import { fitsAtLeast } from './prompt/fit-prompt.js';
import { type Step, withSafeResults } from './prompt/prompt.js';
import { loadedTokensIn, withoutInstructions } from './skills/loaded-packs.js';
import { offeredTools, type ToolFit } from './skills/offered-tools.js';
import { OwnSkills } from './skills/own-skills.js';
import { skillSection } from './skills/skill-section.js';
import { TurnPhase } from './turn-phase.js';

/** Every call of every turn pays for them, and a model chooses worse among many. Others are found by a search. */
const MAX_TOOL_TOKENS = 1_500;
/** The same in a small window, of what a prompt may take: the rest is for the conversation. */
const TOOLS_SHARE = 1 / 3;

/** One run of a turn: what all parts of the loop share. */
export interface AgentRun {
  /** Its skills are `ownSkills`. */
  readonly ports: AgentPorts;
  readonly ownSkills: OwnSkills;
  readonly turn: AgentTurn;
  /** Counted in place. */
  readonly usage: Usage;
  readonly signal: AbortSignal;
  readonly phase: TurnPhase;
  /** Windows that turned out to be smaller than they were said to be, by model. */
  readonly windows: Map<string, number>;
  /** Models that are given no tools that they may not call. */
  readonly toolless: Set<string>;
  /** How many of the oldest messages the shortest prompt so far has left out. */
  historyDropped: number;
}

export function beginRun(ports: AgentPorts, turn: AgentTurn, usage: Usage, signal: AbortSignal): AgentRun {
  const windows = new Map<string, number>();
  const mostToolTokens = (): number => {
    const windowTokens = smallestWindow(ports.models, windows);
    const room = windowTokens - answerTokensIn(windowTokens, turn.budget.maxOutputTokens);
    return Math.min(MAX_TOOL_TOKENS, Math.floor(TOOLS_SHARE * room));
  };
  const ownSkills = new OwnSkills(ports.skills, ports.tokens, turn.prompt.language, mostToolTokens);
  return {
    ports: { ...ports, skills: ownSkills },
    ownSkills,
    turn,
    usage,
    signal,
    phase: new TurnPhase(turn, ports.clock),
    windows,
    toolless: new Set(),
    historyDropped: 0,
  };
}

/** What the next model call may use. What it is to be told of memories is looked for meanwhile. */
export function nextOffer({ ports, signal }: AgentRun): Promise<SkillOffer> {
  ports.memory.prepare(signal);
  return ports.skills.list();
}

/** Of the models that may come to be called: what is offered should not change from one to the other. */
function smallestWindow(models: AgentPorts['models'], known: ReadonlyMap<string, number>): number {
  return Math.min(
    ...models.candidates.map((model) =>
      Math.min(models.abilitiesOf(model).windowTokens, known.get(model) ?? Infinity),
    ),
  );
}

/** Aborts a call because the remaining time is kept for the answer. */
export class TimeOver extends Error {
  override readonly name = 'TimeOver';
}

/** Calls back after `ms`, unless the run is aborted or what this gives is called first: no timer outlives a run. */
export function runTimer(
  { ports, signal }: Pick<AgentRun, 'ports' | 'signal'>,
  ms: number,
  callback: () => void,
): () => void {
  if (signal.aborted) return () => undefined;
  const release = (): void => {
    cancel();
    signal.removeEventListener('abort', release);
  };
  const cancel = ports.clock.after(ms, callback);
  signal.addEventListener('abort', release, { once: true });
  return release;
}

/** Of a window, what an answer may take at most: in a small one the prompt needs the rest. */
const MAX_SHARE = 1 / 3;

/** What the answer is to have of a window: `maxOutputTokens`, or its share where that is less. */
export function answerTokensIn(windowTokens: number, maxOutputTokens: number): number {
  return Math.min(maxOutputTokens, Math.floor(MAX_SHARE * windowTokens));
}

export function windowFor(promptTokens: number, maxOutputTokens: number): number {
  return promptTokens + Math.min(maxOutputTokens, Math.floor((promptTokens * MAX_SHARE) / (1 - MAX_SHARE)));
}

/** After the steps, and `besides`. What was searched for is offered as far as the shortest prompt fits beside it. */
export function toolsForCall(
  run: AgentRun,
  offer: SkillOffer,
  steps: readonly Step[],
  besides: readonly ToolSpec[] = [],
): ToolSpec[] {
  const { turn, ports, ownSkills } = run;
  const { language, question } = turn.prompt;
  const windowTokens = smallestWindow(ports.models, run.windows);
  const maxOutputTokens = answerTokensIn(windowTokens, turn.budget.maxOutputTokens);
  const fits: ToolFit = (found, moreTokens = 0) => {
    const loadedTokens = loadedTokensIn(windowTokens - maxOutputTokens);
    const { text } = skillSection(offer, steps, {
      language,
      tokens: ports.tokens,
      loadedTokens,
      question,
    });
    const told = withSafeResults(withoutInstructions(steps, language));
    return fitsAtLeast(
      { ...turn.prompt, skillText: text, memoryText: '', steps: told },
      {
        windowTokens: windowTokens - moreTokens,
        maxOutputTokens,
        tools: [...found, ...besides],
        tokens: ports.tokens,
      },
    );
  };
  ownSkills.offering(fits);
  return [...offeredTools(offer, steps, language, fits), ...besides];
}
