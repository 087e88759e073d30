import { Injectable } from '@nestjs/common';

import type { JsonObject, JsonValue } from '../../common/json.js';
import { AssistantsService } from '../../companies/assistants/assistants.service.js';
import type { Assistant } from '../../companies/assistants/assistant.entity.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { ConversationsService } from '../../conversations/conversations.service.js';
import { isWaiting } from '../../conversations/turns/turn-event.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import { TurnsService } from '../../conversations/turns/turns.service.js';
import { clientGone } from '../../graphql/http/http-context.js';
import { type AskedInput, type GivenInput, isFollowUp } from './asked-input.js';
import { Asks } from './asks.service.js';
import { GivenInputs } from './given-inputs.service.js';
import { modelNotFound, previousNotFound, refusal, responseNotFound } from './openai-errors.js';
import { addressOf, idBehind, type ResponseAddress, responseId } from './openai-ids.js';
import type { ResponseEcho, ResponseFacts } from './response-object.js';
import { type ResponseEvent, ResponseMapper } from './response-mapper.js';
import { askedOf, repeatedOf, type ResponseRequest } from './response-request.js';
import { type Place, Threads } from './threads.service.js';
import { TurnFollower } from './turn-follower.service.js';

/** A response that there is. */
export interface Known {
  turn: Turn;
  address: ResponseAddress;
  /** Where the turn has waited; left out: that was not looked up. */
  waits?: readonly Wait[];
}

/** A place in a turn's events where it waits. */
interface Wait {
  sequence: number;
  /** What it asked for since it waited before. */
  inputIds: readonly string[];
}

/** How a request came. */
export interface Asked {
  idempotencyKey: string | null;
  /** Whether a response that is not stored may be gone on with: it is of the same connection. */
  isAtHand?: (turnId: string) => boolean;
}

/** Responses are parts of turns: from the question, or from where the turn waited, to its end or its next wait. */
@Injectable()
export class Responses {
  constructor(
    private readonly turns: TurnsService,
    private readonly assistants: AssistantsService,
    private readonly conversations: ConversationsService,
    private readonly asks: Asks,
    private readonly given: GivenInputs,
    private readonly threads: Threads,
    private readonly follower: TurnFollower,
  ) {}

  /** Asks, or answers what a turn waits for. Rejects with an error of OpenAI's. */
  async create(viewer: Viewer, request: ResponseRequest, how: Asked, signal: AbortSignal): Promise<Known> {
    const asked = askedOf(request);
    const previous = await this.previousOf(viewer, request, how);
    const goesOn = await this.goOn(viewer, asked.given, previous, signal);
    if (goesOn) return goesOn;
    if (!previous || !isFollowUp(asked)) return this.ask(viewer, request, asked, { ...how, previous });
    const { turn, address } = previous;
    return this.partAfter(viewer, turn, { from: address.from, inputId: undefined }, signal);
  }

  /**
   * Gives a turn what it waits for; null: nothing is given. `previous`: the response that it is given to, where the client
   * says so.
   */
  async goOn(
    viewer: Viewer,
    given: readonly GivenInput[],
    previous: Known | null,
    signal: AbortSignal,
  ): Promise<Known | null> {
    const turn = await this.given.turnOf(viewer, given);
    if (!turn) return null;
    if (previous && turn.id !== previous.turn.id)
      throw refusal('BAD_USER_INPUT', 'These outputs are of another response.', {
        code: 'invalid_value',
        param: 'input',
      });
    const after = { from: previous?.address.from, inputId: given[0]?.inputId };
    const part = await this.partAfter(viewer, turn, after, signal);
    await this.given.answer(viewer, turn, given);
    return part;
  }

  /** Rejects with NOT_FOUND. */
  async get(viewer: Viewer, id: string): Promise<Known> {
    const known = await this.find(viewer, id);
    if (!known || !isStored(known.turn)) throw responseNotFound(id);
    return known;
  }

  async cancel(viewer: Viewer, id: string): Promise<Known> {
    const { address } = await this.get(viewer, id);
    return { address, turn: await this.turns.cancel(viewer, address.turnId) };
  }

  /** The response as it is now. */
  async snapshot(viewer: Viewer, known: Known): Promise<JsonObject> {
    const { turn, address } = known;
    const mapper = new ResponseMapper(await this.factsOf(viewer, known));
    const never = new AbortController().signal;
    await exhaust(this.mapped(viewer, address, mapper, never, turn.lastSequence));
    const isQueued = turn.status === 'QUEUED' && turn.attempt === 0;
    return mapper.isOver || !isQueued ? mapper.response : { ...mapper.response, status: 'queued' };
  }

  /** The response when it is over. Rejects with UNAVAILABLE when `signal` is aborted before. */
  async whenOver(viewer: Viewer, known: Known, signal: AbortSignal): Promise<JsonObject> {
    const mapper = new ResponseMapper(await this.factsOf(viewer, known));
    await exhaust(this.mapped(viewer, known.address, mapper, signal));
    if (!mapper.isOver) throw clientGone();
    return mapper.response;
  }

  /** The events of the response after the number `after`, and as they come. */
  async *stream(
    viewer: Viewer,
    known: Known,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<ResponseEvent, void, undefined> {
    const mapper = new ResponseMapper(await this.factsOf(viewer, known));
    for (const event of mapper.begin()) if (event.sequence_number > after) yield event;
    for await (const event of this.mapped(viewer, known.address, mapper, signal))
      if (event.sequence_number > after) yield event;
  }

  /** An assistant that answers. Rejects with model_not_found. */
  async assistantOf(viewer: Viewer, key: string): Promise<Assistant> {
    const assistant = await this.assistants.find(viewer, key);
    if (!assistant || assistant.archived) throw modelNotFound(key);
    return assistant;
  }

  private async *mapped(
    viewer: Viewer,
    { turnId, from }: ResponseAddress,
    mapper: ResponseMapper,
    signal: AbortSignal,
    until?: number,
  ): AsyncGenerator<ResponseEvent> {
    for await (const { event, reasoningTokens } of this.follower.follow(viewer, turnId, signal, until)) {
      if (event.sequence <= from) continue;
      yield* mapper.take(event, reasoningTokens);
      if (mapper.isOver) return;
    }
  }

  private async previousOf(
    viewer: Viewer,
    { previous_response_id: id }: ResponseRequest,
    { isAtHand }: Asked,
  ): Promise<Known | null> {
    if (id === null || id === undefined) return null;
    const previous = await this.find(viewer, id);
    const isThere = previous && (isStored(previous.turn) || isAtHand?.(previous.turn.id));
    if (!isThere) throw previousNotFound(id);
    return previous;
  }

  private async find(viewer: Viewer, id: string): Promise<Known | null> {
    const address = addressOf(id);
    const turn = address && (await this.turns.find(viewer, address.turnId));
    return address && turn && address.from <= turn.lastSequence ? { address, turn } : null;
  }

  private async ask(
    viewer: Viewer,
    request: ResponseRequest,
    asked: AskedInput,
    { idempotencyKey, previous }: Asked & { previous: Known | null },
  ): Promise<Known> {
    const signal = AbortSignal.timeout(ASKING_TIMEOUT_MS);
    const named = await this.namedPlace(viewer, request, previous);
    const assistant = await this.assistantFor(viewer, request.model ?? null, named);
    const earlier = await this.threads.withTexts(viewer, asked.earlier);
    const found =
      named ??
      (request.store === false ? null : await this.threads.find(viewer, assistant.id, earlier, null));
    // What goes on a conversation that is stored is stored with it.
    const isKept = request.store !== false || (named !== null && !(previous && !isStored(previous.turn)));
    const { turn } = await this.asks.start(
      viewer,
      {
        assistant,
        // What a history was found by is known already.
        asked: { ...asked, earlier: found && !named ? [] : earlier },
        place: found,
        clientKey: null,
        tools: toolsOf(request),
        answerSchema: schemaOf(request),
        echo: echoOf({ ...request, store: isKept }, previous?.address ?? null),
        body: request,
        idempotencyKey,
      },
      signal,
    );
    return { turn, address: { turnId: turn.id, from: 0 } };
  }

  private async namedPlace(
    viewer: Viewer,
    { conversation }: ResponseRequest,
    previous: Known | null,
  ): Promise<(Place & { conversationId?: string }) | null> {
    if (previous) return this.threads.after(viewer, previous.turn);
    if (conversation === null || conversation === undefined) return null;
    const id = idBehind('conv', conversation);
    const place = id && (await this.threads.atEnd(viewer, id));
    if (place) return place;
    throw refusal('NOT_FOUND', `Conversation with id '${conversation.slice(0, 100)}' not found.`, {
      code: 'conversation_not_found',
      param: 'conversation',
    });
  }

  private async assistantFor(viewer: Viewer, key: string | null, place: Place | null): Promise<Assistant> {
    if (key !== null) return this.assistantOf(viewer, key);
    const conversation = place?.conversationId
      ? await this.conversations.find(viewer, place.conversationId)
      : null;
    const [assistant] = conversation
      ? await this.assistants.findMany(viewer, [conversation.assistantId])
      : [];
    if (assistant) return assistant;
    throw refusal('BAD_USER_INPUT', 'Missing required parameter: model.', {
      code: 'missing_required_parameter',
      param: 'model',
    });
  }

  /**
   * The response that begins where one of the turn stopped to wait: the one that begins after `from`, else the one that
   * asked for `inputId`, else the last one.
   */
  private async partAfter(
    viewer: Viewer,
    turn: Turn,
    { from, inputId }: { from: number | undefined; inputId: string | undefined },
    signal: AbortSignal,
  ): Promise<Known> {
    const waits = await this.waitsOf(viewer, turn, signal);
    const isIt = ({ sequence, inputIds }: Wait): boolean =>
      from === undefined ? inputIds.some((id) => id === inputId) : sequence > from;
    const stop = from === undefined && inputId === undefined ? waits.at(-1) : waits.find(isIt);
    if (stop) return { turn, address: { turnId: turn.id, from: stop.sequence }, waits };
    throw refusal('BAD_USER_INPUT', 'This response waits for nothing: send a message of the user.', {
      code: 'missing_required_parameter',
      param: 'input',
    });
  }

  /** Where the turn has waited so far, in order. */
  private async waitsOf(
    viewer: Viewer,
    { id, lastSequence }: Turn,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Wait[]> {
    const waits: Wait[] = [];
    let inputIds: string[] = [];
    for await (const { event } of this.follower.follow(viewer, id, signal, lastSequence)) {
      if (event.type === 'input-requested') inputIds.push(event.input.id);
      if (event.type === 'approval-requested') inputIds.push(event.approval.id);
      if (event.type !== 'status-changed' || !isWaiting(event.status)) continue;
      waits.push({ sequence: event.sequence, inputIds });
      inputIds = [];
    }
    return waits;
  }

  private async factsOf(viewer: Viewer, known: Known): Promise<ResponseFacts> {
    const { turn, address } = known;
    const { conversationId, createdAt, client, clientSkills } = turn;
    const conversation = await this.conversations.find(viewer, conversationId);
    const [assistant] = conversation
      ? await this.assistants.findMany(viewer, [conversation.assistantId])
      : [];
    if (!assistant) throw responseNotFound(responseId(address));
    const echo = echoIn(client?.echo);
    const previous = address.from === 0 ? (echo?.previous ?? null) : await this.previousPart(viewer, known);
    return {
      address,
      createdAt,
      model: assistant.key,
      conversationId,
      previous,
      clientSkills: clientSkills ?? [],
      echo,
    };
  }

  /** The id of the response before this one of the same turn. */
  private async previousPart(viewer: Viewer, { turn, address, waits }: Known): Promise<string> {
    const all = waits ?? (await this.waitsOf(viewer, turn));
    const before = all.findLast(({ sequence }) => sequence < address.from);
    return responseId({ turnId: turn.id, from: before?.sequence ?? 0 });
  }
}

/** For files to be fetched and stored. */
const ASKING_TIMEOUT_MS = 120_000;

export async function exhaust(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _event of events);
}

export function isStored({ client }: Turn): boolean {
  return echoIn(client?.echo)?.store !== false;
}

/** Null: the turn did not come by this protocol. */
function echoIn(echo: JsonObject | undefined): ResponseEcho | null {
  return echo && 'textFormat' in echo ? (echo as unknown as ResponseEcho) : null;
}

function toolsOf({ tools, tool_choice: choice }: ResponseRequest) {
  const all = tools ?? [];
  if (choice === 'none') return [];
  if (typeof choice !== 'object' || choice?.type !== 'allowed_tools') return all;
  if (choice.mode === 'none') return [];
  return all.filter(({ name }) => choice.tools.some((allowed) => allowed.name === name));
}

function schemaOf({ text }: ResponseRequest): JsonObject | null {
  const format = text?.format;
  return format?.type === 'json_schema' ? format.schema : null;
}

function echoOf(request: ResponseRequest, previous: ResponseAddress | null): JsonObject {
  const { instructions, tool_choice: choice, text, background, store } = request;
  const format = text?.format;
  const echo: ResponseEcho = {
    ...repeatedOf(request),
    previous: previous && responseId(previous),
    instructions: instructions ?? null,
    toolChoice: (choice ?? 'auto') as JsonValue,
    textFormat:
      format?.type === 'json_schema'
        ? { ...format, description: format.description ?? null, strict: format.strict ?? false }
        : { type: format?.type ?? 'text' },
    verbosity: text?.verbosity ?? 'medium',
    background: background ?? false,
    store: store ?? true,
  };
  return echo as unknown as JsonObject;
}
