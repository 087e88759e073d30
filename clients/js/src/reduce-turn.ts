import type { SkillCallStatus, TurnStatus } from './generated/graphql.js';
import type { InputStatus, TurnEvent, TurnEventOf, TurnInput } from './turn-event.js';

/** What was done on the way to the answer. */
export type TurnStep =
  | {
      readonly kind: 'skill';
      readonly callId: string;
      readonly skill: string;
      readonly arguments: unknown;
      readonly status: SkillCallStatus;
      /** The beginning of the result; null while it runs. */
      readonly resultPreview: string | null;
      readonly durationMs: number | null;
    }
  | {
      readonly kind: 'plan';
      readonly action: TurnEventOf<'PlanDecided'>['action'];
      readonly skill: string | null;
      readonly reason: string | null;
    }
  /** Instructions were put into the prompt. */
  | { readonly kind: 'loaded'; readonly skill: string }
  /** What led up to a skill call and is not part of the answer: text, and what the model thought. */
  | { readonly kind: 'preamble'; readonly text: string; readonly reasoning: string }
  | { readonly kind: 'background'; readonly message: string; readonly reason: string | null };

/** How a turn ended. */
export type TurnEnd = Readonly<
  Pick<TurnEventOf<'TurnDone'>, 'status' | 'finishReason' | 'messageId' | 'usage' | 'error' | 'at'>
>;

/** What a screen shows of a turn. */
export interface TurnState {
  /** That of the last event that is in here: what to follow the turn `after`. */
  readonly sequence: number;
  readonly status: TurnStatus | 'WAITING_FOR_INPUT';
  /** More about the status, such as RETRYING; null: there is no more. */
  readonly detail: string | null;
  /** The answer so far; at the end the stored one. */
  readonly text: string;
  /** What the model thought before the answer, where the assistant shows it. */
  readonly reasoning: string;
  readonly steps: readonly TurnStep[];
  readonly sources: TurnEventOf<'SourcesFound'>['sources'];
  /** All that was asked of people; those that wait are PENDING. */
  readonly inputs: readonly TurnInput[];
  /** null until it has ended. */
  readonly end: TurnEnd | null;
}

export const initialTurn: TurnState = {
  sequence: 0,
  status: 'QUEUED',
  detail: null,
  text: '',
  reasoning: '',
  steps: [],
  sources: [],
  inputs: [],
  end: null,
};

/**
 * The state after one more event. Pure: the same events give the same state, however often each comes and wherever the
 * stream was cut and resumed. An event that is in the state already changes nothing, and neither does one of a kind that
 * this version does not know, except that it has been seen.
 */
export function reduceTurn(state: TurnState, event: TurnEvent): TurnState {
  if (event.sequence <= state.sequence) return state;
  return { ...state, ...changeBy(state, event), sequence: event.sequence };
}

function changeBy(state: TurnState, event: TurnEvent): Partial<TurnState> {
  switch (event.__typename) {
    case 'StatusChanged':
      return statusChanged(state, event);
    case 'TextDelta':
      return { text: state.text + event.text };
    case 'TextReset':
      return textReset(state, event.cause);
    case 'ReasoningDelta':
      return { reasoning: state.reasoning + event.text };
    case 'PlanDecided': {
      const { action, nextSkill: skill, reason } = event;
      return { steps: [...state.steps, { kind: 'plan', action, skill, reason }] };
    }
    case 'SkillStarted': {
      const { callId, skill, arguments: given } = event;
      const status = 'RUNNING';
      return withCall(state, {
        callId,
        skill,
        arguments: given,
        status,
        resultPreview: null,
        durationMs: null,
      });
    }
    case 'SkillFinished': {
      const { callId, skill, callStatus: status, resultPreview, durationMs } = event;
      return withCall(state, { callId, skill, status, resultPreview, durationMs });
    }
    case 'SkillLoaded':
      return { steps: [...state.steps, { kind: 'loaded', skill: event.skill }] };
    case 'SourcesFound':
      return { sources: event.sources };
    case 'ApprovalRequested':
      return { inputs: [...state.inputs, { ...event.approval, kind: 'APPROVAL' }] };
    case 'InputRequested':
      return { inputs: [...state.inputs, inputOf(event)] };
    case 'InputResolved':
      return { inputs: resolved(state.inputs, event) };
    case 'MovedToBackground': {
      const { message, reason } = event;
      return { steps: [...state.steps, { kind: 'background', message, reason }] };
    }
    case 'TurnDone':
      return turnDone(state, event);
    default:
      return {};
  }
}

function isWaiting(status: string): boolean {
  return status.startsWith('WAITING_');
}

function statusChanged(
  { status: before, inputs }: TurnState,
  { status, detail }: TurnEventOf<'StatusChanged'>,
): Partial<TurnState> {
  if (!isWaiting(before) || isWaiting(status)) return { status, detail };
  // The turn goes on, so nothing is waited for. Of several, the detail is about the last one.
  const waiting = inputs.filter((input) => input.status === 'PENDING').length;
  const answers: readonly (string | null)[] = ['APPROVED', 'DENIED', 'EXPIRED'];
  const answer = waiting === 1 && answers.includes(detail) ? (detail as InputStatus) : 'ANSWERED';
  return { status, detail, inputs: settled(inputs, answer) };
}

function textReset({ text, reasoning, steps }: TurnState, cause: string): Partial<TurnState> {
  const begunAnew = { text: '', reasoning: '' };
  if (cause !== 'PREAMBLE' || (text + reasoning).trim() === '') return begunAnew;
  return { ...begunAnew, steps: [...steps, { kind: 'preamble', text, reasoning }] };
}

type SkillStep = Extract<TurnStep, { kind: 'skill' }>;

/** A call that is run again, by whoever took the turn over, is the same step. */
function withCall(
  { steps }: TurnState,
  call: Omit<SkillStep, 'kind' | 'arguments'> & { arguments?: unknown },
): Partial<TurnState> {
  const isOfCall = (step: TurnStep): boolean => step.kind === 'skill' && step.callId === call.callId;
  const blank = { kind: 'skill', arguments: null } as const;
  if (!steps.some(isOfCall)) return { steps: [...steps, { ...blank, ...call }] };
  return { steps: steps.map((step) => (isOfCall(step) ? { ...blank, ...step, ...call } : step)) };
}

/** What the event asks for, as its `kind` says. */
export function inputOf({ input }: TurnEventOf<'InputRequested'>): TurnInput {
  return ('schema' in input ? { ...input, responseSchema: input.schema } : input) as TurnInput;
}

/** Where nothing else tells how they were answered. */
function settled(inputs: readonly TurnInput[], status: InputStatus): readonly TurnInput[] {
  return inputs.map((input) => (input.status === 'PENDING' ? { ...input, status } : input));
}

function resolved(
  inputs: readonly TurnInput[],
  { inputId, inputStatus: status }: TurnEventOf<'InputResolved'>,
): readonly TurnInput[] {
  return inputs.map((input) => (input.id === inputId ? { ...input, status } : input));
}

function turnDone(
  { steps, inputs }: TurnState,
  { status, finishReason, messageId, usage, error, at }: TurnEventOf<'TurnDone'>,
): Partial<TurnState> {
  return {
    status,
    detail: null,
    end: { status, finishReason, messageId, usage, error, at },
    inputs: settled(inputs, 'CANCELLED'),
    steps: steps.map((step) =>
      step.kind === 'skill' && step.status === 'RUNNING' ? { ...step, status: 'UNKNOWN' } : step,
    ),
  };
}
