import { singleLine } from '@palabre/text';
import type { JsonObject, JsonValue } from '@palabre/json';
import { rejectOnAbort } from '@palabre/async';

import { type Clock, DAY_MS } from '../../../common/clock.js';
import type { Logger } from '../../../common/process/logger.js';
import { type GivenInput, type SkillContext, SkillError } from '../../skill.js';
import { requestMsOf } from '../../http/unknown-outcome.js';
import { unreachable, closedFailure, McpFailure, mcpFailureOf, skillErrorOf } from './mcp-failure.js';
import { type McpServerLink, McpSession, type ToolCall, type ToolOutcome } from './mcp-session.js';
import type { ToolListing } from './mcp-tools.js';
import { WaitingCalls } from './waiting-calls.js';
import { resultOf } from './tool-result.js';
import { ServerCircuit } from './server-circuit.js';

/** Attempts to reach a server that has never listed its tools: about a day. */
const MAX_TRIES = 300;
const LIST_AGAIN_MS = 300_000;
const MAX_TTL_MS = DAY_MS;
const MIN_BETWEEN_LISTINGS_MS = 3_000;

export interface McpConnectionOptions {
  clock: Clock;
  logger: Logger;
  /** When it reopens after a failure: always, until its tools are known, or on demand. */
  reopens: 'always' | 'until-listed' | 'when-needed';
  /** When any process last listed its tools. Null: never. */
  listedAt: Date | null;
  /** Closes after this idle time. Null: never. */
  idleMs: number | null;
  /** Called for each listing in the background, and each failure to connect. */
  onListing(listing: ToolListing): Promise<void>;
  onFailure(failure: string): Promise<void>;
}

export type McpState = 'CONNECTED' | 'CONNECTING' | 'FAILED' | 'CLOSED';

export interface McpToolCall {
  tool: string;
  parameters: JsonObject;
  outputSchema: JsonObject | null;
  /** The limit for the whole call, including connecting. */
  timeoutMs: number;
  /** Whether it may be called again, whatever the outcome. */
  idempotent: boolean;
}

/** The context of a call, with a person's answers. */
export type CallContext = SkillContext & { given?: readonly GivenInput[] };

/**
 * The supervised connection to one server. Opens on first use and closes when idle. After a failure it pauses, longer
 * each time, so that nobody waits in vain.
 */
export class McpConnection {
  private session: McpSession | null = null;
  private opening: Promise<McpSession> | null = null;
  private listing: Promise<ToolListing> | null = null;
  private readonly circuit: ServerCircuit;
  private listedAtMs: number;
  private ttlMs: number | null = null;
  private running = 0;
  private isClosed = false;
  private readonly timers = new Set<() => void>();
  private readonly closing = new Set<Promise<void>>();
  private readonly waiting: WaitingCalls;
  private cancelListing: (() => void) | null = null;
  private cancelIdle: (() => void) | null = null;

  constructor(
    private readonly server: McpServerLink,
    private readonly options: McpConnectionOptions,
  ) {
    this.circuit = new ServerCircuit(options.clock);
    this.waiting = new WaitingCalls(server, {
      later: (ms, work) => this.later(ms, work),
      onHeld: () => void (this.running += 1),
      onLetGo: () => {
        this.running -= 1;
        this.scheduleIdleClose();
      },
    });
    this.listedAtMs = options.listedAt?.getTime() ?? 0;
  }

  get state(): McpState {
    if (this.session) return 'CONNECTED';
    if (this.opening) return 'CONNECTING';
    return this.circuit.lastFailure === null ? 'CLOSED' : 'FAILED';
  }

  /** Why it cannot be used now, in words for people. Null: no known reason. */
  get failure(): string | null {
    return this.session ? null : this.circuit.failure;
  }

  /** Like `failure`, even while it is being tried again. */
  get trouble(): string | null {
    return this.session ? null : this.circuit.lastFailure;
  }

  get isBusy(): boolean {
    return this.running > 0 || this.opening !== null;
  }

  /** Lists the server's tools. Concurrent callers share one listing. Rejects with McpFailure. */
  list(): Promise<ToolListing> {
    this.listing ??= this.listNow().finally(() => {
      this.listing = null;
    });
    return this.listing;
  }

  /** Like `list`, but calls `onListing`. */
  listInBackground(): void {
    if (this.isClosed) return;
    this.list()
      .then((listing) => this.options.onListing(listing))
      .catch((error: unknown) => this.note('the tools of an MCP server could not be listed', error));
  }

  /** Rejects with SkillError in words for the model, InputNeeded, or the signal's reason. */
  async call(call: McpToolCall, input: JsonObject, context: CallContext): Promise<JsonValue> {
    this.running += 1;
    this.cancelIdle?.();
    try {
      const request = this.requestOf(call, input, context);
      const outcome = await this.goOn(call, request, context);
      this.circuit.worked();
      if (!outcome.result) throw this.waiting.inputNeeded(outcome, context);
      return this.server.echo.value(resultOf(outcome.result, call.outputSchema));
    } catch (error) {
      if (error instanceof SkillError || error instanceof McpFailure)
        throw skillErrorOf(error, call.idempotent, this.server.echo);
      throw error;
    } finally {
      this.running -= 1;
      this.scheduleIdleClose();
    }
  }

  /** Forgets past failures: the next call tries at once. */
  forgive(): void {
    this.circuit.release();
    this.circuit.worked();
  }

  /** Closes it for good. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const cancel of this.timers) cancel();
    this.timers.clear();
    this.cancelIdle?.();
    await this.opening?.catch(() => undefined);
    this.drop();
    await Promise.all(this.closing);
  }

  /** Opens it, unless it is open. Rejects with McpFailure. */
  async open(): Promise<McpSession> {
    if (this.isClosed) throw closedFailure();
    if (this.session) return this.session;
    if (this.failure !== null) throw unreachable(this.failure);
    this.opening ??= this.openNow().finally(() => {
      this.opening = null;
    });
    return this.opening;
  }

  private get nowMs(): number {
    return this.options.clock.now().getTime();
  }

  private async openNow(): Promise<McpSession> {
    let opened: McpSession | null = null;
    try {
      const session = await McpSession.open(this.server.open(), this.server.echo, {
        onChanged: () => this.listAfterChange(),
        onClosed: () => opened && this.onLost(opened),
        onTrouble: (error) => this.note('trouble with an MCP server', error),
      });
      if (this.isClosed) {
        await session.close();
        throw closedFailure();
      }
      opened = session;
      this.session = session;
      const wasAway = this.circuit.lastFailure !== null;
      this.circuit.opened();
      this.scheduleIdleClose();
      // A new listing also shows that the server is back. Its tools may have changed.
      if (!this.listing && wasAway) this.listInBackground();
      else if (!this.listing) this.listIfOld();
      return session;
    } catch (error) {
      const failure = mcpFailureOf(error, this.server.echo);
      this.fail(failure.message);
      this.note('an MCP server cannot be reached', failure);
      throw this.isClosed ? closedFailure(failure) : failure;
    }
  }

  private async listNow(): Promise<ToolListing> {
    const found = await this.withSession((session) => session.list());
    const listing = this.server.echo.value(found);
    this.listedAtMs = this.nowMs;
    this.ttlMs = listing.ttlMs;
    this.planListing();
    return listing;
  }

  /** Calls the tool, or passes answers to a waiting server. */
  private async goOn(call: McpToolCall, request: ToolCall, { callId }: CallContext): Promise<ToolOutcome> {
    const waiting = this.waiting.answer(callId, request, call.idempotent);
    // Without the held call, a new one begins, in which the server asks again.
    return waiting ?? this.send(request.given[0]?.request.isLive ? { ...request, given: [] } : request);
  }

  private requestOf(call: McpToolCall, input: JsonObject, context: CallContext): ToolCall {
    const { tool, parameters, timeoutMs } = call;
    return {
      tool,
      parameters,
      input,
      given: context.given ?? [],
      timeoutMs: requestMsOf(timeoutMs),
      signal: context.signal,
      onProgress: ({ progress, total, message }) => {
        const share = total === undefined ? `${progress}` : `${progress}/${total}`;
        context.progress(this.server.echo.text(message ?? share));
      },
    };
  }

  private async send(request: ToolCall): Promise<ToolOutcome> {
    const { signal, timeoutMs } = request;
    const endsAtMs = performance.now() + timeoutMs;
    const leftMs = (): number => Math.max(1, Math.ceil(endsAtMs - performance.now()));
    const outcome = await this.withSession(
      (session) => session.call({ ...request, timeoutMs: leftMs() }),
      signal,
    );
    this.listIfOld();
    return outcome;
  }

  private async withSession<T>(
    work: (session: McpSession) => Promise<T>,
    signal?: AbortSignal,
    isAgain = false,
  ): Promise<T> {
    const session = await rejectOnAbort(() => this.open(), signal);
    try {
      return await work(session);
    } catch (error) {
      if (!(error instanceof McpFailure)) throw error;
      if (this.isClosed) throw closedFailure(error);
      // The call was not carried out, because the server forgot the session.
      if (error.kind === 'STALE' && !isAgain) {
        this.drop(session);
        return this.withSession(work, signal, true);
      }
      this.recordFailure(session, error, signal === undefined);
      throw error;
    }
  }

  /** Decides whether a failed request counts against the server. A tool may be slow or refuse; a listing may not. */
  private recordFailure(session: McpSession, { kind, message }: McpFailure, isListing: boolean): void {
    if (kind === 'REFUSED') this.circuit.answered();
    const isSilent = kind === 'UNANSWERED' && this.circuit.wasSilent();
    const isAway = kind === 'AWAY' || kind === 'STALE';
    if (!isAway && !isSilent && !isListing) return;
    if (this.drop(session)) this.fail(message);
  }

  private fail(message: string): void {
    if (this.isClosed) return;
    const pauseMs = this.circuit.failed(message);
    this.options
      .onFailure(message)
      .catch((error: unknown) => this.note('an MCP server was not noted as away', error));
    if (this.reopens) this.later(pauseMs, () => this.reopen());
  }

  private get reopens(): boolean {
    const { reopens } = this.options;
    return (
      reopens === 'always' ||
      (reopens === 'until-listed' && this.listedAtMs === 0 && this.circuit.failures < MAX_TRIES)
    );
  }

  private reopen(): void {
    this.circuit.release(); // timers are up to a millisecond early
    this.listInBackground();
  }

  private onLost(session: McpSession): void {
    if (this.drop(session)) this.fail('The server broke off the connection.');
  }

  /** Whether it was the current session. */
  private drop(session = this.session): boolean {
    if (!session) return false;
    const wasInUse = this.session === session;
    if (wasInUse) {
      this.session = null;
      this.circuit.dropped();
    }
    const closed = session.close().finally(() => this.closing.delete(closed));
    this.closing.add(closed);
    return wasInUse;
  }

  private listIfOld(): void {
    if (this.nowMs - this.listedAtMs >= this.listingLastsMs) this.listInBackground();
  }

  private get listingLastsMs(): number {
    return Math.min(Math.max(LIST_AGAIN_MS, this.ttlMs ?? 0), MAX_TTL_MS);
  }

  /** Servers need not report changes, nor their end. */
  private planListing(): void {
    if (this.options.reopens !== 'always') return;
    this.cancelListing?.();
    this.cancelListing = this.later(this.listingLastsMs, () => this.listInBackground());
  }

  private listAfterChange(): void {
    // A running listing may have begun before the change.
    const sinceMs = this.listing ? 0 : this.nowMs - this.listedAtMs;
    if (sinceMs >= MIN_BETWEEN_LISTINGS_MS) this.listInBackground();
    else this.later(MIN_BETWEEN_LISTINGS_MS - sinceMs, () => this.listInBackground());
  }

  /** Closes it later, unless it is used. */
  private scheduleIdleClose(): void {
    const { idleMs } = this.options;
    this.cancelIdle?.();
    this.cancelIdle = null;
    if (idleMs === null || this.running > 0 || this.isClosed) return;
    this.cancelIdle = this.options.clock.after(idleMs, () => void this.drop());
  }

  private later(ms: number, work: () => void): () => void {
    if (this.isClosed) return () => undefined;
    const cancel = this.options.clock.after(ms, () => {
      this.timers.delete(cancel);
      work();
    });
    this.timers.add(cancel);
    return () => {
      cancel();
      this.timers.delete(cancel);
    };
  }

  private note(message: string, error: unknown): void {
    const words = error instanceof Error ? this.server.echo.text(singleLine(error.message, 500)) : '';
    this.options.logger.debug({ server: this.server.key, words }, message);
  }
}
