import { O200kTokenizer } from '@palabre/llm-client';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { isUpkeep, lastOf, readRequest, toolsOf } from '../harness/provider-request.js';
import { shareApp, type TestApp } from '../harness/start-app.js';

const FOOTPRINT = 'calculate_carbon_footprint';
const tokens = new O200kTokenizer();

let app: TestApp;
let reply: (body: JsonObject) => ProviderReply;

beforeAll(async () => {
  app = await shareApp((body) => reply(body));
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => void (reply = answers));

/** A model that asks for no skill but the planner's. */
function answers(body: JsonObject): ProviderReply {
  return toolsOf(body).includes('synthesize_answer')
    ? [toolCall('synthesize_answer', { reason: 'Nothing is missing.' }), finish()]
    : [text('Voilà.'), finish()];
}

/** A model that has all that the question says counted. */
function calculates(body: JsonObject): ProviderReply {
  const items = [{ activity: 'électricité', quantity: 12_000, unit: 'kWh' }];
  if (JSON.stringify(body).includes('gazole'))
    items.push({ activity: 'gazole', quantity: 3_500, unit: 'litre' });
  return lastOf(body).role === 'tool'
    ? [text('Voilà.'), finish()]
    : [toolCall(FOOTPRINT, { items, country: 'Sénégal' }), finish()];
}

function toolTokens(body: JsonObject): number {
  const { tools } = readRequest(body);
  return tools ? tokens.count(JSON.stringify(tools)) : 0;
}

function tokensOf(body: JsonObject): number {
  return tokens.count(JSON.stringify(readRequest(body).messages)) + toolTokens(body);
}

/** The model calls that a question is answered by, in a company of which nothing is known yet. */
async function callsFor(assistantKey: string, ...questions: string[]): Promise<JsonObject[][]> {
  const client = await app.client({ company: await app.company() });
  const calls: JsonObject[][] = [];
  let conversationId: string | undefined;
  for (const question of questions) {
    const before = app.provider.requests.length;
    const asked = await client.ask(question, conversationId ? { conversationId } : { assistantKey });
    ({ conversationId } = asked);
    const events = await client.allEvents(asked.turnId);
    expect(events.at(-1)).toMatchObject({ status: 'COMPLETED', finishReason: 'ANSWERED' });
    calls.push(app.provider.requests.slice(before).filter((body) => !isUpkeep(body)));
  }
  return calls;
}

it.each<[string, string, most: number, (body: JsonObject) => ProviderReply]>([
  ['mefali', 'Quelle est l’empreinte carbone de 12 000 kWh au Sénégal ?', 6_000, calculates],
  [
    'mefali',
    'Quelle est l’empreinte carbone de 12 000 kWh d’électricité au Sénégal et 3 500 litres de gazole ?',
    6_000,
    calculates,
  ],
  ['therese', 'Bonjour, quel jour sommes-nous ?', 2_500, answers],
  ['solven', 'Hola, ¿qué puedes hacer?', 2_500, answers],
  ['explorateur', 'Que sais-tu de notre entreprise ?', 3_000, answers],
  ['bibliotheque', '你好，你能做什麼？', 2_500, answers],
])(
  '%s answers « %s » with no more than %d tokens of prompts',
  async (assistantKey, question, most, model) => {
    reply = model;
    const [calls = []] = await callsFor(assistantKey, question);
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.reduce((sum, body) => sum + tokensOf(body), 0)).toBeLessThanOrEqual(most);
    for (const body of calls) expect(toolTokens(body)).toBeLessThanOrEqual(1_500);
  },
);

/** The share of `later` that stands at the beginning of `earlier` as well, in tokens. */
function commonBeginning(earlier: JsonObject, later: JsonObject): number {
  const [before, after] = [earlier, later].map((body) => {
    const { tools, messages } = readRequest(body);
    return `${JSON.stringify(tools)}${messages.map((message) => JSON.stringify(message)).join('')}`;
  }) as [string, string];
  let end = 0;
  while (end < after.length && before[end] === after[end]) end += 1;
  return tokens.count(after.slice(0, end)) / tokens.count(after);
}

it.each(['mefali', 'therese', 'explorateur', 'solven', 'bibliotheque'])(
  '%s begins each prompt of a conversation as the one before, so that a provider’s cache holds',
  async (assistantKey) => {
    const turns = await callsFor(assistantKey, 'Bonjour.', 'Et ensuite ?', 'Et après cela ?');
    const first = turns.map(([call]) => call!);
    for (const [index, call] of first.slice(1).entries())
      expect(commonBeginning(first[index]!, call)).toBeGreaterThan(0.7);
  },
);

it('begins the second prompt of a turn as the first', async () => {
  reply = calculates;
  const [[first, second] = []] = await callsFor('mefali', 'Empreinte de 12 000 kWh au Sénégal ?');
  const { messages } = readRequest(first);
  expect(readRequest(second).messages.slice(0, messages.length)).toEqual(messages);
  expect(readRequest(second).tools).toEqual(readRequest(first).tools);
});
