import type { ToolCall } from '../../llm/chat-model.js';
import type { TurnEntry, Usage } from '../../turns/turn-event.js';
import type { AgentPorts, SkillOutcome } from './agent-ports.js';
import type { MadeCall } from './agent-turn.js';
import type { Step, StepCall } from './prompt.js';
import { labelsFor } from './prompt-labels.js';

/** A call that is being carried out, under the id that the events tell. */
interface OpenCall extends ToolCall {
  callId: string;
}

type Outcome = Omit<SkillOutcome, 'status' | 'result'> & {
  status: SkillOutcome['status'] | 'UNKNOWN';
  result: string | null;
};

/** Carries out what a model asked for in step number `step`, having said `text`. */
export async function* callSkills(
  ports: AgentPorts,
  { step, text, calls }: { step: number; text: string; calls: readonly ToolCall[] },
  usage: Usage,
  signal: AbortSignal,
): AsyncGenerator<TurnEntry, StepCall[]> {
  const open = calls.map((call): OpenCall => ({ ...call, callId: ports.skills.newCallId() }));
  for (const call of open) {
    usage.skillCalls += 1;
    yield {
      type: 'skill-started',
      callId: call.callId,
      skill: call.name,
      arguments: ports.skills.read(call.arguments),
      asked: { step, preamble: text, modelCallId: call.id, modelArguments: call.arguments },
      usage: { ...usage },
    };
  }
  return yield* carryOut(ports, open, (call) => runOf(ports, call, signal));
}

/**
 * The steps that an earlier owner of the turn took. Calls whose end it never told are in doubt: those that may be
 * repeated are, under the same id; of the others the model is told that nobody knows what became of them.
 */
export async function* resumeSteps(
  ports: AgentPorts,
  made: readonly MadeCall[],
  language: string,
  signal: AbortSignal,
): AsyncGenerator<TurnEntry, Step[]> {
  const steps: Step[] = [];
  for (const calls of Map.groupBy(made, ({ asked }) => asked.step).values()) {
    const inDoubt = calls.filter(({ status }) => status === 'RUNNING');
    const settled = yield* settle(ports, inDoubt, language, signal);
    steps.push({
      text: calls[0]?.asked.preamble ?? '',
      calls: calls.map((call) => settled.get(call.callId) ?? stepCallOf(openOf(call), call.result)),
    });
  }
  return steps;
}

async function* settle(
  ports: AgentPorts,
  inDoubt: readonly MadeCall[],
  language: string,
  signal: AbortSignal,
): AsyncGenerator<TurnEntry, Map<string, StepCall>> {
  const unknown: Outcome = { status: 'UNKNOWN', result: null, preview: labelsFor(language).unknownOutcome };
  const calls = yield* carryOut(ports, inDoubt.map(openOf), (call) =>
    ports.skills.isRepeatable(call.name) ? runOf(ports, call, signal) : Promise.resolve(unknown),
  );
  return new Map(calls.map((call, index) => [inDoubt[index]?.callId ?? '', call]));
}

/**
 * Carries out calls at the same time. Their ends are told, and their results kept, in the order of asking: each as soon
 * as those before it have ended.
 */
async function* carryOut(
  ports: AgentPorts,
  open: readonly OpenCall[],
  run: (call: OpenCall) => Promise<Outcome>,
): AsyncGenerator<TurnEntry, StepCall[]> {
  const ends = open.map((call) => endOf(ports, call, run));
  const finished: StepCall[] = [];
  let brokenOff: BrokenOff | null = null;
  for (const end of ends) {
    const ended = await end;
    if ('reason' in ended) {
      brokenOff ??= ended;
      continue;
    }
    const { call, outcome, durationMs } = ended;
    const { status: callStatus, preview: resultPreview, result } = outcome;
    const { callId, name: skill } = call;
    yield { type: 'skill-finished', callId, skill, callStatus, resultPreview, durationMs, result };
    finished.push(stepCallOf(call, result));
  }
  // Not before all have ended: none is left running, and what is known of one is not in doubt for the next owner.
  if (brokenOff) throw brokenOff.reason;
  return finished;
}

interface Ended {
  call: OpenCall;
  outcome: Outcome;
  durationMs: number;
}

interface BrokenOff {
  reason: unknown;
}

/** Never rejects: an end is looked at when those before it have been told. */
const endOf = async (
  ports: AgentPorts,
  call: OpenCall,
  run: (call: OpenCall) => Promise<Outcome>,
): Promise<Ended | BrokenOff> => {
  const startedMs = ports.now();
  try {
    const outcome = await run(call);
    return { call, outcome, durationMs: Math.round(ports.now() - startedMs) };
  } catch (error) {
    return { reason: error };
  }
};

const runOf = (ports: AgentPorts, call: OpenCall, signal: AbortSignal): Promise<SkillOutcome> =>
  ports.skills.call({ callId: call.callId, key: call.name, arguments: call.arguments }, signal);

const openOf = ({ callId, skill, asked }: MadeCall): OpenCall => ({
  callId,
  id: asked.modelCallId,
  name: skill,
  arguments: asked.modelArguments,
});

const stepCallOf = ({ id, name, arguments: text }: OpenCall, result: string | null): StepCall => ({
  id,
  name,
  arguments: text,
  result,
});
