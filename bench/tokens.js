/**
 * What a turn's prompts cost, by assistant, with the defaults: tokens (o200k) of the messages and of the tools of all
 * calls that a question is answered by, and of the calls after it (titles, notes). The model is played.
 *
 *   npm run bench -- tokens
 */
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { O200kTokenizer } from '@palabre/llm-client';

import { startServer } from '../dist/app/server.js';
import { readConfig } from '../dist/common/config/read-config.js';
import { createLogger } from '../dist/common/process/logger.js';
import { signToken } from '../dist/companies/auth/token-signer.js';

const questions = [
  ['mefali', 'Quelle est l’empreinte carbone de 12 000 kWh au Sénégal ?'],
  [
    'mefali',
    'Quelle est l’empreinte carbone de 12 000 kWh d’électricité au Sénégal et 3 500 litres de gazole ?',
  ],
  ['therese', 'Bonjour, quel jour sommes-nous ?'],
  ['solven', 'Hola, ¿qué puedes hacer?'],
  ['explorateur', 'Que sais-tu de notre entreprise ?'],
  ['bibliotheque', '你好，你能做什麼？'],
];
const power = { activity: 'électricité', quantity: 12_000, unit: 'kWh' };
const fuel = { activity: 'gazole', quantity: 3_500, unit: 'litre' };

const tokens = new O200kTokenizer();
const secret = 'only for this benchmark, 32 characters';
let calls = [];

/** What a model would do: calculate where it is asked to, have the planner write the answer, and say a word. */
function replyTo({ messages, tools = [], tool_choice: choice }) {
  const names = new Set(tools.map((tool) => tool.function.name));
  const call = (name, input) => ({
    tool_calls: [
      { index: 0, id: 'call', type: 'function', function: { name, arguments: JSON.stringify(input) } },
    ],
  });
  if (choice?.function) return { content: 'Rien.' };
  if (names.has('synthesize_answer')) return call('synthesize_answer', { reason: 'Enough.' });
  const { role, content } = messages.at(-1);
  const items = content.includes('gazole') ? [power, fuel] : [power];
  return names.has('calculate_carbon_footprint') && role === 'user' && content.includes('kWh')
    ? call('calculate_carbon_footprint', { items, country: 'Sénégal' })
    : { content: 'Voilà.' };
}

const provider = createServer(async (request, response) => {
  // The server asks which models there are.
  if (request.method === 'GET') return void response.writeHead(404).end();
  const parts = await request.toArray();
  const body = JSON.parse(Buffer.concat(parts).toString());
  calls.push(body);
  const delta = replyTo(body);
  const reason = delta.tool_calls ? 'tool_calls' : 'stop';
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const choice of [
    { index: 0, delta },
    { index: 0, delta: {}, finish_reason: reason },
  ])
    response.write(
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [choice] })}\n\n`,
    );
  response.end('data: [DONE]\n\n');
});
await new Promise((resolve) => provider.listen(0, '127.0.0.1', resolve));

const config = readConfig({
  PORT: '0',
  AUTH_SECRET: secret,
  LLM_BASE_URL: `http://127.0.0.1:${provider.address().port}/v1`,
  LLM_MODEL: 'played',
});
const server = await startServer(config, createLogger({ level: 'error', pretty: false }), {
  location: { ...config, dataDir: null },
});
const token = await signToken(secret, { sub: 'bench', company: 'demo', role: 'ADMIN' }, 3600);

async function query(text, variables) {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: text, variables }),
  });
  return (await response.json()).data;
}

async function answered(assistantKey, message) {
  const { startTurn } = await query(
    `mutation ($input: StartTurnInput!) { startTurn(input: $input) { ... on TurnAccepted { turn { id } } } }`,
    { input: { assistantKey, message } },
  );
  for (;;) {
    const { turn } = await query('query ($id: ID!) { turn(id: $id) { status } }', startTurn.turn);
    if (turn.status === 'COMPLETED') return;
    if (turn.status === 'FAILED') throw new Error(`${assistantKey} has not answered.`);
    await pause(20);
  }
}

function size(value) {
  return value === undefined ? 0 : tokens.count(JSON.stringify(value));
}
function isUpkeep({ tool_choice: choice }) {
  return choice?.function !== undefined;
}

console.log('| assistant | calls | messages | tools of a call | all | after the answer |');
console.log('|---|---|---|---|---|---|');
for (const [assistantKey, message] of questions) {
  calls = [];
  await answered(assistantKey, message);
  // What is done after an answer has nobody to tell when it is over.
  await pause(3_000);
  const [own, upkeep] = [calls.filter((body) => !isUpkeep(body)), calls.filter(isUpkeep)];
  const sum = (list, pick) => list.reduce((total, body) => total + pick(body), 0);
  const messages = sum(own, (body) => size(body.messages));
  const tools = own.map((body) => size(body.tools));
  const after = sum(upkeep, (body) => size(body.messages) + size(body.tools));
  const all = messages + tools.reduce((total, each) => total + each, 0);
  console.log(
    `| ${assistantKey} | ${own.length} | ${messages} | ${Math.max(...tools)} | ${all} | ${after} |`,
  );
}
await server.close();
provider.close();
