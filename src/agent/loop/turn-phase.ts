import type { Clock } from '../../common/clock.js';
import type { AgentTurn } from './agent-turn.js';

/** The longest time that is reserved for the answer, during which no skills run. */
const ANSWER_MS = 15_000;

/** The reserved time for the answer, in a phase of `phaseSeconds`. */
export function answerMs(phaseSeconds: number): number {
  return Math.min(ANSWER_MS, 250 * phaseSeconds);
}

/** A turn's phase, foreground or background, and its remaining time. */
export class TurnPhase {
  /** When the phase would have begun without interruptions. */
  private beganMs: number;
  private background: boolean;
  private stepsTaken: number;

  constructor(
    private readonly turn: Omit<AgentTurn, 'prompt' | 'answered'>,
    private readonly clock: Clock,
  ) {
    this.background = turn.backgroundAt !== null;
    this.beganMs = turn.phaseBeganMs;
    this.stepsTaken = this.stepsMade();
  }

  get status(): 'RUNNING' | 'IN_BACKGROUND' {
    return this.background ? 'IN_BACKGROUND' : 'RUNNING';
  }

  /** Whether the turn may move to the background when the foreground time ends. */
  get mayMove(): boolean {
    return this.turn.strategy === 'PLANNED' && !this.background;
  }

  get stepsLeft(): number {
    const { maxSteps } = this.background ? this.turn.background : this.turn.budget;
    return maxSteps - this.stepsTaken;
  }

  takeStep(): void {
    this.stepsTaken += 1;
  }

  move(): void {
    this.background = true;
    this.beganMs = this.clock.elapsedMs();
    this.stepsTaken = 0;
  }

  /** Remaining time of the phase. Negative after its end. */
  get phaseLeftMs(): number {
    return this.beganMs + 1000 * this.phaseSeconds - this.clock.elapsedMs();
  }

  /** Remaining time until the turn must end. A turn that may move counts as moving at the last moment. */
  get leftMs(): number {
    return this.phaseLeftMs + (this.mayMove ? 1000 * this.turn.background.maxSeconds : 0);
  }

  get skillsLeftMs(): number {
    const seconds = this.mayMove ? this.turn.background.maxSeconds : this.phaseSeconds;
    return this.leftMs - answerMs(seconds);
  }

  /** Earlier runs' steps in this phase. */
  private stepsMade(): number {
    const { backgroundAt, made } = this.turn;
    const inPhase = made.filter(({ startedAt }) => backgroundAt === null || startedAt >= backgroundAt);
    return new Set(inPhase.map(({ asked }) => asked.step)).size;
  }

  private get phaseSeconds(): number {
    return this.background ? this.turn.background.maxSeconds : this.turn.budget.maxSeconds;
  }
}
