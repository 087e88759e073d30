import { ManualClock } from '../../common/manual-clock.double.js';
import type { AgentTurn, MadeCall } from './agent-turn.js';
import { scriptedTurn } from './scripted-turn.double.js';
import { TurnPhase } from './turn-phase.js';

const clock = new ManualClock();
function at(seconds: number): Date {
  return new Date(clock.now().getTime() + 1000 * seconds);
}

/** A phase that has taken so many seconds. */
function since(seconds: number): Pick<AgentTurn, 'phaseBeganMs'> {
  return {
    phaseBeganMs: clock.elapsedMs() - 1000 * seconds,
  };
}

function phaseOf(changes: Partial<AgentTurn>): TurnPhase {
  return new TurnPhase(
    {
      ...scriptedTurn(5),
      budget: { maxSteps: 5, maxSeconds: 45, maxOutputTokens: 100 },
      background: { maxSteps: 30, maxSeconds: 900 },
      ...changes,
    },
    clock,
  );
}

function made(step: number, startedAt: Date): MadeCall {
  return {
    callId: `${step}`,
    skill: 'look',
    asked: { step, preamble: '', modelCallId: '', modelArguments: '' },
    status: 'SUCCEEDED',
    result: '',
    startedAt,
  };
}

describe('the phase of a turn', () => {
  it('keeps a quarter of its time for the answer, and never more than 15 seconds', () => {
    expect(phaseOf(since(5))).toMatchObject({ leftMs: 40_000, skillsLeftMs: 40_000 - 11_250 });
    const long = { maxSteps: 5, maxSeconds: 120, maxOutputTokens: 100 };
    expect(phaseOf({ ...since(5), budget: long })).toMatchObject({ skillsLeftMs: 100_000 });
  });

  it('has the time of the background before it as long as it may go there', () => {
    const foreground = phaseOf({ strategy: 'PLANNED', ...since(5) });
    expect(foreground).toMatchObject({
      status: 'RUNNING',
      mayMove: true,
      phaseLeftMs: 40_000,
      leftMs: 940_000,
      skillsLeftMs: 925_000,
      stepsLeft: 5,
    });
    foreground.takeStep();
    foreground.move();
    expect(foreground).toMatchObject({
      status: 'IN_BACKGROUND',
      mayMove: false,
      phaseLeftMs: 900_000,
      leftMs: 900_000,
      skillsLeftMs: 885_000,
      stepsLeft: 30,
    });
  });

  it('counts the steps that earlier runs took in it', () => {
    const steps = [made(0, at(-60)), made(1, at(-50)), made(1, at(-45)), made(2, at(-10)), made(2, at(-9))];
    const turn = { strategy: 'PLANNED' as const, ...since(70), made: steps };
    expect(phaseOf(turn).stepsLeft).toBe(2);
    expect(phaseOf({ ...turn, ...since(30), backgroundAt: at(-30) })).toMatchObject({
      stepsLeft: 29,
      phaseLeftMs: 870_000,
    });
  });

  it('goes on evenly from what it had taken when its run began, whatever happens to the date', () => {
    class Adjusted extends ManualClock {
      override now(): Date {
        return new Date(0);
      }
    }
    const adjusted = new Adjusted();
    const phase = new TurnPhase(
      { ...scriptedTurn(5), phaseBeganMs: adjusted.elapsedMs() - 20_000 },
      adjusted,
    );
    adjusted.advance(30_000);
    expect(phase.phaseLeftMs).toBe(70_000);
  });
});
