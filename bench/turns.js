/**
 * What a turn costs: startTurn over HTTP, its events over one WebSocket, a model that answers at once with 200
 * chunks of text after one skill call. Prints milliseconds to the first text and to TurnDone, and CPU a turn; then the
 * same, one at a time, in a conversation that has just begun and in one of 20,000 messages and 200 branches.
 *
 *   npm run build -- --with-doubles && node bench/turns.js [turns=200] [at once=20]
 *
 * On the embedded database, or on DATABASE_URL (an empty database). Client, model and server share this process.
 */
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { startScriptedProvider } from '@palabre/llm-client/scripted-provider.double.js';

import { signToken } from '../dist/companies/auth/token-signer.js';
import { createLogger } from '../dist/common/process/logger.js';
import { readConfig } from '../dist/common/config/read-config.js';
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

const LONG = { messages: 20_000, branches: 200, turns: 50 };
const START = `mutation ($input: StartTurnInput!) { startTurn(input: $input) {
  ... on TurnAccepted { turn { id question { id } } conversation { id } } } }`;
const IMPORT = 'mutation ($input: ImportConversationInput!) { importConversation(input: $input) { id } }';
const EVENTS = `subscription ($id: ID!) { turnEvents(turnId: $id) { __typename sequence ... on TextDelta { text } } }`;

async function request(query, input) {
  const body = JSON.stringify({ query, variables: { input } });
  const response = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body });
  const { data, errors } = await response.json();
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

async function ask(input = { assistantKey: 'mefali' }) {
  const began = performance.now();
  const { startTurn } = await request(START, { message: 'Bonjour', ...input });
  const started = performance.now() - began;
  let firstText = null;
  let events = 0;
  for await (const { data: event } of socket.iterate({
    query: EVENTS,
    variables: { id: startTurn.turn.id },
  })) {
    events += 1;
    if (event.turnEvents.__typename === 'TextDelta') firstText ??= performance.now() - began;
  }
  return { ...startTurn, started, firstText, done: performance.now() - began, events };
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

/** One of many messages, whose last question was asked in other words again and again. */
async function longConversation() {
  const messages = Array.from({ length: 1_000 }, (_, index) => ({
    role: index % 2 === 0 ? 'USER' : 'ASSISTANT',
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
    text: `Message ${index} about the budget, the suppliers and the meters of the year.`,
  }));
  const { importConversation } = await request(IMPORT, { assistantKey: 'mefali', messages });
  const { company } = await request('{ company { id } }');
  // More than may be imported at once. They come before the others.
  await server.resources.database.transaction(company.id, (tx) =>
    tx.query(
      `INSERT INTO message (company_id, id, conversation_id, branch_id, role, status, text)
       SELECT company_id, ('01000000-0000-7000-8000-' || lpad(to_hex(copy * 1000 + row_number() OVER (PARTITION BY copy ORDER BY id)), 12, '0'))::uuid,
         conversation_id, branch_id, role, status, text
       FROM message CROSS JOIN generate_series(1, $2) AS copy WHERE conversation_id = $1`,
      [importConversation.id, LONG.messages / messages.length - 1],
    ),
  );
  const conversationId = importConversation.id;
  let { turn } = await ask({ conversationId });
  for (let count = 0; count < LONG.branches; count += 1) {
    ({ turn } = await ask({ conversationId, replacesMessageId: turn.question.id }));
  }
  return conversationId;
}

const conversations = {
  begun: (await ask()).conversation.id,
  [`${LONG.messages} messages, ${LONG.branches} branches`]: await longConversation(),
};
const rows = [];
for (const [name, conversationId] of Object.entries(conversations)) {
  const asked = [];
  for (let count = 0; count < LONG.turns; count += 1) asked.push(await ask({ conversationId }));
  for (const part of ['started', 'firstText', 'done']) {
    rows.push(
      row(
        `${name}: ${part}, ms`,
        asked.map((one) => one[part]),
      ),
    );
  }
}
console.table(rows);
await socket.dispose();
await server.close();
await provider.close();
