import { isJsonObject } from '../../common/json.js';
import type { ToolCall } from '../../llm/chat-model.js';
import type { StoredMessage } from '../model-calls/stored-messages.js';
import { ERASED, type Eraser, type Place } from './eraser.js';
import {
  type ApprovalTrace,
  type CallTrace,
  type EventTrace,
  MEMORY_SKILLS,
  type PromptTrace,
  type SkillCallTrace,
  type Traces,
} from './traces.js';

const placeOf = (skill: unknown): Place =>
  MEMORY_SKILLS.some((key) => key === skill) ? 'memory' : 'elsewhere';

/** Those of a turn's rows that hold what is to be erased, without it. */
export const erasedTraces = (eraser: Eraser, traces: Traces): Traces => {
  const calls = changed(traces.calls, (call) => erasedCall(eraser, call));
  const told = new Set(calls.filter(({ skill }) => placeOf(skill) === 'memory').map(({ id }) => id));
  const ofMemory = [...traces.calls, ...traces.approvals].filter(({ skill }) => placeOf(skill) === 'memory');
  const modelCallIds = new Set(ofMemory.map(({ modelCallId }) => modelCallId));
  return {
    calls,
    approvals: changed(traces.approvals, (approval) => erasedApproval(eraser, approval)),
    events: changed(traces.events, (event) => erasedEvent(eraser, event, told)),
    prompts: changed(traces.prompts, (prompt) => erasedPrompt(eraser, prompt, modelCallIds)),
  };
};

/** What is left as it was is the same object. */
const changed = <Row extends object>(rows: readonly Row[], erase: (row: Row) => Row): Row[] =>
  rows.flatMap((row) => {
    const erased = erase(row);
    const keys = Object.keys(row) as (keyof Row)[];
    return keys.every((key) => erased[key] === row[key]) ? [] : [erased];
  });

const erasedAsked = (eraser: Eraser, call: CallTrace): Omit<CallTrace, 'id' | 'skill' | 'modelCallId'> => {
  const place = placeOf(call.skill);
  return {
    arguments: eraser.json(call.arguments, place),
    modelArguments: eraser.text(call.modelArguments, place),
    preamble: eraser.text(call.preamble, place),
  };
};

const erasedCall = (eraser: Eraser, call: SkillCallTrace): SkillCallTrace => {
  const place = placeOf(call.skill);
  const erased = {
    ...call,
    ...erasedAsked(eraser, call),
    result: call.result === null ? null : eraser.text(call.result, place),
    details: eraser.json(call.details, place),
  };
  const preview = call.resultPreview;
  if (preview === null) return erased;
  // A preview may break off in the middle of what is to be erased, where nothing would find it.
  const isTold = place === 'memory' && (erased.result !== call.result || erased.arguments !== call.arguments);
  return { ...erased, resultPreview: isTold ? ERASED : eraser.text(preview, place) };
};

const erasedApproval = (eraser: Eraser, approval: ApprovalTrace): ApprovalTrace => {
  const place = placeOf(approval.skill);
  const { reason, comment } = approval;
  return {
    ...approval,
    ...erasedAsked(eraser, approval),
    reason: reason === null ? null : eraser.text(reason, place),
    comment: comment === null ? null : eraser.text(comment, place),
  };
};

/** An event of a skill says which, or its approval does. */
const erasedEvent = (
  eraser: Eraser,
  { sequence, data }: EventTrace,
  told: ReadonlySet<string>,
): EventTrace => {
  const { approval } = data;
  const skill = data['skill'] ?? (isJsonObject(approval) ? approval['skill'] : null);
  const erased = eraser.json(data, placeOf(skill));
  const isTold = 'resultPreview' in data && told.has(String(data['callId']));
  return { sequence, data: isTold ? { ...erased, resultPreview: ERASED } : erased };
};

const erasedPrompt = (
  eraser: Eraser,
  { id, messages }: PromptTrace,
  ofMemory: ReadonlySet<string>,
): PromptTrace => {
  const erased = messages.map((message) => erasedMessage(eraser, message, ofMemory));
  return { id, messages: erased.some((message, index) => message !== messages[index]) ? erased : messages };
};

const erasedMessage = (
  eraser: Eraser,
  message: StoredMessage,
  ofMemory: ReadonlySet<string>,
): StoredMessage => {
  // Its text is kept elsewhere.
  if ('digest' in message) return message;
  const isOfMemory = message.role === 'tool' && ofMemory.has(message.toolCallId);
  const content = eraser.text(message.content, isOfMemory ? 'memory' : 'elsewhere');
  if (message.role !== 'assistant' || !message.toolCalls) {
    return content === message.content ? message : { ...message, content };
  }
  const toolCalls = message.toolCalls.map((call) => erasedToolCall(eraser, call));
  const isSame =
    content === message.content && toolCalls.every((call, index) => call === message.toolCalls?.[index]);
  return isSame ? message : { ...message, content, toolCalls };
};

const erasedToolCall = (eraser: Eraser, call: ToolCall): ToolCall => {
  const written = eraser.text(call.arguments, placeOf(call.name));
  return written === call.arguments ? call : { ...call, arguments: written };
};
