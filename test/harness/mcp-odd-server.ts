import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { LocalSite } from '@palabre/outbound/local-site.double.js';
import type { JsonObject, JsonValue } from '@palabre/json';

/** What is to become of a request besides an answer. */
export type Reply =
  | { result: JsonValue }
  | { error: { code: number; message: string } }
  | { status: number; error?: { code: number; message: string } }
  | { raw: string; type?: string }
  | 'hang'
  | 'cut'
  | 'close';

interface Message extends JsonObject {
  method: string;
  params: JsonObject;
}

/** A server of the protocol of 2025 that behaves as it is told to. */
export class OddServer implements AsyncDisposable {
  /** The methods it was asked for, in order. */
  readonly asked: string[] = [];
  /** The headers of the last request. */
  headers: IncomingMessage['headers'] = {};
  tools: JsonObject[] = [{ name: 'echo', inputSchema: { type: 'object' } }];
  /** Of `tools/list`; pages of this size. */
  pageSize = Number.POSITIVE_INFINITY;
  onCall: (params: JsonObject) => Reply | Promise<Reply> = (params) => ({
    result: { content: [{ type: 'text', text: JSON.stringify(params.arguments) }] },
  });
  onAny: (message: Message) => Reply | null = () => null;
  private site!: LocalSite;
  private readonly streams = new Set<ServerResponse>();
  private readonly heard = new Map<string, () => void>();
  private session = 1;

  static async start(): Promise<OddServer> {
    const server = new OddServer();
    server.site = await LocalSite.start((request, response) => void server.serve(request, response));
    return server;
  }

  get url(): string {
    return `${this.site.url}/mcp`;
  }

  get host(): string {
    return this.site.host;
  }

  /** Resolves when it is next asked for this. */
  hears(method: string): Promise<void> {
    return new Promise((resolve) => this.heard.set(method, resolve));
  }

  /** Forgets who it has spoken to. */
  forget(): void {
    this.session += 1;
  }

  tellOfChange(): void {
    for (const stream of this.streams) {
      stream.write('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n');
    }
  }

  get openStreams(): number {
    return this.streams.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.site[Symbol.asyncDispose]();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.headers = request.headers;
    if (request.method === 'GET') return this.openStream(response);
    if (request.method === 'DELETE') return this.hear('DELETE', () => response.writeHead(200).end());
    const message = JSON.parse(await text(request)) as Message & { id?: number };
    this.hear(message.method, () => undefined);
    const isNew = message.method === 'initialize' || message.method === 'server/discover';
    if (!isNew && request.headers['mcp-session-id'] !== String(this.session)) {
      return void response.writeHead(404).end();
    }
    if (message.id === undefined) return void response.writeHead(202).end();
    await this.reply(message.id, this.onAny(message) ?? (await this.replyTo(message)), response);
  }

  private replyTo({ method, params }: Message): Reply | Promise<Reply> {
    if (method === 'initialize') {
      const serverInfo = { name: 'odd', version: '1' };
      const capabilities = { tools: { listChanged: true } };
      return { result: { protocolVersion: '2025-06-18', capabilities, serverInfo } };
    }
    if (method === 'tools/list') return { result: this.page(Number(params?.cursor ?? 0)) };
    if (method === 'tools/call') return this.onCall(params);
    return { error: { code: -32_601, message: 'Method not found' } };
  }

  private page(from: number): JsonObject {
    const to = from + this.pageSize;
    const page: JsonObject = { tools: this.tools.slice(from, to) };
    return to < this.tools.length ? { ...page, nextCursor: String(to) } : page;
  }

  private async reply(id: number, reply: Reply, response: ServerResponse): Promise<void> {
    if (reply === 'hang') return;
    if (reply === 'cut') return void response.socket?.destroy();
    if (reply === 'close') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': nothing follows\n\n');
      return void response.end();
    }
    if ('status' in reply) {
      const { status, error } = reply;
      const said = error && JSON.stringify({ jsonrpc: '2.0', id, error });
      return void response.writeHead(status, { 'content-type': 'application/json' }).end(said);
    }
    const body = 'raw' in reply ? reply.raw : JSON.stringify({ jsonrpc: '2.0', id, ...reply });
    const type = 'raw' in reply ? (reply.type ?? 'application/json') : 'application/json';
    response.writeHead(200, { 'content-type': type, 'mcp-session-id': String(this.session) }).end(body);
    await once(response, 'close');
  }

  private openStream(response: ServerResponse): void {
    this.hear('GET', () => undefined);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    this.streams.add(response);
    response.on('close', () => this.streams.delete(response));
  }

  private hear(method: string, then: () => void): void {
    this.asked.push(method);
    this.heard.get(method)?.();
    then();
  }
}
