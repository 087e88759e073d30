import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../common/ids.js';
import { AssistantsService } from '../../companies/assistants/assistants.service.js';
import type { Assistant } from '../../companies/assistants/assistant.repository.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { ConversationsService } from '../../conversations/conversations.service.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import { TurnsService } from '../../conversations/turns/turns.service.js';
import { clientGone } from '../../graphql/http/http-context.js';
import { type Place, QuestionPlaces } from '../question-places.service.js';
import { type AskedInput, type EarlierMessage, type GivenInput, isFollowUp } from './asked-input.js';
import { Asks } from './asks.service.js';
import { GivenInputs } from './given-inputs.service.js';
import { modelNotFound, previousNotFound, refusal, responseNotFound } from './openai-errors.js';
import { addressOf, idBehind, type ResponseAddress, responseId } from './openai-ids.js';
import { echoIn, echoOf, type ResponseFacts } from './response-object.js';
import { type ResponseEvent, ResponseMapper } from './response-mapper.js';
import { askedOf, type ResponseRequest, schemaOf, toolsOf } from './response-request.js';
import { TurnFollower } from '../turn-follower.service.js';

export interface Known {
  turn: Turn;
  address: ResponseAddress;
}

/** The transport of a request. */
export interface Asked {
  idempotencyKey: string | null;
  /** Whether an unstored response may be continued: it is of the same connection. */
  isAtHand?: (turnId: string) => boolean;
}

/** A response is a part of a turn: from the question, or the end of a wait, to the turn's end or next wait. */
@Injectable()
export class Responses {
  constructor(
    private readonly turns: TurnsService,
    private readonly assistants: AssistantsService,
    private readonly conversations: ConversationsService,
    private readonly asks: Asks,
    private readonly given: GivenInputs,
    private readonly places: QuestionPlaces,
    private readonly follower: TurnFollower,
  ) {}

  /** Asks a question, or answers a turn's inputs. Rejects with an error in OpenAI's form. */
  async create(viewer: Viewer, request: ResponseRequest, how: Asked, signal: AbortSignal): Promise<Known> {
    const asked = askedOf(request);
    const previous = await this.previousOf(viewer, request, how);
    const goesOn = await this.goOn(viewer, asked.given, previous, signal);
    if (goesOn) return goesOn;
    if (!previous || !isFollowUp(asked)) return this.ask(viewer, request, asked, { ...how, previous });
    const { turn, address } = previous;
    const from = await this.stopOf(viewer, turn, { from: address.from, inputId: undefined }, signal);
    return { turn, address: { turnId: turn.id, from } };
  }

  /** An empty response to a prepared input. Rejects like `create`. */
  async nothing(
    viewer: Viewer,
    request: ResponseRequest,
    how: Asked,
  ): Promise<{ id: string; events: ResponseEvent[] }> {
    const previous = await this.previousOf(viewer, request, how);
    const place = await this.namedPlace(viewer, request, previous);
    const { key, language } = await this.assistantFor(viewer, request.model ?? null, place);
    const address = { turnId: newId(), from: 0 };
    const createdAt = new Date();
    const mapper = new ResponseMapper({
      address,
      createdAt,
      model: key,
      language,
      conversationId: place?.conversationId ?? null,
      clientSkills: [],
      echo: echoOf(request, previous?.address ?? null),
    });
    return { id: responseId(address), events: [...mapper.begin(), ...mapper.stop(createdAt)] };
  }

  /**
   * Answers a turn's inputs. Null: there are no answers. `previous`: the response with the inputs, if the client
   * names it.
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
    const from = await this.stopOf(viewer, turn, after, signal);
    await this.given.answer(viewer, turn, given);
    return { turn, address: { turnId: turn.id, from } };
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

  async snapshot(viewer: Viewer, { turn, address }: Known): Promise<JsonObject> {
    const mapper = new ResponseMapper(await this.factsOf(viewer, { turn, address }));
    const never = new AbortController().signal;
    await exhaust(this.mapped(viewer, address, mapper, never, turn.lastSequence));
    const isQueued = turn.status === 'QUEUED' && turn.attempt === 0;
    return mapper.isOver || !isQueued ? mapper.response : { ...mapper.response, status: 'queued' };
  }

  /** The ended response. Rejects with UNAVAILABLE if `signal` is aborted first. */
  async whenOver(viewer: Viewer, known: Known, signal: AbortSignal): Promise<JsonObject> {
    const mapper = new ResponseMapper(await this.factsOf(viewer, known));
    await exhaust(this.mapped(viewer, known.address, mapper, signal));
    if (!mapper.isOver) throw signal.aborted ? clientGone() : responseNotFound(responseId(known.address));
    return mapper.response;
  }

  /** The events of the response after number `after`, then live ones. */
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

  /** The assistant with this key. Rejects with model_not_found. */
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
    for await (const event of this.follower.follow(viewer, turnId, signal, until)) {
      if (event.sequence <= from) continue;
      yield* mapper.take(event, await this.follower.reasoningTokens(viewer, event));
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
    const earlier = await this.withTexts(viewer, asked.earlier);
    const isUnstored = request.store === false;
    const found = named || isUnstored ? null : await this.places.byTexts(viewer, assistant.id, earlier, null);
    // A continuation of a stored conversation is stored too.
    const isKept = !isUnstored || (named !== null && !(previous && !isStored(previous.turn)));
    const turn = await this.asks.start(
      viewer,
      {
        assistant,
        // The matched history is known already.
        asked: { ...asked, earlier: found ? [] : earlier },
        place: named ?? found,
        begins: null,
        isStored: isKept,
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
  ): Promise<Place | null> {
    if (conversation === null || conversation === undefined)
      return previous && this.places.after(viewer, previous.turn);
    if (previous)
      throw refusal('BAD_USER_INPUT', 'Give previous_response_id or conversation, not both.', {
        code: 'invalid_value',
        param: 'conversation',
      });
    const id = idBehind('conv', conversation);
    if (id && (await this.conversations.find(viewer, id))) return { conversationId: id };
    throw refusal('NOT_FOUND', `Conversation with id '${conversation.slice(0, 100)}' not found.`, {
      code: 'conversation_not_found',
      param: 'conversation',
    });
  }

  /** Adds the texts of answers that a client only names. */
  private async withTexts(viewer: Viewer, earlier: readonly EarlierMessage[]): Promise<EarlierMessage[]> {
    const ids = earlier.flatMap(({ turnId }) => turnId ?? []);
    if (ids.length === 0) return [...earlier];
    const turns = await this.turns.findMany(viewer, ids);
    const answers = await this.conversations.findMessages(
      viewer,
      turns.map(({ answerId }) => answerId),
    );
    const byTurn = new Map(answers.map(({ turnId, text }) => [turnId, text]));
    return earlier.map((message) =>
      message.turnId === undefined ? message : { ...message, text: byTurn.get(message.turnId) ?? '' },
    );
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
   * The sequence at which the turn stopped to wait: for the response after `from`, else for the one with `inputId`,
   * else the last.
   */
  private async stopOf(
    viewer: Viewer,
    { id, lastSequence }: Turn,
    { from, inputId }: { from: number | undefined; inputId: string | undefined },
    signal: AbortSignal,
  ): Promise<number> {
    const waits = await this.follower.waitsOf(viewer, id, lastSequence, signal);
    const stop =
      from !== undefined
        ? waits.find(({ sequence }) => sequence > from)
        : inputId !== undefined
          ? waits.find(({ asked }) => asked.has(inputId))
          : waits.at(-1);
    if (stop) return stop.sequence;
    throw refusal('BAD_USER_INPUT', 'This response waits for nothing: send a message of the user.', {
      code: 'missing_required_parameter',
      param: 'input',
    });
  }

  private async factsOf(viewer: Viewer, { turn, address }: Known): Promise<ResponseFacts> {
    const { conversationId, createdAt, clientSkills } = turn;
    const conversation = await this.conversations.find(viewer, conversationId);
    const [assistant] = conversation
      ? await this.assistants.findMany(viewer, [conversation.assistantId])
      : [];
    if (!assistant) throw responseNotFound(responseId(address));
    const echo = echoIn(turn) ?? echoOf({}, null);
    return {
      address,
      createdAt,
      model: assistant.key,
      language: assistant.language,
      conversationId,
      clientSkills: clientSkills ?? [],
      echo:
        address.from === 0
          ? echo
          : { ...echo, previous_response_id: (await this.waitBefore(viewer, address)).id },
    };
  }

  /** The response before this one in the same turn, and its inputs. Rejects with NOT_FOUND. */
  async waitBefore(viewer: Viewer, address: ResponseAddress): Promise<{ id: string; asked: Set<string> }> {
    const { turnId, from } = address;
    const waits = await this.follower.waitsOf(viewer, turnId, from, new AbortController().signal);
    const [before, wait] = [waits.at(-2), waits.at(-1)];
    if (wait?.sequence !== from) throw responseNotFound(responseId(address));
    return { id: responseId({ turnId, from: before?.sequence ?? 0 }), asked: wait.asked };
  }
}

/** Includes fetching and storing files. */
export const ASKING_TIMEOUT_MS = 120_000;

export async function exhaust(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _event of events);
}

export function isStored(turn: Turn): boolean {
  return echoIn(turn)?.store !== false;
}
