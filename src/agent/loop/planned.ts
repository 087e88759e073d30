import type { ToolCall } from '../../llm/chat-model.js';
import type { TurnEntry } from '../../turns/turn-event.js';
import type { SkillOffer } from './agent-ports.js';
import { type AgentRun, beginRun, nextOffer } from './agent-run.js';
import type { AgentResult, AgentLoop } from './agent-turn.js';
import { moveAtForegroundEnd, moveToBackground } from './background.js';
import { callModel } from './model-call/model-call.js';
import { planLabelsFor } from './plan-labels.js';
import { asksOnlyToGoOn, controlsFor, decisionsOf, type Plan, planOf, withMove } from './plan.js';
import type { Step } from './prompt/prompt.js';
import { done, type UsedUp } from './reactive.js';
import { callSkills, resumeSteps } from './skills/skill-calls.js';
import { callInTime } from './timely-call.js';
import { toolsOf } from './tools-of.js';

/** How many steps in a row may ask for nothing but to go on in the background: the next one knows no more. */
const MOST_GOING_ON = 2;

/**
 * The PLANNED strategy: at every step a planner, whose words are not shown, decides to call skills, to have the answer
 * written, or to go on in the background. When the steps or the seconds of the foreground are used up, the turn goes on
 * in the background without being asked; when those of the background are, the answer is written from what there is.
 */
export const planned: AgentLoop = async function* (ports, turn, usage, signal) {
  const run = beginRun(ports, turn, usage, signal);
  return yield* moveAtForegroundEnd(run, takeSteps(run));
};

async function* takeSteps(run: AgentRun): AsyncGenerator<TurnEntry, AgentResult> {
  const steps = withMove(yield* resumeSteps(run), run.turn);
  const decision = run.turn.decided.find(({ action }) => action === 'SYNTHESIZE');
  if (decision) {
    // The reason is a planner's: when something was used up there was none.
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
      const { calls, approvals } = yield* callSkills(run, plan, steps);
      if (approvals.length > 0) return { type: 'waiting', approvals };
      made.unshift(...calls);
    }
    if (made.length > 0) steps.push({ text: plan.text, calls: made, echo: plan.echo });
    const { next } = plan;
    if (next?.action === 'SYNTHESIZE') {
      return yield* synthesize(run, steps, offer, { reason: next.reason, usedUp: null });
    }
    // The time may have moved it meanwhile.
    if (next && run.phase.mayMove) yield* moveToBackground(run, next.reason);
  }
}

const usedUpBy = ({ phase }: AgentRun): UsedUp | null => {
  if (phase.skillsLeftMs <= 0) return 'MAX_SECONDS';
  return phase.stepsLeft <= 0 ? 'MAX_STEPS' : null;
};

const isStuck = (plan: Plan, steps: readonly Step[]): boolean => {
  const last = steps.slice(-MOST_GOING_ON);
  return [plan, ...last].every(({ calls }) => asksOnlyToGoOn(calls)) && last.length === MOST_GOING_ON;
};

/** Null: it took all the time that there is for skills. */
async function* askPlanner(
  run: AgentRun,
  steps: readonly Step[],
  offer: SkillOffer,
): AsyncGenerator<TurnEntry, Plan | null> {
  const { phase, turn } = run;
  const labels = planLabelsFor(turn.prompt.language);
  const left = labels.left(phase.stepsLeft, Math.max(0, Math.round(phase.phaseLeftMs / 1000)));
  const { mayMove } = phase;
  phase.takeStep();
  const controls = controlsFor(turn.prompt.language, mayMove);
  const said = yield* callInTime(run, {
    purpose: 'PLAN',
    steps,
    offer,
    tools: (offered) => toolsOf(run, offered, steps, controls),
    toolChoice: 'required',
    note: mayMove ? left : `${labels.inBackground} ${left}`,
    isShown: false,
  });
  return 'stopped' in said ? null : planOf(said, controls);
}

/** Decides to have the answer written, from all that there is. */
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
  const note = planLabelsFor(run.turn.prompt.language).answerNow;
  const call = { purpose: 'SYNTHESIS', steps, offer, tools: null, note, isShown: true } as const;
  return done(yield* callModel(run, call), usedUp);
}

const decided = (
  action: 'CALL_SKILL' | 'SYNTHESIZE',
  reason: string | null,
  nextSkill: ToolCall['name'] | null = null,
): TurnEntry => ({ type: 'plan-decided', action, nextSkill, reason });
