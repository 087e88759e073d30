import type { ToolCall } from '@palabre/llm-client';

import type {
  AskedFor,
  InputAsked,
  PendingInputKind,
  TurnEntry,
} from '../../../conversations/turns/turn-event.js';
import { wordingIn } from '../../../common/wording/wording.js';
import { parseArguments, shownArguments } from '../../../skills/skill-arguments.js';
import { type GivenInput, InputNeeded } from '../../../skills/skill.js';
import type { AgentRun } from '../agent-run.js';
import type { AnsweredCall, MadeCall } from '../agent-turn.js';
import type { Said, SaidCall } from '../model-call.js';
import type { Step, StepCall } from '../prompt/prompt.js';
import { type CallPermission, CallPermissions } from './call-permission.js';
import { canonicalArguments, IdenticalCalls } from './identical-calls.js';
import { loadedBy } from './loaded-packs.js';
import {
  type CallEnd,
  type CarryOut,
  inputEnd,
  labelsOf,
  ProgressLines,
  skillExecutor,
} from './skill-execution.js';
import { failed } from './skill-outcome.js';

/** Of the arguments of several calls. Checking so many takes some milliseconds. */
const MAX_CHECKED_CHARACTERS = 16 * 1024;

/** A call with the id that events use. */
interface OpenCall {
  callId: string;
  skill: string;
  asked: AskedFor;
  /** Its end without running. Null: it runs. */
  end: CallEnd | null;
  /** A person's answers, with which it continues. */
  given?: GivenInput[];
}

/** The results of a step's calls: ended ones, and inputs that people have to give for the others. */
interface CalledSkills {
  calls: StepCall[];
  inputs: InputAsked[];
}

/** Runs the calls that a model asked for after `steps`, except those that need a person's permission or input. */
export async function* callSkills(
  run: AgentRun,
  said: Pick<Said, 'text' | 'calls' | 'echo'>,
  steps: readonly Step[],
): AsyncGenerator<TurnEntry, CalledSkills> {
  const identical = new IdenticalCalls(steps);
  const open: OpenCall[] = [];
  const inputs: InputAsked[] = [];
  const { skills, thread } = run.ports;
  const rights = new CallPermissions(skills, run.turn, steps);
  const assess = (call: SaidCall): void => {
    const callId = skills.newCallId();
    const asked = askedFor(steps.length, said, call);
    const isNew = identical.isAllowed(call.name, call.arguments);
    const permission = rights.permissionOf(call);
    const { input, approval } = skills.factsOf(call.name);
    const kind = permission === 'ASK' ? 'APPROVAL' : (input?.kind ?? null);
    const end = isNew
      ? (unreadableEnd(run, call) ?? refusedOrFaultyEnd(run, call, permission, kind))
      : failed(labelsOf(run).identical);
    if (end || kind === null) open.push({ callId, skill: call.name, asked, end });
    else {
      inputs.push({
        ...inputFor({ callId, skill: call.name, asked }),
        kind,
        reason: said.text.trim() || null,
        askerMayApprove: approval?.askerMayApprove ?? false,
        timeoutSeconds: input?.timeoutSeconds ?? null,
      });
    }
  };
  for (const { calls, characters } of groupsOf(said.calls))
    await thread.inTurn(characters, () => calls.forEach(assess), run.signal);
  for (const call of open) yield started(run, call);
  const carried = yield* carryOut(run, open);
  return { calls: carried.calls, inputs: [...inputs, ...carried.inputs] };
}

/** The calls in their order, as many together as may be checked without a break. */
function groupsOf(calls: readonly SaidCall[]): { calls: SaidCall[]; characters: number }[] {
  const groups: { calls: SaidCall[]; characters: number }[] = [];
  for (const call of calls) {
    const { length } = call.arguments;
    const last = groups.at(-1);
    if (!last || last.characters + length > MAX_CHECKED_CHARACTERS)
      groups.push({ calls: [call], characters: length });
    else {
      last.calls.push(call);
      last.characters += length;
    }
  }
  return groups;
}

function inputFor({
  callId,
  skill,
  asked,
}: Pick<OpenCall, 'callId' | 'skill' | 'asked'>): Omit<InputAsked, 'kind'> {
  return {
    callId,
    skill,
    arguments: shownArguments(asked.modelArguments),
    asked,
    reason: null,
    askerMayApprove: false,
    request: null,
    timeoutSeconds: null,
  };
}

/** Calls without a recorded end are repeated under the same id if that is safe. Otherwise their outcome is unknown. */
export async function* resumeSteps(
  run: AgentRun,
): AsyncGenerator<TurnEntry, { steps: Step[]; inputs: InputAsked[] }> {
  const { made, answered } = run.turn;
  const told = new Set(made.map(({ callId }) => callId));
  const untold = answered.filter(({ callId }) => !told.has(callId));
  const steps: Step[] = [];
  const calls = [...made, ...untold].toSorted(inOrderOfAsking);
  for (const [step, ofStep] of Map.groupBy(calls, ({ asked }) => asked.step)) {
    // Steps without skill calls are not stored. Empty steps replace them, so that numbers stay.
    while (steps.length < step) steps.push({ text: '', calls: [] });
    const rights = new CallPermissions(run.ports.skills, run.turn, steps);
    const resumed = yield* resumeCalls(run, ofStep, rights);
    if (resumed.inputs.length > 0) return { steps, inputs: resumed.inputs };
    steps.push({
      text: ofStep[0]?.asked.preamble ?? '',
      calls: resumed.calls,
      echo: ofStep[0]?.asked.echo,
    });
  }
  return { steps, inputs: [] };
}

/** Call ids ascend in time. */
function inOrderOfAsking(a: MadeCall | AnsweredCall, b: MadeCall | AnsweredCall): number {
  return a.asked.step - b.asked.step || (a.callId < b.callId ? -1 : 1);
}

async function* resumeCalls(
  run: AgentRun,
  calls: readonly (MadeCall | AnsweredCall)[],
  rights: CallPermissions,
): AsyncGenerator<TurnEntry, CalledSkills> {
  const open = new Map<string, OpenCall>();
  for (const call of calls) {
    if ('answer' in call) {
      const answered = answeredCall(run, call);
      open.set(call.callId, answered);
      yield started(run, answered);
    } else if (call.status === 'RUNNING') open.set(call.callId, callInDoubt(run, call, rights));
  }
  const ended = yield* carryOut(run, [...open.values()]);
  if (ended.inputs.length > 0) return ended;
  const endedById = new Map([...open.keys()].map((callId, index) => [callId, ended.calls[index]]));
  const all = calls.map((call) => {
    const known = 'answer' in call ? null : call.result;
    return endedById.get(call.callId) ?? stepCallOf(call, known);
  });
  return { calls: all, inputs: [] };
}

/** The call with the arguments that the person allowed. The model sees these as its own. */
function answeredCall(run: AgentRun, call: AnsweredCall): OpenCall {
  const { callId, skill, asked, answer } = call;
  if (answer !== 'APPROVED') return { callId, skill, asked, end: inputEnd(run, call) };
  const allowed = JSON.stringify(call.arguments);
  const isEdited = canonicalArguments(allowed) !== canonicalArguments(asked.modelArguments);
  return {
    callId,
    skill,
    asked: isEdited ? { ...asked, modelArguments: allowed } : asked,
    end: null,
  };
}

function callInDoubt(run: AgentRun, { callId, skill, asked }: MadeCall, rights: CallPermissions): OpenCall {
  const { skills } = run.ports;
  const answers = run.turn.answered.filter((one) => one.callId === callId);
  const given = answers.flatMap(givenOf);
  const answer = answers.find(({ kind }) => kind !== 'MCP_INPUT');
  if (answer && answer.answer !== 'APPROVED') return { callId, skill, asked, end: inputEnd(run, answer) };
  const permission = rights.permissionOf({ name: skill, arguments: asked.modelArguments });
  const isAllowed = answer !== undefined || permission === 'RUN';
  const mayRun = given.length > 0 || (isAllowed && skills.factsOf(skill).isRepeatable);
  const end = unreadableEnd(run, { arguments: asked.modelArguments }) ?? (mayRun ? null : unknownEnd(run));
  return { callId, skill, asked, end, given };
}

function givenOf({ request, answer, given }: AnsweredCall): GivenInput[] {
  if (!request) return [];
  const action = answer === 'ANSWERED' ? 'accept' : answer === 'DECLINED' ? 'decline' : 'cancel';
  return [{ request, action, content: given && 'value' in given ? given.value : null }];
}

/** The end of a call that cannot be parsed. Null: it can. */
function unreadableEnd(
  run: AgentRun,
  { arguments: text, isCut }: Omit<SaidCall, 'id' | 'name'>,
): CallEnd | null {
  if (isCut) return failed(labelsOf(run).cutArguments);
  return parseArguments(text) === null ? failed(labelsOf(run).brokenArguments) : null;
}

/** The end of a refused or faulty call, so that nobody is asked in vain. The model can correct its arguments. */
function refusedOrFaultyEnd(
  run: AgentRun,
  { name, arguments: text }: ToolCall,
  permission: CallPermission,
  kind: PendingInputKind | null,
): CallEnd | null {
  if (permission === 'REFUSE') return failed(labelsOf(run).refused);
  const fault = kind !== null ? run.ports.skills.faultIn(name, text) : null;
  const { badArguments } = wordingIn(run.turn.prompt.language).skillRefusals;
  return fault === null ? null : { ...failed(fault), preview: badArguments };
}

/** The progress of an interrupted call is unknown. */
function unknownEnd({ turn }: AgentRun): CallEnd {
  const { unknownOutcome } = wordingIn(turn.prompt.language).prompt;
  return { status: 'UNKNOWN', result: null, preview: unknownOutcome };
}

function started({ usage }: AgentRun, { callId, skill, asked }: OpenCall): TurnEntry {
  usage.skillCalls += 1;
  const shown = shownArguments(asked.modelArguments);
  return { type: 'skill-started', callId, skill, arguments: shown, asked, usage: { ...usage } };
}

/** Runs the calls concurrently. Ends are yielded in order of asking. */
async function* carryOut(run: AgentRun, open: readonly OpenCall[]): AsyncGenerator<TurnEntry, CalledSkills> {
  const inputs: InputAsked[] = [];
  if (open.length === 0) return { calls: [], inputs };
  const time = skillExecutor(run);
  const progress = new ProgressLines();
  const ends = open.map((call) => endOf(run, call, time.carryOut, progress));
  const finished: StepCall[] = [];
  let brokenOff: BrokenOff | null = null;
  try {
    for (const end of ends) {
      for await (const detail of progress.until(end))
        yield { type: 'status-changed', status: run.phase.status, detail };
      const ended = await end;
      if ('reason' in ended) {
        if (ended.reason instanceof InputNeeded) inputs.push(...inputsNeeded(ended.call, ended.reason));
        else brokenOff ??= ended;
        continue;
      }
      const loaded = loadedBy({ name: ended.entry.skill, result: ended.entry.result });
      if (loaded) yield { type: 'skill-loaded', skill: loaded.key };
      yield ended.entry;
      finished.push(stepCallOf(ended.call, ended.entry.result));
    }
  } finally {
    time.release();
  }
  // Rethrown after all ended, so that no call is left running and no known result is lost to the next run.
  if (brokenOff) throw brokenOff.reason;
  return { calls: finished, inputs };
}

function inputsNeeded(call: OpenCall, { requests, timeoutSeconds }: InputNeeded): InputAsked[] {
  const input = { ...inputFor(call), timeoutSeconds };
  return requests.map((request) => ({ ...input, kind: 'MCP_INPUT', request }));
}

interface BrokenOff {
  call: OpenCall;
  reason: unknown;
}

/** Never rejects, because the result is awaited only after earlier ones. */
async function endOf(
  { ports }: AgentRun,
  call: OpenCall,
  carry: CarryOut,
  progress: ProgressLines,
): Promise<{ call: OpenCall; entry: Extract<TurnEntry, { type: 'skill-finished' }> } | BrokenOff> {
  const startedMs = ports.clock.now().getTime();
  const { callId, skill, asked, given } = call;
  const request = { callId, key: skill, arguments: asked.modelArguments, ...(given?.length && { given }) };
  const told = progress.ofCall();
  try {
    const { status, preview, result, details } = call.end ?? (await carry(request, told.tell));
    const durationMs = ports.clock.now().getTime() - startedMs;
    return {
      call,
      entry: {
        type: 'skill-finished',
        callId,
        skill,
        callStatus: status,
        resultPreview: preview,
        durationMs,
        result,
        ...(details === undefined ? {} : { details }),
      },
    };
  } catch (error) {
    return { call, reason: error };
  } finally {
    told.end();
  }
}

function askedFor(step: number, { text, echo }: Pick<Said, 'text' | 'echo'>, call: ToolCall): AskedFor {
  return {
    step,
    preamble: text,
    modelCallId: call.id,
    modelArguments: call.arguments,
    ...(echo && { echo }),
  };
}

function stepCallOf({ skill, asked }: Pick<OpenCall, 'skill' | 'asked'>, result: string | null): StepCall {
  return { id: asked.modelCallId, name: skill, arguments: asked.modelArguments, result };
}
