import type { Usage } from '../../turns/turn-event.js';
import type { AgentPorts, SkillOffer } from './agent-ports.js';
import type { AgentTurn } from './agent-turn.js';
import { answerTokensIn } from './model-call/answer-room.js';
import { OwnSkills } from './skills/own-skills.js';
import { TurnPhase } from './turn-phase.js';

/** Of what a prompt may take: the rest is for the conversation. */
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
  /** How many of the oldest messages the shortest prompt so far has left out. */
  historyDropped: number;
}

export const beginRun = (ports: AgentPorts, turn: AgentTurn, usage: Usage, signal: AbortSignal): AgentRun => {
  const windows = new Map<string, number>();
  const mostToolTokens = (): number => {
    const windowTokens = smallestWindow(ports.models, windows);
    return Math.floor(
      TOOLS_SHARE * (windowTokens - answerTokensIn(windowTokens, turn.budget.maxOutputTokens)),
    );
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
    historyDropped: 0,
  };
};

/** What the next model call may use. What it is to be told of memories is looked for meanwhile. */
export const nextOffer = ({ ports, signal }: AgentRun): Promise<SkillOffer> => {
  ports.memory.prepare(signal);
  return ports.skills.list();
};

/** Of the models that may come to be called: what is offered should not change from one to the other. */
export const smallestWindow = (models: AgentPorts['models'], known: ReadonlyMap<string, number>): number =>
  Math.min(
    ...models.candidates.map((model) => Math.min(models.windowOf(model), known.get(model) ?? Infinity)),
  );
