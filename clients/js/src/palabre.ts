import { AskedTurn, type StartedTurn } from './asked-turn.js';
import {
  AnswerInputDocument,
  type AnswerInputInput,
  CancelTurnDocument,
  CreateAttachmentUploadDocument,
  CreateDocumentUploadDocument,
  DocumentProgressDocument,
  type DocumentProgressSubscription,
  RegenerateDocument,
  type RegenerateInput,
  ResolveApprovalDocument,
  type ResolveApprovalInput,
  StartTurnDocument,
  type StartTurnInput,
  type StartTurnResultFragment,
  TurnEventsDocument,
} from './generated/graphql.js';
import { httpRequest, type TokenSource } from './http-request.js';
import { PalabreError } from './palabre-error.js';
import { retrying } from './retrying.js';
import { Subscriptions } from './subscriptions.js';
import type { TurnEvent } from './turn-event.js';
import type { Operation, TypedDocument } from './typed-document.js';
import { sendFile, type SendOptions } from './upload.js';

export interface PalabreOptions {
  /** The server's address, without /graphql. Default: where the page comes from. */
  readonly url?: string;
  /** A bearer token, or what gives one for each connection; `session` with the console's cookie. Left out: none is sent. */
  readonly token?: string | (() => string | null | Promise<string | null>) | null;
  /** How often in a row it is tried in vain to connect again, before a subscription fails. Default: without end. */
  readonly maxRetries?: number;
  /** Called when the connection for subscriptions is made and when it is lost. */
  readonly onConnectionChange?: (isConnected: boolean) => void;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface UploadOptions extends SendOptions {
  /** Default: the name of a `File`. */
  readonly name?: string;
  /** Default: the type of the file. The server finds out by itself what it really is. */
  readonly mediaType?: string;
}

export interface AttachmentOptions extends UploadOptions {
  /** Left out: it is for the conversation that the next question begins. */
  readonly conversationId?: string | undefined;
}

export type DocumentProgress = Readonly<DocumentProgressSubscription['documentProgress']>;

/** A question is asked this often, always with the same key, before it is said that no server answers. */
const MAX_START_RETRIES = 3;
/** The server completes the stream of a turn that has ended, and rarely one whose owner changes. */
const MAX_EMPTY_STREAMS = 2;

export function createPalabre(options: PalabreOptions = {}): Palabre {
  return new Palabre(options);
}

/** A client of a Palabre server, for browsers and Node. Whatever fails rejects with a `PalabreError`. */
export class Palabre {
  private readonly endpoint: string;
  private readonly token: TokenSource;
  private readonly subscriptions: Subscriptions;
  private readonly closing = new AbortController();

  constructor({ url, token = null, maxRetries = Infinity, onConnectionChange }: PalabreOptions) {
    this.endpoint = `${(url ?? pageOrigin()).replace(/\/+$/, '')}/graphql`;
    this.token = async () => (typeof token === 'function' ? token() : token);
    const changed = onConnectionChange ?? (() => undefined);
    this.subscriptions = new Subscriptions(this.endpoint, this.token, maxRetries, changed);
  }

  /** Asks a question. It is stored once, however often it has to be sent. */
  ask(input: StartTurnInput, { signal }: CallOptions = {}): AskedTurn {
    const variables = { input: { idempotencyKey: randomKey(), ...input } };
    return this.turnStartedBy(
      async () => (await this.request(StartTurnDocument, variables, { signal })).startTurn,
      signal,
    );
  }

  /** Has a question answered once more: another answer beside the one there is. */
  regenerate(input: RegenerateInput, { signal }: CallOptions = {}): AskedTurn {
    const variables = { input: { idempotencyKey: randomKey(), ...input } };
    return this.turnStartedBy(
      async () => (await this.request(RegenerateDocument, variables, { signal })).regenerate,
      signal,
    );
  }

  /** The events of a turn later than `after`, each once and in order, to its end, across lost connections. */
  follow(turnId: string, after = 0, options: CallOptions = {}): AsyncGenerator<TurnEvent, void, undefined> {
    const signal = this.signalOf(options);
    let last = after;
    let emptyStreams = 0;
    const open = async function* (this: Palabre): AsyncGenerator<TurnEvent, void, undefined> {
      emptyStreams += 1;
      for await (const { turnEvents: event } of this.once(
        TurnEventsDocument,
        { turnId, after: last },
        signal,
      )) {
        if (event.sequence <= last) continue;
        last = event.sequence;
        emptyStreams = 0;
        yield event;
        if (event.__typename === 'TurnDone') return;
      }
      // After its last event a turn has nothing to tell.
      if (last === after && after > 0 && emptyStreams === MAX_EMPTY_STREAMS) return;
      throw new PalabreError('UNREACHABLE', 'The stream ended before the turn.');
    };
    return this.subscriptions.lasting(() => open.call(this), signal);
  }

  async cancel(turnId: string, options: CallOptions = {}): Promise<void> {
    await this.request(CancelTurnDocument, { id: turnId }, options);
  }

  /** Answers whether a skill may be carried out. */
  async resolveApproval(input: ResolveApprovalInput, options: CallOptions = {}): Promise<void> {
    await this.request(ResolveApprovalDocument, { input }, options);
  }

  /** Gives what a turn waits for: an answer, the result of a client skill, or that there is none. */
  async answerInput(input: AnswerInputInput, options: CallOptions = {}): Promise<void> {
    await this.request(AnswerInputDocument, { input }, options);
  }

  /** Attaches a file to a conversation, and gives its id for `attachmentIds` once its bytes are stored. */
  async uploadAttachment(file: Blob, options: AttachmentOptions = {}): Promise<string> {
    const input = { ...announcementOf(file, options), conversationId: options.conversationId };
    const { createAttachmentUpload: ticket } = await this.request(
      CreateAttachmentUploadDocument,
      { input },
      options,
    );
    await sendFile(ticket, file, options);
    return ticket.attachment.id;
  }

  /** Gives the company a document, and gives its id once its bytes are stored. */
  async uploadDocument(file: Blob, options: UploadOptions = {}): Promise<string> {
    const input = announcementOf(file, options);
    const { createDocumentUpload: ticket } = await this.request(
      CreateDocumentUploadDocument,
      { input },
      options,
    );
    await sendFile(ticket, file, options);
    return ticket.document.id;
  }

  /**
   * How far a document is, now and after each change, until it can be searched or has failed. `language`, BCP 47, is what
   * its error and warnings are read in; left out: English.
   */
  async *documentProgress(
    documentId: string,
    { language = 'en', ...options }: CallOptions & { readonly language?: string } = {},
  ): AsyncGenerator<DocumentProgress, void, undefined> {
    for await (const { documentProgress } of this.subscribe(
      DocumentProgressDocument,
      { documentId, language },
      options,
    )) {
      yield documentProgress;
      if (documentProgress.status === 'COMPLETED' || documentProgress.status === 'FAILED') return;
    }
  }

  /** Sends one query or mutation and gives its data. */
  async request<Data, Variables>(
    document: TypedDocument<Data, Variables>,
    variables: Variables,
    options: CallOptions = {},
  ): Promise<Data> {
    const operation = operationOf(document, variables);
    return (await httpRequest(this.endpoint, this.token, operation, this.signalOf(options))) as Data;
  }

  /** The data of each result of a subscription, until the server completes it. It begins anew after a lost connection. */
  subscribe<Data, Variables>(
    document: TypedDocument<Data, Variables>,
    variables: Variables,
    options: CallOptions = {},
  ): AsyncGenerator<Data, void, undefined> {
    const signal = this.signalOf(options);
    return this.subscriptions.lasting(() => this.once(document, variables, signal), signal);
  }

  /** Ends all that is under way. */
  async close(): Promise<void> {
    this.closing.abort(new PalabreError('CLOSED', 'The client was closed.'));
    await this.subscriptions.close();
  }

  private once<Data, Variables>(
    document: TypedDocument<Data, Variables>,
    variables: Variables,
    signal: AbortSignal,
  ): AsyncGenerator<Data, void, undefined> {
    const results = this.subscriptions.once(operationOf(document, variables), signal);
    return results as AsyncGenerator<Data, void, undefined>;
  }

  private turnStartedBy(start: () => Promise<StartTurnResultFragment>, given?: AbortSignal): AskedTurn {
    const signal = this.signalOf({ signal: given });
    return new AskedTurn(this, firstOf(start, signal).then(startedBy), signal);
  }

  private signalOf({ signal }: CallOptions): AbortSignal {
    return signal ? AbortSignal.any([signal, this.closing.signal]) : this.closing.signal;
  }
}

function announcementOf(
  file: Blob,
  { name = 'name' in file ? String(file.name) : 'document', mediaType = file.type }: UploadOptions,
): { name: string; mediaType: string; bytes: number } {
  return { name, mediaType, bytes: file.size };
}

function operationOf<Variables>(
  document: TypedDocument<unknown, Variables>,
  variables: Variables,
): Operation {
  return { query: document.toString(), variables: variables as Record<string, unknown> };
}

async function firstOf<Value>(start: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  const attempt = async function* (): AsyncGenerator<Value, void, undefined> {
    yield await start();
  };
  const mayRetry = ({ code }: PalabreError, failures: number): boolean =>
    code !== 'RATE_LIMITED' && failures < MAX_START_RETRIES;
  for await (const value of retrying(attempt, mayRetry, signal)) return value;
  throw new PalabreError('CLOSED', 'The client was closed.');
}

function startedBy(result: StartTurnResultFragment): StartedTurn {
  switch (result.__typename) {
    case 'TurnAccepted':
      return { turnId: result.turn.id, conversationId: result.conversation.id };
    case 'TurnInProgress':
      throw new PalabreError('TURN_IN_PROGRESS', result.message, {
        extensions: { turnId: result.activeTurn.id },
      });
    case 'IdempotencyConflict':
      throw new PalabreError('IDEMPOTENCY_CONFLICT', result.message, {
        extensions: { turnId: result.firstTurn.id },
      });
    case 'QuotaExceeded':
      throw new PalabreError('QUOTA_EXCEEDED', result.message, { extensions: { resetsAt: result.resetsAt } });
  }
}

/** Not randomUUID: browsers have it on secure pages alone. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

function pageOrigin(): string {
  const { location } = globalThis as { location?: { origin: string } };
  if (location) return location.origin;
  throw new TypeError('Give the url of the server: there is no page that comes from it.');
}
