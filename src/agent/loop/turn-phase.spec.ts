import { describe, expect, it } from '@jest/globals';

import { ManualClock } from '../../common/manual-clock.js';
import type { AgentTurn, MadeCall } from './agent-turn.js';
import { scriptedTurn } from './scripted-turn.js';
import { TurnPhase } from './turn-phase.js';

const clock = new ManualClock();
const at = (seconds: number): Date => new Date(clock.now().getTime() + 1000 * seconds);

const phaseOf = (changes: Partial<AgentTurn>): TurnPhase =>
  new TurnPhase(
    {
      ...scriptedTurn(5),
      budget: { maxSteps: 5, maxSeconds: 45, maxOutputTokens: 100 },
      background: { maxSteps: 30, maxSeconds: 900 },
      ...changes,
    },
    clock,
  );

const made = (step: number, startedAt: Date): MadeCall => ({
  callId: `${step}`,
  skill: 'look',
  asked: { step, preamble: '', modelCallId: '', modelArguments: '' },
  status: 'SUCCEEDED',
  result: '',
  startedAt,
});

describe('the phase of a turn', () => {
  it('keeps a quarter of its time for the answer, and never more than 15 seconds', () => {
    expect(phaseOf({ startedAt: at(-5) })).toMatchObject({ leftMs: 40_000, skillsLeftMs: 40_000 - 11_250 });
    const long = { maxSteps: 5, maxSeconds: 120, maxOutputTokens: 100 };
    expect(phaseOf({ startedAt: at(-5), budget: long })).toMatchObject({ skillsLeftMs: 100_000 });
  });

  it('has the time of the background before it as long as it may go there', () => {
    const foreground = phaseOf({ strategy: 'PLANNED', startedAt: at(-5) });
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
    const turn = { strategy: 'PLANNED' as const, startedAt: at(-70), made: steps };
    expect(phaseOf(turn).stepsLeft).toBe(2);
    expect(phaseOf({ ...turn, backgroundAt: at(-30) })).toMatchObject({
      stepsLeft: 29,
      phaseLeftMs: 870_000,
    });
  });

  it('has the time for itself in which nobody ran it, and no steps', () => {
    const steps = [made(0, at(-600)), made(1, at(-10))];
    const turn = { strategy: 'PLANNED' as const, startedAt: at(-700), made: steps, idleMs: 660_000 };
    expect(phaseOf(turn)).toMatchObject({ phaseLeftMs: 5_000, stepsLeft: 3 });
    expect(phaseOf({ ...turn, backgroundAt: at(-690) })).toMatchObject({
      phaseLeftMs: 870_000,
      stepsLeft: 28,
    });
    expect(phaseOf({ ...turn, backgroundAt: at(-20), idleMs: 5_000 })).toMatchObject({
      phaseLeftMs: 885_000,
      stepsLeft: 29,
    });
  });
});
