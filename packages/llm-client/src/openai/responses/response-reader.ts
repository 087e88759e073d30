import { type ChatPart, ModelError, type StopReason } from '../../chat-model.js';
import { Answer, type AnswerContext, type AnswerReader, excerpt, newCallId } from '../answer.js';
import { toolCallsOf } from '../chat/tool-call-assembler.js';
import type { EchoContent, EchoedItem } from '../echo.js';
import { ProviderRefusal } from '../provider-error.js';
import {
  type OutputItem,
  type ReadEvent,
  readResponse,
  readResponseEvent,
  type Response,
  usageOf,
} from './response-event.js';

interface Draft {
  index: number | null;
  itemId: string | null;
  id: string | null;
  name: string;
  arguments: string;
}

/** The parts of an answer that its model needs back, before its calls have their final ids. */
type Kept = Exclude<EchoedItem, { type: 'call' }> | { type: 'call'; draft: Draft };

type Slot = 'text' | 'refusal' | 'reasoning' | 'summary';

/**
 * Reads one response of the Responses API: takes event data or a whole document, emits parts to `emit`. Ignores
 * unknown events and items. Throws ProviderRefusal for a reported error, ModelError for unreadable data.
 */
export class ResponseReader implements AnswerReader {
  private readonly answer: Answer;
  private readonly drafts: Draft[] = [];
  private readonly kept: Kept[] = [];
  /** The text emitted so far, by item and part. */
  private readonly given = new Map<string, string>();
  /** Items that have not ended. */
  private readonly open = new Set<string>();
  private hasWholeItem = false;
  private finished = false;
  /** The last unknown event, for the error message when nothing else comes. */
  private stray = '';
  readonly pieces = 0;

  constructor(
    private readonly context: AnswerContext,
    emit: (part: ChatPart) => void,
  ) {
    this.answer = new Answer(context, emit);
  }

  get isFinished(): boolean {
    return this.finished;
  }

  get hasOutput(): boolean {
    return !this.answer.isEmpty || this.drafts.length > 0;
  }

  /** The last event includes the usage. */
  get awaits(): 'output' | 'nothing' {
    return this.finished ? 'nothing' : 'output';
  }

  event(data: string, name = ''): void {
    if (this.finished) return;
    if (data.trim() === '[DONE]') return this.end();
    const event = readResponseEvent(data, name);
    switch (event.type) {
      case 'response.output_text.delta':
        return this.addDelta('text', event);
      case 'response.refusal.delta':
        return this.addDelta('refusal', event);
      case 'response.reasoning_text.delta':
        return this.addDelta('reasoning', event);
      case 'response.reasoning_summary_text.delta':
        return this.addDelta('summary', event);
      case 'response.function_call_arguments.delta':
        return this.addArguments(event);
      case 'response.function_call_arguments.done':
        return this.completeArguments(event);
      case 'response.output_item.added':
        return this.begin(event);
      case 'response.output_item.done':
        return this.completeItem(event);
      case 'response.created':
      case 'response.in_progress':
        return this.answer.noteModel(event.response?.model || null);
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        return this.conclude(event.type, event.response ?? null);
      case 'error':
        return this.fail(event.body['error'] ?? (Object.keys(event.body).length > 0 ? event.body : data));
      default:
        return this.passOver(event, data);
    }
  }

  document(text: string): void {
    const response = readResponse(text);
    if (!response?.output || response.error) this.fail(response?.error ?? text);
    this.conclude(`response.${response.status ?? 'completed'}`, response);
  }

  /** An answer whose items have all ended is complete, even without a last event. */
  end(cause?: ModelError): void {
    if (this.finished) return;
    if (cause) throw cause;
    if (this.hasWholeItem && this.hasOutput && this.open.size === 0) return this.finish('unknown');
    const message = this.hasOutput
      ? 'The provider broke off in the middle.'
      : 'The provider sent an empty stream.';
    throw new ModelError('MODEL_UNAVAILABLE', message, true, excerpt(this.stray));
  }

  private passOver({ type, body }: ReadEvent, data: string): void {
    this.stray = data;
    // Compatible servers and gateways report errors in the form of chat completions.
    if (!type && body['error']) this.fail(body['error']);
  }

  private fail(body: unknown): never {
    throw new ProviderRefusal(null, body);
  }

  private addDelta(slot: Slot, { delta, ...place }: ReadEvent): void {
    if (!delta) return;
    this.give(slot, keyOf(slot, place), delta);
  }

  private give(slot: Slot, key: string, words: string): void {
    const before = this.given.get(key);
    this.given.set(key, (before ?? '') + words);
    if (slot === 'text' || slot === 'refusal') return this.answer.addText(words);
    // Each part is a paragraph.
    const isNext =
      before === undefined && [...this.given.keys()].some((other) => other !== key && isThought(other));
    this.answer.addReasoning(isNext ? `\n\n${words}` : words);
  }

  /** Emits the rest of a text that an event repeats as a whole. Some servers send no deltas, or not all. */
  private completeText(slot: Slot, key: string, whole: string): void {
    const before = this.given.get(key) ?? '';
    if (whole.length <= before.length || !whole.startsWith(before)) return;
    // Some servers number deltas and items differently.
    if (before === '' && [...this.given.values()].includes(whole)) return;
    this.give(slot, key, whole.slice(before.length));
  }

  private begin({ item, output_index: index, item_id: itemId }: ReadEvent): void {
    if (!item) return;
    this.open.add(placeOf(index, item.id ?? itemId));
    if (item.type === 'function_call') this.draftOf(item, index);
  }

  private completeItem({ item, output_index: index, item_id: itemId }: ReadEvent): void {
    if (!item) return;
    this.open.delete(placeOf(index, item.id ?? itemId));
    this.complete(item, index ?? null);
  }

  private complete(item: OutputItem, index: number | null): void {
    if (item.type === 'message') this.completeMessage(item, index);
    else if (item.type === 'reasoning') this.completeThoughts(item, index);
    else if (item.type === 'function_call') {
      const draft = this.draftOf(item, index);
      if (item.arguments && item.arguments.length >= draft.arguments.length) draft.arguments = item.arguments;
      this.kept.push({ type: 'call', draft });
    } else return;
    this.hasWholeItem = true;
  }

  private completeMessage({ content, phase }: OutputItem, index: number | null): void {
    for (const [at, part] of (content ?? []).entries()) {
      const slot = part.refusal ? 'refusal' : 'text';
      this.completeText(
        slot,
        keyOf(slot, { output_index: index, content_index: at }),
        part.refusal ?? part.text ?? '',
      );
    }
    this.kept.push({ type: 'text', ...(phase && { phase }) });
  }

  private completeThoughts(item: OutputItem, index: number | null): void {
    for (const slot of ['reasoning', 'summary'] as const) {
      const parts = (slot === 'reasoning' ? item.content : item.summary) ?? [];
      for (const [at, { text }] of parts.entries()) {
        this.completeText(
          slot,
          keyOf(slot, { output_index: index, content_index: at, summary_index: at }),
          text ?? '',
        );
      }
    }
    // The provider stores nothing, so a bare id cannot be sent back.
    if (!item.encrypted_content && !item.content?.length) return;
    const { type, id, summary, content, encrypted_content } = item;
    this.kept.push({
      type: 'thoughts',
      item: {
        type,
        ...(id && { id }),
        summary: thoughtParts(summary, 'summary_text'),
        ...(content?.length && { content: thoughtParts(content, 'reasoning_text') }),
        ...(encrypted_content && { encrypted_content }),
      },
    });
  }

  /** The draft of the call that an item belongs to; a new one if there is none. */
  private draftOf({ id, call_id: callId, name }: OutputItem, index: number | null | undefined): Draft {
    const known =
      index == null
        ? this.drafts.find((draft) => (id && draft.itemId === id) || (callId && draft.id === callId))
        : this.drafts.find((draft) => draft.index === index);
    if (known) {
      known.name ||= name ?? '';
      known.id ??= callId || null;
      return known;
    }
    const draft: Draft = {
      index: index ?? null,
      itemId: id || null,
      id: callId || null,
      name: name ?? '',
      arguments: '',
    };
    this.drafts.push(draft);
    return draft;
  }

  private addArguments(event: ReadEvent): void {
    const draft = this.draftAt(event);
    if (draft) draft.arguments += event.delta ?? '';
  }

  private completeArguments(event: ReadEvent): void {
    const draft = this.draftAt(event);
    if (draft && event.arguments && event.arguments.length >= draft.arguments.length)
      draft.arguments = event.arguments;
  }

  private draftAt({ output_index: index, item_id: itemId }: ReadEvent): Draft | undefined {
    return (
      this.drafts.find((draft) => index != null && draft.index === index) ??
      this.drafts.find((draft) => itemId && draft.itemId === itemId) ??
      (index == null ? this.drafts.at(-1) : undefined)
    );
  }

  private conclude(type: string, response: Response | null): void {
    this.answer.noteModel(response?.model || null);
    const usage = response && usageOf(response);
    if (usage) this.answer.addUsage(usage);
    const state =
      type === 'response.completed' ? (response?.status ?? 'completed') : type.slice('response.'.length);
    if (state === 'failed' || response?.error)
      return this.fail(response?.error ?? { message: 'The response failed.' });
    if (state === 'cancelled')
      throw new ModelError('MODEL_UNAVAILABLE', 'The provider gave up in the middle.', true, 'cancelled');
    // Some servers send the output in the last event only.
    if (!this.hasWholeItem) {
      for (const [index, item] of (response?.output ?? []).entries()) if (item) this.complete(item, index);
    }
    this.finish(state === 'incomplete' ? cutBy(response) : 'stop');
  }

  private finish(reason: StopReason): void {
    this.finished = true;
    for (const draft of this.drafts) if (draft.arguments.trim() === '') draft.arguments = '{}';
    const calls = toolCallsOf(this.drafts, this.context.takenCallIds, newCallId);
    const ids = new Map(this.drafts.map((draft, index) => [draft, calls[index]?.id ?? '']));
    this.answer.finish({ reason, calls, echo: this.echoOf(ids) });
  }

  private echoOf(ids: ReadonlyMap<Draft, string>): EchoContent | null {
    // The order of items matters only together with reasoning or phases.
    if (!this.kept.some((item) => item.type === 'thoughts' || (item.type === 'text' && item.phase)))
      return null;
    const items = this.kept.map((item): EchoedItem =>
      item.type === 'call' ? { type: 'call', id: ids.get(item.draft) ?? '' } : item,
    );
    return { items };
  }
}

function cutBy(response: Response | null): StopReason {
  return response?.incomplete_details?.reason === 'content_filter' ? 'content-filter' : 'length';
}

function thoughtParts(parts: OutputItem['content'], type: string): { type: string; text: string }[] {
  return (parts ?? []).map(({ text }) => ({ type, text: text ?? '' }));
}

type Place = Pick<ReadEvent, 'output_index' | 'content_index' | 'summary_index'>;

function keyOf(
  slot: Slot,
  { output_index: item, content_index: content, summary_index: summary }: Place,
): string {
  return `${slot} ${item ?? 0} ${(slot === 'summary' ? summary : content) ?? 0}`;
}

function isThought(key: string): boolean {
  return key.startsWith('reasoning') || key.startsWith('summary');
}

function placeOf(index: number | null | undefined, itemId: string | null | undefined): string {
  return index == null ? `id ${itemId ?? ''}` : String(index);
}
