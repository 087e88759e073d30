import type { Clock } from '../../common/clock.js';
import type { AgentTurn } from './agent-turn.js';

/** At most as long before the end no more skills are carried out, so that there is time for an answer. */
const ANSWER_MS = 15_000;

/** Of a phase of so many seconds, what is kept for the answer. */
export function answerMs(phaseSeconds: number): number {
  return Math.min(ANSWER_MS, 250 * phaseSeconds);
}

/** Where a turn stands: in the foreground, or in the background, and how much time it has left there. */
export class TurnPhase {
  /** When the phase would have begun if it had been run all the time. */
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

  /** Whether the turn may go on in the background when its time in the foreground is over. */
  get mayMove(): boolean {
    return this.turn.strategy === 'PLANNED' && !this.background;
  }

  /** Of the phase. */
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

  /** Of the phase itself; negative when its time is over. */
  get phaseLeftMs(): number {
    return this.beganMs + 1000 * this.phaseSeconds - this.clock.elapsedMs();
  }

  /** Until the turn has to be at an end: for one that may move, as if it moved at the last moment. */
  get leftMs(): number {
    return this.phaseLeftMs + (this.mayMove ? 1000 * this.turn.background.maxSeconds : 0);
  }

  /** Until skills are not carried out any more, for the answer's sake. */
  get skillsLeftMs(): number {
    const seconds = this.mayMove ? this.turn.background.maxSeconds : this.phaseSeconds;
    return this.leftMs - answerMs(seconds);
  }

  /** Steps that earlier runs took in this phase. */
  private stepsMade(): number {
    const { backgroundAt, made } = this.turn;
    const inPhase = made.filter(({ startedAt }) => backgroundAt === null || startedAt >= backgroundAt);
    return new Set(inPhase.map(({ asked }) => asked.step)).size;
  }

  private get phaseSeconds(): number {
    return this.background ? this.turn.background.maxSeconds : this.turn.budget.maxSeconds;
  }
}
