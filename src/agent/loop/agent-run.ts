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

/** Every call pays for the offered tools, and a model chooses worse among many. Others are searched for. */
const MAX_TOOL_TOKENS = 1_500;
/** The limit in a small window, as a share of the prompt, so that the conversation has room. */
const TOOLS_SHARE = 1 / 3;

/** One run of a turn: the state that all parts of the loop share. */
export interface AgentRun {
  /** Its `skills` are `ownSkills`. */
  readonly ports: AgentPorts;
  readonly ownSkills: OwnSkills;
  readonly turn: AgentTurn;
  /** Updated in place. */
  readonly usage: Usage;
  readonly signal: AbortSignal;
  readonly phase: TurnPhase;
  /** Windows that turned out smaller than stated, by model. */
  readonly windows: Map<string, number>;
  /** Models that only get tools which they may call. */
  readonly toolless: Set<string>;
  /** The number of the oldest messages that the shortest prompt so far left out. */
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

/** The skills for the next model call. Starts the lookup of memories meanwhile. */
export function nextOffer({ ports, signal }: AgentRun): Promise<SkillOffer> {
  ports.memory.prepare(signal);
  return ports.skills.list();
}

/** The smallest window of the callable models, so that all get the same skills. */
function smallestWindow(models: AgentPorts['models'], known: ReadonlyMap<string, number>): number {
  return Math.min(
    ...models.candidates.map((model) =>
      Math.min(models.abilitiesOf(model).windowTokens, known.get(model) ?? Infinity),
    ),
  );
}

/** Aborts a call to keep the remaining time for the answer. */
export class TimeOver extends Error {
  override readonly name = 'TimeOver';
}

/** Calls back after `ms`, unless the run is aborted or the returned function cancels it. No timer outlives a run. */
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

/** The answer's largest share of a window. The prompt needs the rest. */
const MAX_SHARE = 1 / 3;

/** The answer's tokens: `maxOutputTokens`, or a share of the window if that is less. */
export function answerTokensIn(windowTokens: number, maxOutputTokens: number): number {
  return Math.min(maxOutputTokens, Math.floor(MAX_SHARE * windowTokens));
}

export function windowFor(promptTokens: number, maxOutputTokens: number): number {
  return promptTokens + Math.min(maxOutputTokens, Math.floor((promptTokens * MAX_SHARE) / (1 - MAX_SHARE)));
}

/** The tools after the steps, and `besides`. Found tools are offered as far as the shortest prompt leaves room. */
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
