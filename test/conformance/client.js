/**
 * What the conformance suite runs to try the product's MCP client: connects to the address it is given, signs in if it
 * has to, lists the tools, calls each, and says yes to whatever the server asks.
 */
import { UndiciOutboundHttp } from '@palabre/outbound';

import { authorizationFetch, beginSignIn, finishSignIn } from '../../dist/skills/mcp/oauth/oauth-flow.js';
import { mayAskFor, readScope, widerChallenge } from '../../dist/skills/mcp/oauth/scopes.js';
import { HttpLink } from '../../dist/skills/mcp/client/http-link.js';
import { McpSession } from '../../dist/skills/mcp/client/mcp-session.js';

const url = process.argv.at(-1);
const timeoutMs = 10_000;
const echo = { text: (words) => words, value: (value) => value };
const http = new UndiciOutboundHttp({ allow: ['localhost', '127.0.0.1'] });
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const link = new HttpLink(http, { url, headers: {}, timeoutMs, isOperators: true, authorization: signsIn() });
const nothing = () => undefined;

const session = await McpSession.open(link, echo, {
  onChanged: nothing,
  onClosed: nothing,
  onTrouble: nothing,
});
const { tools } = await session.list();
const { toolCalls } = context;
const known = new Map(tools.map(({ name, parameters }) => [name, parameters]));
const calls =
  toolCalls?.map(({ name, arguments: input }) => ({ name, input })) ??
  tools.map(({ name, parameters }) => ({ name, input: inputFor(parameters) }));
// Of several calls some are meant to fail.
for (const { name, input } of calls) await call(name, known.get(name) ?? {}, input).catch(nothing);
await session.close();
await http.close?.();

/** A person who agrees at once, and what is stored of their sign-in. */
function signsIn() {
  const fetchFn = authorizationFetch(http, 'conformance', AbortSignal.timeout(30_000));
  const redirectUri = 'http://localhost:4823/auth/mcp/callback';
  const documentUrl = 'https://conformance-test.local/client-metadata.json';
  const given = context.client_id
    ? { clientId: context.client_id, clientSecret: context.client_secret, isMachine: false }
    : null;
  let grant = { challenge: {}, parties: null, tokens: null };
  const signIn = async (challenge) => {
    const addresses = { redirectUri, documentUrl };
    const begun = await beginSignIn(url, { challenge, given, addresses, state: 'state', fetchFn });
    const { headers } = await fetch(begun.url, { redirect: 'manual' });
    const back = new URL(headers.get('location')).searchParams;
    const answer = { code: back.get('code'), iss: back.get('iss') ?? undefined, redirectUri };
    grant = { challenge, parties: begun, tokens: await finishSignIn(begun, answer, fetchFn) };
    return grant.tokens.accessToken;
  };
  return {
    token: async () => grant.tokens?.accessToken,
    renew: (_refused, challenge) => signIn(challenge ?? {}),
    widen: async (_refused, lacking) => {
      const scope = readScope(lacking);
      if (scope === null || !mayAskFor(scope, grant)) throw new Error('There is no more to be asked for.');
      return signIn(widerChallenge(grant, scope));
    },
  };
}

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
