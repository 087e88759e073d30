import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { LocalSite } from '@palabre/outbound/local-site.double.js';

/** A server of the protocol of 2026-07-28, without sessions. */
export class ServerOfToday implements AsyncDisposable {
  /** Further tools, by name; tell of it by `changed`. */
  readonly more = new Set<string>();
  /** What calls of `add` said which trace they belong to. */
  readonly traceparents: unknown[] = [];
  /** A page that `deploy` wants to be opened, in place of an answer; null: it asks for the answer. */
  page: string | null = null;
  /** Resolves when a call of `wait` has been ended by its caller. */
  readonly left = Promise.withResolvers<void>();
  private readonly handler = createMcpHandler(() => this.make());

  private constructor(private readonly site: { current: LocalSite | null }) {}

  static async start(): Promise<ServerOfToday> {
    const server = new ServerOfToday({ current: null });
    server.site.current = await LocalSite.start((request, response) => {
      const gone = new AbortController();
      response.on('close', () => gone.abort());
      const asked = new Request(`http://localhost${request.url}`, {
        method: request.method ?? 'GET',
        headers: request.headers as Record<string, string>,
        signal: gone.signal,
        ...(request.method === 'POST' && { body: Readable.toWeb(request) as never, duplex: 'half' }),
      });
      void server.handler.fetch(asked).then((answer) => {
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        if (!answer.body) return response.end();
        return Readable.fromWeb(answer.body as ReadableStream)
          .on('error', () => undefined)
          .pipe(response);
      });
    });
    return server;
  }

  get url(): string {
    return `${this.site.current!.url}/mcp`;
  }

  get host(): string {
    return this.site.current!.host;
  }

  get requests(): readonly string[] {
    return this.site.current!.requests;
  }

  changed(): void {
    this.handler.notify.toolsChanged();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.handler.close();
    await this.site.current?.[Symbol.asyncDispose]();
  }

  private make(): McpServer {
    const server = new McpServer(
      { name: 'today', version: '1.0.0' },
      { capabilities: { tools: { listChanged: true } } },
    );
    server.registerTool(
      'add',
      {
        title: 'Add',
        description: 'Adds two numbers.',
        inputSchema: z.object({ a: z.number(), b: z.number() }),
        outputSchema: z.object({ sum: z.number() }),
        annotations: { readOnlyHint: true },
      },
      ({ a, b }, context) => {
        this.traceparents.push(context.mcpReq._meta?.traceparent);
        return { content: [{ type: 'text', text: String(a + b) }], structuredContent: { sum: a + b } };
      },
    );
    server.registerTool('deploy', { description: 'Asks back.', inputSchema: z.object({}) }, (_, context) => {
      const { inputResponses, requestState } = context.mcpReq;
      if (inputResponses)
        return { content: [{ type: 'text', text: JSON.stringify([inputResponses, requestState()]) }] };
      return inputRequired({
        inputRequests: {
          where: this.page
            ? inputRequired.elicitUrl({ message: 'Sign in there.', url: this.page })
            : inputRequired.elicit({
                message: 'Where to?',
                requestedSchema: z.object({ region: z.string().describe('Of the data centre') }),
              }),
        },
        requestState: 'deployment 7',
      });
    });
    server.registerTool('wait', { description: 'Waits.', inputSchema: z.object({}) }, async (_, context) => {
      const { signal, notify } = context.mcpReq;
      const token = context.mcpReq._meta?.progressToken ?? 0;
      await notify({
        method: 'notifications/progress',
        params: { progressToken: token, progress: 1, total: 2, message: 'Half of it' },
      });
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      this.left.resolve();
      return { content: [] };
    });
    for (const name of this.more) {
      server.registerTool(name, { description: 'Another one.', inputSchema: z.object({}) }, () => ({
        content: [{ type: 'text', text: name }],
      }));
    }
    return server;
  }
}
