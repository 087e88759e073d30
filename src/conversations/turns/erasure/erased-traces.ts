import type { ToolCall } from '@palabre/llm-client';
import { isJsonObject, type JsonObject, type JsonValue } from '@palabre/json';

import type { GivenAnswer, McpRequest } from '../turn-event.js';
import type { StoredMessage } from '../model-calls/stored-prompts.js';
import { ERASED, type Eraser, type Place } from './eraser.js';
import { ThreadYield } from './thread-yield.js';

/** The skills by which models read and write memories: everything in their calls is about memories. */
export const MEMORY_SKILLS: readonly string[] = ['remember', 'recall', 'forget_memory'];

/** The texts of a skill call or its input request. */
interface CallTrace {
  id: string;
  skill: string;
  modelCallId: string;
  arguments: JsonObject;
  modelArguments: string;
  preamble: string;
}

export interface SkillCallTrace extends CallTrace {
  result: string | null;
  resultPreview: string | null;
  details: JsonValue | null;
}

export interface InputTrace extends CallTrace {
  reason: string | null;
  comment: string | null;
  request: McpRequest | null;
  answer: GivenAnswer | null;
}

export interface EventTrace {
  sequence: number;
  data: JsonObject;
}

export interface PromptTrace {
  id: string;
  messages: StoredMessage[];
}

/** Everything that a turn stores besides its messages and that may repeat texts to erase. */
export interface Traces {
  calls: SkillCallTrace[];
  inputs: InputTrace[];
  events: EventTrace[];
  prompts: PromptTrace[];
}

function placeOf(skill: unknown): Place {
  return MEMORY_SKILLS.some((key) => key === skill) ? 'memory' : 'elsewhere';
}

/**
 * A turn's rows that contain texts to erase, with these replaced. Unaffected rows are left out. Pauses for others,
 * because hundreds of texts may have to be searched in each row.
 */
export async function erasedTraces(eraser: Eraser, traces: Traces): Promise<Traces> {
  const others = new ThreadYield();
  const calls = await changed(traces.calls, others, (call) => erasedCall(eraser, call));
  const isTold = ({ skill, resultPreview }: SkillCallTrace): boolean =>
    placeOf(skill) === 'memory' || resultPreview === ERASED;
  const told = new Set(calls.filter(isTold).map(({ id }) => id));
  const ofMemory = [...traces.calls, ...traces.inputs].filter(({ skill }) => placeOf(skill) === 'memory');
  const modelCallIds = new Set(ofMemory.map(({ modelCallId }) => modelCallId));
  return {
    calls,
    inputs: await changed(traces.inputs, others, (input) => erasedInput(eraser, input)),
    events: await changed(traces.events, others, (event) => erasedEvent(eraser, event, told)),
    prompts: await changed(traces.prompts, others, (prompt) =>
      erasedPrompt(eraser, prompt, modelCallIds, others),
    ),
  };
}

/** The rows that `erase` changes. Unchanged fields stay identical. */
async function changed<Row extends object>(
  rows: readonly Row[],
  others: ThreadYield,
  erase: (row: Row) => Row | Promise<Row>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (const row of rows) {
    const erased = await erase(row);
    const keys = Object.keys(row) as (keyof Row)[];
    if (keys.some((key) => erased[key] !== row[key])) found.push(erased);
    await others.whenDue();
  }
  return found;
}

function erasedAsked(eraser: Eraser, call: CallTrace): Omit<CallTrace, 'id' | 'skill' | 'modelCallId'> {
  const place = placeOf(call.skill);
  return {
    arguments: eraser.json(call.arguments, place),
    modelArguments: eraser.text(call.modelArguments, place),
    preamble: eraser.text(call.preamble, place),
  };
}

function erasedCall(eraser: Eraser, call: SkillCallTrace): SkillCallTrace {
  const place = placeOf(call.skill);
  const erased = {
    ...call,
    ...erasedAsked(eraser, call),
    result: call.result === null ? null : eraser.text(call.result, place),
    details: eraser.json(call.details, place),
  };
  const preview = call.resultPreview;
  if (preview === null) return erased;
  // A preview may be cut in the middle of a text that is to be erased, where no search would find it.
  const isTold = erased.result !== call.result || (place === 'memory' && erased.arguments !== call.arguments);
  return { ...erased, resultPreview: isTold ? ERASED : eraser.text(preview, place) };
}

function erasedInput(eraser: Eraser, input: InputTrace): InputTrace {
  const place = placeOf(input.skill);
  const { reason, comment, request, answer } = input;
  return {
    ...input,
    ...erasedAsked(eraser, input),
    reason: reason === null ? null : eraser.text(reason, place),
    comment: comment === null ? null : eraser.text(comment, place),
    request: request && eraser.json(request, place),
    answer: answer && eraser.json(answer, place),
  };
}

/** The event has the skill's name, or refers to an input with it. */
function erasedEvent(eraser: Eraser, { sequence, data }: EventTrace, told: ReadonlySet<string>): EventTrace {
  const asked = data['approval'] ?? data['input'];
  const skill = data['skill'] ?? (isJsonObject(asked) ? asked['skill'] : null);
  const erased = eraser.json(data, placeOf(skill));
  const isTold = 'resultPreview' in data && told.has(String(data['callId']));
  return { sequence, data: isTold ? { ...erased, resultPreview: ERASED } : erased };
}

async function erasedPrompt(
  eraser: Eraser,
  { id, messages }: PromptTrace,
  ofMemory: ReadonlySet<string>,
  others: ThreadYield,
): Promise<PromptTrace> {
  const erased: StoredMessage[] = [];
  for (const message of messages) {
    erased.push(erasedMessage(eraser, message, ofMemory));
    await others.whenDue();
  }
  return { id, messages: erased.some((message, index) => message !== messages[index]) ? erased : messages };
}

function erasedMessage(eraser: Eraser, message: StoredMessage, ofMemory: ReadonlySet<string>): StoredMessage {
  // Only a reference: the text itself is a PromptText.
  if ('digest' in message) return message;
  const isOfMemory = message.role === 'tool' && ofMemory.has(message.toolCallId);
  const content = eraser.text(message.content, isOfMemory ? 'memory' : 'elsewhere');
  if (message.role !== 'assistant' || !message.toolCalls)
    return content === message.content ? message : { ...message, content };
  const toolCalls = message.toolCalls.map((call) => erasedToolCall(eraser, call));
  const isSame =
    content === message.content && toolCalls.every((call, index) => call === message.toolCalls?.[index]);
  return isSame ? message : { ...message, content, toolCalls };
}

function erasedToolCall(eraser: Eraser, call: ToolCall): ToolCall {
  const written = eraser.text(call.arguments, placeOf(call.name));
  return written === call.arguments ? call : { ...call, arguments: written };
}
