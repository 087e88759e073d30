import type { JsonObject } from '@palabre/json';

import type { Citation } from '../../conversations/message.repository.js';
import {
  isWaiting,
  noUsage,
  type ShownInput,
  type TurnEvent,
  type TurnEventBody,
} from '../../conversations/turns/turn-event.js';
import { prefixed } from './openai-ids.js';
import {
  errorObject,
  type OutputItem,
  type ResponseFacts,
  responseObject,
  type ResponseState,
  usageObject,
} from './response-object.js';

/** An event of a response's stream, numbered from 0. */
export type ResponseEvent = JsonObject & { type: string; sequence_number: number };

/** Text or reasoning in progress. */
interface OpenItem {
  kind: 'message' | 'reasoning';
  index: number;
  id: string;
  text: string;
}

/** The outcome of a text: it stays, is cut off, or is withdrawn before a skill call or because the step runs again. */
type Fate = 'ANSWER' | 'CUT' | 'PREAMBLE' | 'RETRIED';

type Body<Type extends TurnEventBody['type']> = Extract<TurnEvent, { type: Type }>;

/**
 * Maps a turn's events to those of a response, and uses nothing else, so that replays have the same events and
 * numbers. A response ends with its turn, or where that waits for somebody.
 */
export class ResponseMapper {
  private sequence = 0;
  private readonly output: OutputItem[] = [];
  private open: OpenItem | null = null;
  /** Indexes of the messages since the last withdrawal. */
  private standing: number[] = [];
  /** Indexes of running skill calls, by id. */
  private readonly calls = new Map<string, number>();
  private sources: readonly Citation[] = [];
  private frames: ResponseEvent[] = [];
  private state: Omit<ResponseState, 'output'> = {
    status: 'in_progress',
    usage: null,
    error: null,
    incomplete: null,
    completedAt: null,
  };

  constructor(private readonly facts: ResponseFacts) {}

  get isOver(): boolean {
    return this.state.status !== 'in_progress';
  }

  get response(): JsonObject {
    return responseObject(this.facts, { ...this.state, output: this.output });
  }

  begin(): ResponseEvent[] {
    this.emit('response.created', { response: this.response });
    this.emit('response.in_progress', { response: this.response });
    return this.drain();
  }

  /** Ends the response where its turn stops, or before there is a turn. */
  stop(at: Date): ResponseEvent[] {
    this.wait(at);
    return this.drain();
  }

  /** `reasoningTokens`: of the turn's model calls, for TurnDone. */
  take(event: TurnEvent, reasoningTokens = 0): ResponseEvent[] {
    switch (event.type) {
      case 'text-delta':
        this.say('message', event.text);
        break;
      case 'reasoning-delta':
        this.say('reasoning', event.text);
        break;
      case 'text-reset':
        this.withdraw(event.cause);
        break;
      case 'sources-found':
        this.sources = event.sources;
        break;
      case 'skill-started':
        this.startCall(event);
        break;
      case 'skill-finished':
        this.finishCall(event);
        break;
      case 'approval-requested':
        this.ask(event.approval);
        break;
      case 'input-requested':
        this.ask(event.input);
        break;
      case 'status-changed':
        if (isWaiting(event.status)) this.wait(event.at);
        break;
      case 'turn-done':
        this.finish(event, reasoningTokens);
        break;
      // Plans, loaded skills and the background have no counterpart. Answered inputs continue in the next response.
      case 'plan-decided':
      case 'skill-loaded':
      case 'moved-to-background':
      case 'input-resolved':
        break;
      default:
        event satisfies never;
    }
    return this.drain();
  }

  private say(kind: OpenItem['kind'], delta: string): void {
    if (delta === '') return;
    if (this.open?.kind !== kind) this.close('ANSWER');
    const open = (this.open ??= this.begun(kind));
    open.text += delta;
    if (kind === 'message')
      this.emit('response.output_text.delta', { ...this.place(open), delta, logprobs: [] });
    else this.emit('response.reasoning_summary_text.delta', { ...this.place(open), delta });
  }

  private begun(kind: OpenItem['kind']): OpenItem {
    const index = this.output.length;
    const id = this.newId(kind === 'message' ? 'msg' : 'rs');
    const item: OutputItem =
      kind === 'message'
        ? { type: 'message', id, status: 'in_progress', role: 'assistant', content: [] }
        : { type: 'reasoning', id, summary: [] };
    this.add(item);
    const open = { kind, index, id, text: '' };
    if (kind === 'message') {
      this.standing.push(index);
      this.emit('response.content_part.added', { ...this.place(open), part: outputText('', []) });
    } else {
      this.emit('response.reasoning_summary_part.added', { ...this.place(open), part: summaryText('') });
    }
    return open;
  }

  private close(fate: Fate): void {
    const { open } = this;
    if (!open) return;
    this.open = null;
    const { index, id, text } = open;
    const place = this.place(open);
    if (open.kind === 'reasoning') {
      this.emit('response.reasoning_summary_text.done', { ...place, text });
      this.emit('response.reasoning_summary_part.done', { ...place, part: summaryText(text) });
      return this.done(index, { type: 'reasoning', id, summary: [summaryText(text)] });
    }
    const annotations = isWithdrawn(fate) ? [] : annotationsOf(text, this.sources);
    for (const [annotation_index, annotation] of annotations.entries())
      this.emit('response.output_text.annotation.added', { ...place, annotation_index, annotation });
    this.emit('response.output_text.done', { ...place, text, logprobs: [] });
    this.emit('response.content_part.done', { ...place, part: outputText(text, annotations) });
    this.done(index, messageItem(id, fate, isWithdrawn(fate) ? [] : [outputText(text, annotations)]));
  }

  /** Withdrawn text is removed from the response, so that its text is the answer. */
  private withdraw(cause: 'PREAMBLE' | 'RETRIED'): void {
    this.close(cause);
    for (const index of this.standing) {
      const { id = '' } = this.output[index] ?? {};
      this.output[index] = messageItem(id, cause, []);
    }
    this.standing = [];
  }

  private startCall({ callId, skill, arguments: given }: Body<'skill-started'>): void {
    // The client knows the call already, because it carries it out.
    if (this.facts.clientSkills.some(({ key }) => key === skill)) return;
    this.close('CUT');
    this.calls.set(callId, this.output.length);
    const item = { server_label: OURS, name: skill, arguments: JSON.stringify(given) };
    const id = prefixed('mcp', callId);
    this.add({ type: 'mcp_call', id, status: 'in_progress', ...item, output: null, error: null });
  }

  private finishCall({ callId, callStatus, resultPreview, durationMs }: Body<'skill-finished'>): void {
    const index = this.calls.get(callId);
    const item = index === undefined ? undefined : this.output[index];
    if (index === undefined || !item) return;
    this.calls.delete(callId);
    const isGood = callStatus === 'SUCCEEDED';
    const result = { output: isGood ? resultPreview : null, error: isGood ? null : resultPreview };
    const status = isGood ? 'completed' : 'failed';
    this.done(index, { ...item, ...result, status, duration_ms: durationMs });
  }

  private ask(input: ShownInput): void {
    this.close('CUT');
    const index = this.output.length;
    const call = functionCallOf(input);
    if (!call) return this.askLeave(input.id, approvalOf(input));
    const { name, given } = call;
    const id = prefixed('fc', input.id);
    const item = { type: 'function_call', id, call_id: prefixed('call', input.id), name };
    const place = { item_id: id, output_index: index };
    this.add({ ...item, arguments: '', status: 'in_progress' });
    this.emit('response.function_call_arguments.delta', { ...place, delta: given });
    this.emit('response.function_call_arguments.done', { ...place, name, arguments: given });
    this.done(index, { ...item, arguments: given, status: 'completed' });
  }

  private askLeave(inputId: string, asked: JsonObject): void {
    const item = { type: 'mcp_approval_request', id: prefixed('apr', inputId), ...asked };
    this.add(item);
    this.done(this.output.length - 1, item);
  }

  /** Only the turn's last response has the usage, because it is unknown before. */
  private wait(at: Date): void {
    this.close('CUT');
    this.end('response.completed', {
      status: 'completed',
      usage: usageObject(noUsage, 0),
      completedAt: at,
    });
  }

  private finish(event: Body<'turn-done'>, reasoningTokens: number): void {
    const { status, finishReason, error, at } = event;
    const isWhole = status === 'COMPLETED' && finishReason !== 'MAX_TOKENS';
    this.close(isWhole ? 'ANSWER' : 'CUT');
    const usage = usageObject(event.usage, reasoningTokens);
    if (status === 'FAILED')
      return this.end('response.failed', {
        status: 'failed',
        usage,
        error: errorObject(error, this.facts.language),
      });
    if (isWhole) return this.end('response.completed', { status: 'completed', usage, completedAt: at });
    // There is no event for a cancelled response.
    const [ended, incomplete] =
      status === 'CANCELLED'
        ? (['cancelled', 'cancelled'] as const)
        : (['incomplete', 'max_output_tokens'] as const);
    this.end('response.incomplete', { status: ended, usage, incomplete });
  }

  private end(type: string, state: Partial<ResponseState>): void {
    for (const index of this.calls.values()) {
      const item = this.output[index];
      if (item) this.done(index, { ...item, status: 'incomplete' });
    }
    this.state = { ...this.state, ...state };
    this.emit(type, { response: this.response });
  }

  private add(item: OutputItem): void {
    this.output.push(item);
    this.emit('response.output_item.added', { output_index: this.output.length - 1, item });
  }

  private done(index: number, item: OutputItem): void {
    this.output[index] = item;
    this.emit('response.output_item.done', { output_index: index, item });
  }

  private place({ kind, index, id }: OpenItem): JsonObject {
    const part = kind === 'message' ? 'content_index' : 'summary_index';
    return { item_id: id, output_index: index, [part]: 0 };
  }

  private newId(prefix: string): string {
    const { turnId, from } = this.facts.address;
    return `${prefixed(prefix, turnId)}_${from}_${this.output.length}`;
  }

  private emit(type: string, body: JsonObject): void {
    this.frames.push({ type, sequence_number: this.sequence, ...body });
    this.sequence += 1;
  }

  private drain(): ResponseEvent[] {
    const { frames } = this;
    this.frames = [];
    return frames;
  }
}

/** Skills and approvals appear as those of an MCP server, because clients refuse unknown types of items. */
const OURS = 'palabre';

function isWithdrawn(fate: Fate): boolean {
  return fate === 'PREAMBLE' || fate === 'RETRIED';
}

function messageItem(id: string, fate: Fate, content: JsonObject[]): OutputItem {
  return {
    type: 'message',
    id,
    status: fate === 'ANSWER' ? 'completed' : 'incomplete',
    role: 'assistant',
    phase: fate === 'PREAMBLE' ? 'commentary' : 'final_answer',
    content,
  };
}

function outputText(text: string, annotations: JsonObject[]): JsonObject {
  return { type: 'output_text', text, annotations, logprobs: [] };
}

function summaryText(text: string): JsonObject {
  return { type: 'summary_text', text };
}

/** A citation for each [n] in the text. */
function annotationsOf(text: string, sources: readonly Citation[]): JsonObject[] {
  return [...text.matchAll(/\[(\d{1,4})\]/g)].flatMap(({ index, 1: marker }) => {
    const source = sources.find((one) => one.marker === Number(marker));
    if (!source) return [];
    const { documentId, documentName: filename, page, quote } = source;
    return { type: 'file_citation', file_id: prefixed('file', documentId), filename, index, page, quote };
  });
}

const ASK_USER = 'ask_user';
const MCP_INPUT = 'mcp_input';

function approvalOf(input: ShownInput): JsonObject {
  const { skill: name, arguments: given } = 'skill' in input ? input : { skill: '', arguments: {} };
  return { name, arguments: JSON.stringify(given), server_label: OURS };
}

/** The input as a call of the client's function, whose output continues the turn. Null: an approval. */
export function functionCallOf(input: ShownInput): { name: string; given: string } | null {
  switch (input.kind) {
    case undefined:
    case 'APPROVAL':
      return null;
    case 'CLIENT_SKILL':
      return { name: input.skill, given: JSON.stringify(input.arguments) };
    case 'QUESTION': {
      const { prompt, responseSchema: schema } = input;
      return { name: ASK_USER, given: JSON.stringify({ prompt, schema }) };
    }
    case 'MCP_INPUT': {
      const { server, message, responseSchema: schema, url } = input;
      return { name: MCP_INPUT, given: JSON.stringify({ server, message, schema, url }) };
    }
  }
}
