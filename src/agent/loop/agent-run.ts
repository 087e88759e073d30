import type { Usage } from '../../turns/turn-event.js';
import type { AgentPorts } from './agent-ports.js';
import type { AgentTurn } from './agent-turn.js';
import { TurnPhase } from './turn-phase.js';

/** One run of a turn: what all parts of the loop share. */
export interface AgentRun {
  readonly ports: AgentPorts;
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

export const beginRun = (
  ports: AgentPorts,
  turn: AgentTurn,
  usage: Usage,
  signal: AbortSignal,
): AgentRun => ({
  ports,
  turn,
  usage,
  signal,
  phase: new TurnPhase(turn, ports.clock),
  windows: new Map(),
  historyDropped: 0,
});
