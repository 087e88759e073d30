/**
 * What the conformance suite runs to try the product's MCP client: connects to the address it is given, lists the tools,
 * calls each, and says yes to whatever the server asks.
 */
import { UndiciOutboundHttp } from '@palabre/outbound';

import { HttpLink } from '../../dist/skills/mcp/client/http-link.js';
import { McpSession } from '../../dist/skills/mcp/client/mcp-session.js';

const url = process.argv.at(-1);
const timeoutMs = 10_000;
const echo = { text: (words) => words, value: (value) => value };
const http = new UndiciOutboundHttp({ allow: [] });
const link = new HttpLink(http, { url, headers: {}, timeoutMs, isOperators: true });
const nothing = () => undefined;

const session = await McpSession.open(link, echo, {
  onChanged: nothing,
  onClosed: nothing,
  onTrouble: nothing,
});
const { tools } = await session.list();
const { toolCalls } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const known = new Map(tools.map(({ name, parameters }) => [name, parameters]));
const calls =
  toolCalls?.map(({ name, arguments: input }) => ({ name, input })) ??
  tools.map(({ name, parameters }) => ({ name, input: inputFor(parameters) }));
// Of several calls some are meant to fail.
for (const { name, input } of calls) await call(name, known.get(name) ?? {}, input).catch(nothing);
await session.close();
await http.close?.();

async function call(tool, parameters, input) {
  const signal = AbortSignal.timeout(timeoutMs);
  const asked = { tool, parameters, input, given: [], timeoutMs, signal, onProgress: nothing };
  let outcome = await session.call(asked);
  for (let round = 0; outcome.question && round < 5; round += 1) {
    const { inputRequests, requestState } = outcome.question;
    if (outcome.live) {
      const { requestedSchema } = Object.values(inputRequests)[0].params;
      outcome.live.live.answer({ action: 'accept', content: inputFor(requestedSchema ?? {}) });
      outcome = await session.follow(outcome.live.live, asked);
      continue;
    }
    const given = Object.entries(inputRequests ?? {}).map(([name, { params }]) => ({
      request: { name, state: requestState ?? null, url: params.url ?? null },
      action: 'accept',
      content: inputFor(params.requestedSchema ?? {}),
    }));
    outcome = await session.call({ ...asked, given });
  }
}

/** Something of each type that is asked for. */
function inputFor({ properties = {} }) {
  const samples = { string: 'text', number: 2, integer: 2, boolean: true, array: [], object: {} };
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type, enum: choices, default: usual }]) => [
      name,
      usual ?? choices?.[0] ?? samples[type] ?? 'text',
    ]),
  );
}
