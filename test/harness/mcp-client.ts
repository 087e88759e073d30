import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JsonObject } from '@palabre/json';

export const eras = ['2026-07-28', '2025-11-25'] as const;
export type Era = (typeof eras)[number];

/** A client of Palabre's door for MCP, of the era. */
export async function mcpClient(
  { url, token }: { url: string; token: string | null },
  era: Era,
  fetch?: typeof globalThis.fetch,
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' },
    },
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
      ...(fetch && { fetch }),
    }),
  );
  return client;
}

/** What a tool has given, as far as tests look at it. */
export interface Given {
  report: JsonObject & { turnId: string; conversationId: string };
  text: string;
  isError: boolean;
}

export async function callTool(
  client: Client,
  name: string,
  input: JsonObject,
  options: Parameters<Client['callTool']>[1] = {},
): Promise<Given> {
  const result = await client.callTool({ name, arguments: input }, options);
  const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  const report = (result.structuredContent ?? {}) as Given['report'];
  return { report, text, isError: result.isError === true };
}
