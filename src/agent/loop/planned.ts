import { functionTool, type ToolCall, type ToolSpec } from '@palabre/llm-client';
import { detectLanguage, singleLine } from '@palabre/text';

import { fill, wordingIn } from '../../common/wording/wording.js';
import type { TurnEntry } from '../../conversations/turns/turn-event.js';
import { shownArguments } from '../../skills/skill-arguments.js';
import type { ReservedKey } from '../../skills/skill.js';
import type { SkillOffer } from './agent-ports.js';
import { type AgentRun, beginRun, nextOffer, runTimer, toolsForCall } from './agent-run.js';
import type { AgentLoop, AgentResult, AgentTurn } from './agent-turn.js';
import type { Said } from './model-call.js';
import type { Step, StepCall } from './prompt/prompt.js';
import { lastAnswer, type UsedUp } from './reactive.js';
import { callSkills, resumeSteps } from './skills/skill-calls.js';
import { callModelBeforeDeadline } from './call-deadline.js';

/** The most consecutive steps that only ask to continue in the background. */
const MAX_GOING_ON = 2;

/**
 * The PLANNED strategy. At each step a planner, whose text is not shown, decides to call skills, to have the answer
 * written, or to continue in the background. When the steps or seconds of the foreground are used up, the turn moves
 * to the background by itself. When those of the background are, the answer is written from what there is.
 */
export const planned: AgentLoop = async function* (ports, turn, usage, signal) {
  const run = beginRun(ports, turn, usage, signal);
  return yield* moveAtForegroundEnd(run, takeSteps(run));
};

async function* takeSteps(run: AgentRun): AsyncGenerator<TurnEntry, AgentResult> {
  const resumed = yield* resumeSteps(run);
  if (resumed.inputs.length > 0) return { type: 'waiting', inputs: resumed.inputs };
  const steps = withMove(resumed.steps, run.turn);
  const decision = run.turn.decided.find(({ action }) => action === 'SYNTHESIZE');
  if (decision) {
    // Only a planner gives a reason. Without one the budget was used up.
    const usedUp = decision.reason === null ? usedUpBy(run) : null;
    return yield* writeAnswer(run, steps, await nextOffer(run), usedUp);
  }
  for (;;) {
    if (run.phase.mayMove && run.phase.stepsLeft <= 0) yield* moveToBackground(run, null);
    const offer = await nextOffer(run);
    const usedUp = usedUpBy(run);
    if (usedUp) return yield* synthesize(run, steps, offer, { reason: null, usedUp });
    const plan = yield* askPlanner(run, steps, offer);
    if (plan === null) return yield* synthesize(run, steps, offer, { reason: null, usedUp: 'MAX_SECONDS' });
    if (isStuck(plan, steps)) return yield* synthesize(run, steps, offer, { reason: null, usedUp: null });
    const made = decisionsOf(plan, run.turn.prompt.language);
    if (plan.calls.length > 0) {
      if (run.phase.skillsLeftMs <= 0) continue;
      for (const { name } of plan.calls) yield decided('CALL_SKILL', plan.text.trim() || null, name);
      const { calls, inputs } = yield* callSkills(run, plan, steps);
      if (inputs.length > 0) return { type: 'waiting', inputs };
      made.unshift(...calls);
    }
    if (made.length > 0) steps.push({ text: plan.text, calls: made, echo: plan.echo });
    const { next } = plan;
    if (next?.action === 'SYNTHESIZE')
      return yield* synthesize(run, steps, offer, { reason: next.reason, usedUp: null });
    // The time limit may have moved the turn meanwhile.
    if (next && run.phase.mayMove) yield* moveToBackground(run, next.reason);
  }
}

function usedUpBy({ phase }: AgentRun): UsedUp | null {
  if (phase.skillsLeftMs <= 0) return 'MAX_SECONDS';
  return phase.stepsLeft <= 0 ? 'MAX_STEPS' : null;
}

function isStuck(plan: Plan, steps: readonly Step[]): boolean {
  const last = steps.slice(-MAX_GOING_ON);
  return [plan, ...last].every(({ calls }) => asksOnlyForBackground(calls)) && last.length === MAX_GOING_ON;
}

/** Null: the planner used up the time for skills. */
async function* askPlanner(
  run: AgentRun,
  steps: readonly Step[],
  offer: SkillOffer,
): AsyncGenerator<TurnEntry, Plan | null> {
  const { phase, turn } = run;
  const labels = wordingIn(turn.prompt.language).plan;
  const left = fill(labels.left, {
    steps: phase.stepsLeft,
    seconds: Math.max(0, Math.round(phase.phaseLeftMs / 1000)),
  });
  const { mayMove } = phase;
  phase.takeStep();
  const controls = controlsFor(turn.prompt.language, mayMove);
  const said = yield* callModelBeforeDeadline(run, {
    purpose: 'PLAN',
    steps,
    offer,
    tools: (offered) => toolsForCall(run, offered, steps, controls),
    toolChoice: 'required',
    note: mayMove ? left : `${labels.inBackground} ${left}`,
    isShown: false,
  });
  return 'stopped' in said ? null : planOf(said, controls);
}

/** Has the answer written from everything so far. */
async function* synthesize(
  run: AgentRun,
  steps: readonly Step[],
  offer: SkillOffer,
  { reason, usedUp }: { reason: string | null; usedUp: UsedUp | null },
): AsyncGenerator<TurnEntry, AgentResult> {
  yield decided('SYNTHESIZE', reason);
  return yield* writeAnswer(run, steps, offer, usedUp);
}

async function* writeAnswer(
  run: AgentRun,
  steps: readonly Step[],
  offer: SkillOffer,
  usedUp: UsedUp | null,
): AsyncGenerator<TurnEntry, AgentResult> {
  const besides = controlsFor(run.turn.prompt.language, run.phase.mayMove);
  return yield* lastAnswer(run, steps, offer, usedUp, { purpose: 'SYNTHESIS', besides });
}

function decided(
  action: 'CALL_SKILL' | 'SYNTHESIZE',
  reason: string | null,
  nextSkill: ToolCall['name'] | null = null,
): TurnEntry {
  return { type: 'plan-decided', action, nextSkill, reason };
}

/**
 * A planner's decision: skills to call, then the next step. A call of a tool that was not offered fails like one of
 * an unknown skill.
 */
interface Plan extends Pick<Said, 'text' | 'calls' | 'echo'> {
  /** Null: ask the planner again. `call`: the call that stated it. */
  next:
    | { action: 'SYNTHESIZE'; reason: string | null }
    | { action: 'CONTINUE_IN_BACKGROUND'; reason: string | null; call: ToolCall }
    | null;
}

const SYNTHESIZE = 'synthesize_answer' satisfies ReservedKey;
const CONTINUE_IN_BACKGROUND = 'continue_in_background' satisfies ReservedKey;

const MAX_REASON = 500;

/** Replaces the original id. Nine letters and digits: the only form that every provider accepts. */
const MOVE_ID = 'moved0000';

/** The planner's own tools. */
function controlsFor(language: string, mayMove: boolean): ToolSpec[] {
  const labels = wordingIn(language).plan;
  const control = (name: string, description: string, reason: string): ToolSpec =>
    functionTool(name, description, { reason: { type: 'string', description: reason } });
  const synthesize = control(SYNTHESIZE, labels.synthesize, labels.synthesizeReason);
  return mayMove
    ? [synthesize, control(CONTINUE_IN_BACKGROUND, labels.continueInBackground, labels.continueReason)]
    : [synthesize];
}

/** The decision of a planner with these controls. One that only writes text has nothing more to look up. */
function planOf(
  { text, calls, echo }: Pick<Said, 'text' | 'calls' | 'echo'>,
  controls: readonly Pick<ToolSpec, 'name'>[],
): Plan {
  const names = new Set(controls.map(({ name }) => name));
  const control = calls.find(({ name }) => names.has(name));
  if (!control)
    return { text, calls, echo, next: calls.length === 0 ? { action: 'SYNTHESIZE', reason: null } : null };
  const skills = calls.filter(({ name }) => name !== SYNTHESIZE && name !== CONTINUE_IN_BACKGROUND);
  return { text, calls: skills, echo, next: nextOf(control) };
}

function nextOf(call: ToolCall): Plan['next'] {
  const reason = reasonOf(call.arguments);
  return call.name === SYNTHESIZE
    ? { action: 'SYNTHESIZE', reason }
    : { action: 'CONTINUE_IN_BACKGROUND', reason, call };
}

function decisionsOf({ next }: Plan, language: string): StepCall[] {
  return next?.action === 'CONTINUE_IN_BACKGROUND'
    ? [{ ...next.call, result: JSON.stringify({ note: wordingIn(language).plan.goesOnInBackground }) }]
    : [];
}

/**
 * An earlier run's steps, with the planner's move to the background. A step without skills left an empty place, which
 * is that of the move. Otherwise the move was decided with the calls of a step, or after all of them.
 */
function withMove(
  steps: readonly Step[],
  { decided, made, backgroundAt, prompt }: Pick<AgentTurn, 'decided' | 'made' | 'backgroundAt' | 'prompt'>,
): Step[] {
  const move = decided.find(({ action }) => action === 'CONTINUE_IN_BACKGROUND');
  // Without a reason the time was over, and no planner decided.
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

/** Whether a planner only asked to continue in the background. */
function asksOnlyForBackground(calls: readonly Pick<ToolCall, 'name'>[]): boolean {
  return calls.length > 0 && calls.every(({ name }) => name === CONTINUE_IN_BACKGROUND);
}

/** A planner may write anything. */
function reasonOf(argumentsText: string): string | null {
  const { reason } = shownArguments(argumentsText);
  return typeof reason === 'string' ? singleLine(reason, MAX_REASON) || null : null;
}

/** `reason`: the planner's. Null: the budget is used up. */
async function* moveToBackground(
  { phase, turn }: AgentRun,
  reason: string | null,
): AsyncGenerator<TurnEntry, void> {
  // First, because the step that runs meanwhile asks for the phase.
  phase.move();
  yield { type: 'plan-decided', action: 'CONTINUE_IN_BACKGROUND', nextSkill: null, reason };
  yield { type: 'status-changed', status: 'IN_BACKGROUND', detail: null };
  yield {
    type: 'moved-to-background',
    reason,
    message: wordingIn(languageOf(turn)).plan.movedToBackground,
  };
}

/** Reports the end of the foreground time, even in the middle of a step. */
async function* moveAtForegroundEnd<Result>(
  run: AgentRun,
  steps: AsyncGenerator<TurnEntry, Result>,
): AsyncGenerator<TurnEntry, Result> {
  if (run.phase.mayMove && run.phase.phaseLeftMs <= 0) yield* moveToBackground(run, null);
  if (!run.phase.mayMove) return yield* steps;
  const end = Promise.withResolvers<'over'>();
  const release = runTimer(run, run.phase.phaseLeftMs, () => end.resolve('over'));
  try {
    for (;;) {
      const pending = steps.next();
      const first = run.phase.mayMove ? await Promise.race([pending, end.promise]) : await pending;
      if (first === 'over' && run.phase.mayMove) yield* moveToBackground(run, null);
      const next = await pending;
      if (next.done) return next.value;
      yield next.value;
    }
  } finally {
    release();
  }
}

/** The member's language, as far as the question shows it. */
function languageOf({ prompt: { question, language } }: AgentTurn): string {
  return detectLanguage(question) ?? language;
}
