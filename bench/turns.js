/**
 * What a turn costs: startTurn over HTTP, its events over one WebSocket, a model that answers at once with 200
 * chunks of text after one skill call. Prints milliseconds to the first text and to TurnDone, and CPU a turn.
 *
 *   npm run build -- --with-doubles && node bench/turns.js [turns=200] [at once=20]
 *
 * On the embedded database, or on DATABASE_URL (an empty database). Client, model and server share this process.
 */
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

import { signToken } from '../dist/companies/auth/token-signer.js';
import { createLogger } from '../dist/common/process/logger.js';
import { readConfig } from '../dist/common/config/read-config.js';
import { finish, text, toolCall } from '../dist/llm/scripted-chat-model.double.js';
import { startScriptedProvider } from '../dist/llm/scripted-provider.double.js';
import { startServer } from '../dist/app/server.js';

const [turns = 200, atOnce = 20] = process.argv.slice(2).map(Number);
const secret = 'only for this benchmark, 32 characters';

const answer = [...Array.from({ length: 200 }, (_, index) => text(`mot${index} `)), finish()];
const provider = await startScriptedProvider((request) =>
  request.messages.at(-1).role === 'tool' ? answer : [toolCall('get_company_profile', {}), finish()],
);

const config = readConfig({
  // To be run once with OTEL_EXPORTER_OTLP_ENDPOINT and once without.
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('OTEL_'))),
  ...(process.env.DATABASE_URL ? { DATABASE_URL: process.env.DATABASE_URL } : {}),
  PORT: '0',
  MAX_TURNS: String(atOnce),
  MAX_OPERATIONS_PER_MINUTE: '1000000',
  MAX_THREAD_MS_PER_MINUTE: '1000000',
  AUTH_SECRET: secret,
  LLM_BASE_URL: provider.baseUrl,
  LLM_MODEL: 'scripted',
});
const location = config.database.url === null ? { ...config, dataDir: null } : config;
const server = await startServer(config, createLogger({ level: 'error', pretty: false }), { location });
const token = await signToken(secret, { sub: 'bench', company: 'demo', role: 'ADMIN' }, 3600);
const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
const socket = createClient({
  url: `${server.url.replace('http', 'ws')}/graphql`,
  webSocketImpl: WebSocket,
  lazy: false,
  connectionParams: { authorization: headers.authorization },
});

const START = `mutation { startTurn(input: { assistantKey: "mefali", message: "Bonjour" }) { ... on TurnAccepted { turn { id } } } }`;
const EVENTS = `subscription ($id: ID!) { turnEvents(turnId: $id) { __typename sequence ... on TextDelta { text } } }`;

async function ask() {
  const began = performance.now();
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query: START }),
  });
  const { data } = await response.json();
  let firstText = null;
  let events = 0;
  for await (const { data: event } of socket.iterate({
    query: EVENTS,
    variables: { id: data.startTurn.turn.id },
  })) {
    events += 1;
    if (event.turnEvents.__typename === 'TextDelta') firstText ??= performance.now() - began;
  }
  return { firstText, done: performance.now() - began, events };
}

async function run(count) {
  const results = [];
  let left = count;
  const worker = async () => {
    while (left-- > 0) results.push(await ask());
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

function percentile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)].toFixed(1);
}

await run(atOnce * 2);
const cpu = process.cpuUsage();
const began = performance.now();
const results = await run(turns);
const seconds = (performance.now() - began) / 1000;
const { user, system } = process.cpuUsage(cpu);

function row(name, values) {
  return {
    name,
    p50: percentile(values, 0.5),
    p95: percentile(values, 0.95),
    p99: percentile(values, 0.99),
  };
}
console.log(`${turns} turns, ${atOnce} at once, ${config.database.url === null ? 'embedded' : 'PostgreSQL'}`);
console.table([
  row(
    'first text, ms',
    results.map(({ firstText }) => firstText),
  ),
  row(
    'TurnDone, ms',
    results.map(({ done }) => done),
  ),
  row(
    'events',
    results.map(({ events }) => events),
  ),
]);
console.log(
  `${(turns / seconds).toFixed(1)} turns/s, ${((user + system) / 1000 / turns).toFixed(1)} ms of CPU a turn (client and model included)`,
);
await socket.dispose();
await server.close();
await provider.close();
