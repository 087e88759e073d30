import {
  type CallToolResult,
  Client,
  type InputRequiredResult,
  type JSONRPCMessage,
  isInputRequiredResult,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { JsonObject } from '@palabre/json';
import { rejectOnAbort } from '@palabre/async';

import type { HeldCalls } from '../../../conversations/turns/claims/turn-queue.service.js';
import { product } from '../../../common/product.js';
import { describeSpan, traceHeaders } from '../../../platform/tracing/span.js';
import type { SecretEcho } from '../../http/secret-echo.js';
import type { GivenInput } from '../../skill.js';
import { elicitResultOf, shownElicitation } from './input-requests.js';
import { type LiveCall, LiveCalls, MAX_LIVE_SECONDS } from './live-call.js';
import { McpFailure, mcpFailureOf, sentFailure } from './mcp-failure.js';
import { readListing, type ToolListing, ToolPage } from './mcp-tools.js';
import type { ToolResult } from './tool-result.js';

const CONNECT_LIMIT_MS = 10_000;
/** A server that does not answer the modern handshake in this time speaks the older protocol. */
const ERA_LIMIT_MS = 3_000;
const LIST_LIMIT_MS = 20_000;
const CHANGES_DEBOUNCE_MS = 300;

/** The transport to a server. It is opened once. */
export interface McpLink {
  readonly transport: Transport;
  /** Closes it with everything that belongs to it, in any state. May be called again. */
  dispose(): Promise<void>;
}

export interface McpServerLink {
  /** Its key, for the log. */
  key: string;
  /** Removes secrets from everything that the server says. */
  echo: SecretEcho;
  /** Calls of this process whose server waits for people. */
  held: HeldCalls;
  open(): McpLink;
}

interface SessionEvents {
  onChanged(): void;
  onClosed(): void;
  /** Logs problems that are not answers. */
  onTrouble(error: Error): void;
}

export interface ToolCall {
  tool: string;
  parameters: JsonObject;
  input: JsonObject;
  /** Answers to the server's questions in the previous call. */
  given: readonly GivenInput[];
  timeoutMs: number;
  signal: AbortSignal;
  onProgress(progress: { progress: number; total?: number | undefined; message?: string | undefined }): void;
}

export interface HeldCall {
  live: LiveCall;
  session: McpSession;
}

/** A tool's answer, or the server's questions before it. `live`: the server waits on the open call. */
export type ToolOutcome =
  | { result: ToolResult; question: null }
  | {
      result: null;
      question: Pick<InputRequiredResult, 'inputRequests' | 'requestState'>;
      live: HeldCall | null;
    };

/** An open connection to a server of either protocol version. All rejections are McpFailures. */
export class McpSession {
  private constructor(
    private readonly client: Client,
    private readonly link: McpLink,
    private readonly echo: SecretEcho,
    private readonly calls: LiveCalls,
  ) {}

  /** Rejects within ten seconds if there is no usable connection, and closes it. */
  static async open(link: McpLink, echo: SecretEcho, events: SessionEvents): Promise<McpSession> {
    const calls = new LiveCalls();
    const client = clientOf(events, calls);
    const overdue = AbortSignal.timeout(CONNECT_LIMIT_MS);
    const connected = client.connect(link.transport, { timeout: CONNECT_LIMIT_MS });
    try {
      await rejectOnAbort(() => connected, overdue);
      listenTo(client, { onclose: () => events.onClosed() });
      packAnswers(link.transport);
      return new McpSession(client, link, echo, calls);
    } catch (error) {
      await link.dispose();
      // A session that opens after the timeout is closed as well.
      void connected.then(
        () => link.dispose(),
        () => link.dispose(),
      );
      throw error === overdue.reason
        ? new McpFailure('UNANSWERED', 'The server did not answer in time.')
        : mcpFailureOf(error, echo);
    }
  }

  async list(): Promise<ToolListing> {
    if (!this.client.getServerCapabilities()?.tools) return { tools: [], notes: [], ttlMs: null };
    const signal = AbortSignal.timeout(LIST_LIMIT_MS);
    try {
      return await readListing((cursor) =>
        this.client.request(
          { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
          PackedPage,
          { signal, timeout: LIST_LIMIT_MS },
        ),
      );
    } catch (error) {
      throw mcpFailureOf(error, this.echo);
    }
  }

  /** Rejects with the signal's reason on abort, and tells the server. */
  async call(call: ToolCall): Promise<ToolOutcome> {
    call.signal.throwIfAborted();
    const live = this.calls.begin((signal) => this.request(call, signal));
    return this.follow(live, call);
  }

  /** Waits for a call's outcome or its next question. */
  async follow(
    live: LiveCall,
    { signal, timeoutMs }: Pick<ToolCall, 'signal' | 'timeoutMs'>,
  ): Promise<ToolOutcome> {
    try {
      const { result, question } = await live.next(signal, timeoutMs);
      if (question !== null) {
        const inputRequests = { question: { method: 'elicitation/create' as const, params: question } };
        return { result: null, question: { inputRequests }, live: { live, session: this } };
      }
      return isInputRequiredResult(result)
        ? { question: result, result: null, live: null }
        : { question: null, result: unpacked(result as CallToolResult) };
    } catch (error) {
      signal.throwIfAborted();
      throw sentFailure(mcpFailureOf(error, this.echo));
    }
  }

  private request(
    { tool, parameters, input, given, timeoutMs, onProgress }: ToolCall,
    signal: AbortSignal,
  ): Promise<unknown> {
    // With our own tool definition, the client accepts results that violate the server's.
    const toolDefinition: Tool = { name: tool, inputSchema: { ...parameters, type: 'object' } };
    const state = given[0]?.request.state ?? null;
    const answers = {
      ...(given.length > 0 && {
        inputResponses: Object.fromEntries(given.map((one) => [one.request.name, elicitResultOf(one)])),
      }),
      ...(state !== null && { requestState: state }),
    };
    // The follower stops the call in time. Meanwhile a person may be asked.
    const timeout = timeoutMs + 2 * MAX_LIVE_SECONDS * 1000;
    describeSpan((span) => span.set({ mcpMethod: 'tools/call' }));
    const trace = traceHeaders();
    return this.client.callTool(
      { name: tool, arguments: input, ...answers, ...(trace.traceparent && { _meta: trace }) },
      {
        signal,
        timeout,
        maxTotalTimeout: timeout,
        onprogress: onProgress,
        toolDefinition,
        allowInputRequired: true,
      },
    );
  }

  async close(): Promise<void> {
    listenTo(this.client, { onclose: () => undefined });
    await this.link.dispose();
    await this.client.close().catch(() => undefined);
  }
}

function clientOf({ onChanged, onTrouble }: SessionEvents, calls: LiveCalls): Client {
  const { name, version } = product;
  const client = new Client(
    { name, version },
    {
      capabilities: { elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: ERA_LIMIT_MS } },
      inputRequired: { autoFulfill: false },
      listChanged: {
        tools: { autoRefresh: false, debounceMs: CHANGES_DEBOUNCE_MS, onChanged: () => onChanged() },
      },
    },
  );
  listenTo(client, { onerror: onTrouble });
  // For servers of 2025. Later ones ask in the answer to a call.
  client.setRequestHandler('elicitation/create', ({ params }) =>
    shownElicitation(params) ? calls.ask(params) : { action: 'cancel' },
  );
  return client;
}

/** Wraps the client's own listener. */
function packAnswers(transport: Transport): void {
  const { onmessage } = transport;
  if (!onmessage) return;
  const onPacked: NonNullable<Transport['onmessage']> = (message, extra) =>
    onmessage(packed(message as JSONRPCMessage), extra);
  Object.assign(transport, { onmessage: onPacked });
}

/** Each kind has one listener. */
function listenTo(client: Client, listeners: Partial<Pick<Client, 'onclose' | 'onerror'>>): void {
  return void Object.assign(client, listeners);
}

const ORIGINAL = 'palabre/original';

/**
 * Hides from the client's validation the parts for which it would refuse a whole answer: the tools of a page, and the
 * result of a finished call. Other messages stay unchanged.
 */
function packed(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message)) return message;
  const { tools, content, structuredContent, ...others } = message.result;
  const isPage = Array.isArray(tools);
  if (!isPage && content === undefined && structuredContent === undefined) return message;
  const stand = isPage ? { tools: [] } : { content: [] };
  const result = { ...others, ...stand, _meta: { [ORIGINAL]: { tools, content, structuredContent } } };
  return { ...message, result };
}

const PackedPage = z
  .object({
    _meta: z.object({ [ORIGINAL]: ToolPage.pick({ tools: true }) }),
    ...ToolPage.omit({ tools: true }).shape,
  })
  .transform(({ _meta, ...others }) => ({ ...others, ..._meta[ORIGINAL] }));

function unpacked({ isError, _meta }: CallToolResult): ToolResult {
  return { isError, ...(_meta?.[ORIGINAL] as Omit<ToolResult, 'isError'> | undefined) };
}
