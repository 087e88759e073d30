import type { ToolSpec } from '@palabre/llm-client';

import { fill, wordingIn } from '../../common/wording/wording.js';
import type { ModelCallPurpose, TurnEntry } from '../../conversations/turns/turn-event.js';
import type { SkillOffer } from './agent-ports.js';
import { type AgentRun, beginRun, nextOffer, toolsForCall } from './agent-run.js';
import type { AgentLoop, AgentResult } from './agent-turn.js';
import { callModel, type ModelCall, type Said } from './model-call.js';
import type { Step } from './prompt/prompt.js';
import { callSkills, resumeSteps } from './skills/skill-calls.js';
import { callModelBeforeDeadline } from './call-deadline.js';
import { faultInAnswer } from './structured-answer.js';

/** A turn that was interrupted continues after its last completed step. */
export const reactive: AgentLoop = async function* (ports, turn, usage, signal) {
  const run = beginRun(ports, turn, usage, signal);
  const { steps, inputs } = yield* resumeSteps(run);
  return inputs.length > 0 ? { type: 'waiting', inputs } : yield* answer(run, steps);
};

/** Withdraws text before a skill call. When steps or time are used up, the model answers without skills. */
export async function* answer(
  run: AgentRun,
  before: readonly Step[],
): AsyncGenerator<TurnEntry, AgentResult> {
  const steps = [...before];
  for (;;) {
    const offer = await nextOffer(run);
    const usedUp = usedUpBy(run, steps);
    if (usedUp) return yield* lastAnswer(run, steps, offer, usedUp);
    const tools = (offered: SkillOffer) => toolsForCall(run, offered, steps);
    const call: ModelCall = { purpose: 'ANSWER', steps, offer, tools, isShown: true };
    const said = yield* callModelBeforeDeadline(run, call);
    if ('stopped' in said) {
      const answered = lastAnswer(run, steps, offer, 'MAX_SECONDS');
      return yield* said.hasShown ? withdrawingShownText(answered) : answered;
    }
    if (said.calls.length === 0) return yield* concluded(run, call, said, null);
    if (said.text !== '' || said.reasoning !== '') yield { type: 'text-reset', cause: 'PREAMBLE' };
    if (run.phase.skillsLeftMs <= 0) continue;
    const { calls, inputs } = yield* callSkills(run, said, steps);
    if (inputs.length > 0) return { type: 'waiting', inputs };
    steps.push({ text: said.text, calls, echo: said.echo });
  }
}

/** The used-up part of the budget, which ends the use of skills. */
export type UsedUp = 'MAX_STEPS' | 'MAX_SECONDS';

function usedUpBy({ phase, turn }: AgentRun, steps: readonly Step[]): UsedUp | null {
  if (phase.skillsLeftMs <= 0) return 'MAX_SECONDS';
  return steps.length >= turn.budget.maxSteps ? 'MAX_STEPS' : null;
}

/** An answer from what there is, without skills. `besides`: earlier calls' tools that are not skills. */
export async function* lastAnswer(
  run: AgentRun,
  steps: readonly Step[],
  offer: SkillOffer,
  usedUp: UsedUp | null,
  { purpose = 'ANSWER', besides = [] }: { purpose?: ModelCallPurpose; besides?: readonly ToolSpec[] } = {},
): AsyncGenerator<TurnEntry, AgentResult> {
  const note = wordingIn(run.turn.prompt.language).plan.answerNow;
  const keptTools = (offered: SkillOffer): ToolSpec[] => toolsForCall(run, offered, steps, besides);
  const call: ModelCall = { purpose, steps, offer, tools: null, keptTools, note, isShown: true };
  return yield* concluded(run, call, yield* callModel(run, call), usedUp);
}

/** Keeps shown text if the second answer fails: half an answer is better than none. Reasoning waits for new text. */
async function* withdrawingShownText<Result>(
  entries: AsyncGenerator<TurnEntry, Result>,
): AsyncGenerator<TurnEntry, Result> {
  let reasoning = '';
  for (;;) {
    const next = await entries.next();
    if (next.done) return next.value;
    const entry = next.value;
    if (entry.type === 'reasoning-delta') reasoning += entry.text;
    else if (entry.type === 'text-reset') reasoning = '';
    else if (entry.type !== 'text-delta') yield entry;
    else {
      yield { type: 'text-reset', cause: 'RETRIED' };
      if (reasoning !== '') yield { type: 'reasoning-delta', text: reasoning };
      yield entry;
      return yield* entries;
    }
  }
}

/** The model hears once what does not fit, and answers again. The one who stores the answer checks that one. */
async function* concluded(
  run: AgentRun,
  call: ModelCall,
  said: Said,
  usedUp: UsedUp | null,
): AsyncGenerator<TurnEntry, AgentResult> {
  const { answerSchema, prompt } = run.turn;
  const fault = answerSchema && faultInAnswer(said.text, answerSchema);
  if (fault === null) return done(said, usedUp);
  const repair: ModelCall = {
    ...call,
    steps: [...call.steps, { text: said.text, calls: [] }],
    tools: null,
    keptTools: call.keptTools ?? call.tools ?? (() => []),
    note: fill(wordingIn(prompt.language).plan.answerMisfits, { faults: fault }),
    tellsSchema: true,
  };
  return done(yield* withdrawingShownText(callModel(run, repair)), usedUp);
}

function done({ reason }: Said, usedUp: UsedUp | null): AgentResult {
  return {
    type: 'done',
    finishReason: usedUp ?? (reason === 'length' ? 'MAX_TOKENS' : 'ANSWERED'),
    citations: [],
  };
}
