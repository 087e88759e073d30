import type {
  CallToolResult,
  ClientCapabilities,
  InputRequiredResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
  ToolAnnotations,
} from '@modelcontextprotocol/server';

import type { ApiKeyScope, Viewer } from '../../companies/auth/viewer.js';
import type { Doors } from '../doors.service.js';

export interface Caller {
  viewer: Viewer;
  /** What an answer may ask of the client. Null: a 2025 client, which supports nothing. */
  capabilities: () => ClientCapabilities | null;
}

/** Whether the caller has one of these scopes. People have what their role allows. */
export function may({ viewer: { scopes } }: Caller, ...needed: ApiKeyScope[]): boolean {
  return scopes === null || needed.some((scope) => scopes.includes(scope));
}

/** The most items of a list. */
export const MAX_LISTED = 500;

interface Tool<Input extends StandardSchemaWithJSON> {
  title: string;
  description: string;
  inputSchema: Input;
  outputSchema?: StandardSchemaWithJSON;
  annotations: ToolAnnotations;
}

/** Adds a tool whose errors hide internals. The library would show any error's message. */
export function addTool<Input extends StandardSchemaWithJSON>(
  server: McpServer,
  doors: Doors,
  name: string,
  { outputSchema, ...tool }: Tool<Input>,
  run: (
    input: StandardSchemaWithJSON.InferOutput<Input>,
    context: ServerContext,
  ) => Promise<CallToolResult | InputRequiredResult>,
): void {
  const callback = async (
    input: StandardSchemaWithJSON.InferOutput<Input>,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> => {
    try {
      return await run(input, context);
    } catch (error) {
      // The client is gone.
      if (context.mcpReq.signal.aborted) return failedResult('The call was ended by the client.');
      const { code, message } = doors.describe(error);
      return failedResult(`${code}: ${message}`);
    }
  };
  server.registerTool(name, { ...tool, ...(outputSchema && { outputSchema }) }, callback as never);
}

export function failedResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** The URI of a document as a resource, from passage `from` on (0: the first). */
export function documentUri(id: string, from = 0): string {
  return from === 0 ? `palabre://documents/${id}` : `palabre://documents/${id}/from/${from}`;
}
