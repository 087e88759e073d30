import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';

import { eventually } from '../harness/eventually.js';
import { barrier, ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const book = new ScriptBook();
let app: TestApp;
let client: TestClient;
beforeAll(async () => {
  app = await startApp(book.replyTo);
  client = await app.client();
});
afterAll(() => app[Symbol.asyncDispose]());

function read(token?: string): Promise<Response> {
  return fetch(`${app.url}/metrics`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
}

/** What a series stands at, by its line's beginning; 0: there is none. */
async function valueOf(series: string): Promise<number> {
  const lines = (await (await read()).text()).split('\n');
  return Number(lines.find((line) => line.startsWith(`${series} `))?.slice(series.length + 1) ?? 0);
}

/** By how much each series has grown when `work` is done. */
async function growth(work: () => Promise<unknown>, ...series: readonly string[]): Promise<number[]> {
  const before = await Promise.all(series.map(valueOf));
  await work();
  const after = await Promise.all(series.map(valueOf));
  return after.map((value, index) => value - (before[index] ?? 0));
}

it('are text that Prometheus reads, with the process’s own', async () => {
  const response = await read();
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const body = await response.text();
  expect(body).toMatch(/^process_cpu_seconds_total \d/m);
  expect(body).toMatch(/^palabre_database_connections\{state="idle"\} \d+$/m);
  expect(body).toMatch(/^palabre_model_circuit_open\{gen_ai_request_model="scripted"\} 0$/m);
});

it('count a turn with its calls once, when it has ended', async () => {
  const answered = 'palabre_turns_total{status="COMPLETED",finish_reason="ANSWERED",code=""}';
  const model = 'gen_ai_operation_name="chat",gen_ai_request_model="scripted"';
  const question = book.add(
    [toolCall('get_company_profile', {}), finish(null, { inputTokens: 100, outputTokens: 7 })],
    [text('Voi'), text('là.'), finish(null, { inputTokens: 200, outputTokens: 5 })],
  );
  const ask = async (): Promise<unknown> => {
    const { turnId } = await client.ask(question);
    return client.allEvents(turnId);
  };
  expect(
    await growth(
      ask,
      answered,
      'palabre_turn_duration_seconds_count{status="COMPLETED"}',
      'palabre_turn_first_text_seconds_count',
      'palabre_skill_call_duration_seconds_count{status="SUCCEEDED"}',
      `gen_ai_client_token_usage_sum{${model},gen_ai_token_type="input"}`,
      `gen_ai_client_token_usage_sum{${model},gen_ai_token_type="output"}`,
      `gen_ai_client_operation_duration_seconds_count{${model},palabre_purpose="ANSWER",error_type=""}`,
    ),
  ).toEqual([1, 1, 1, 1, 300, 12, 2]);
});

it('show how many turns wait for room', async () => {
  const small = new ScriptBook();
  await using full = await startApp(small.replyTo, { MAX_TURNS: '1' });
  const asker = await full.client();
  const waiting = async (): Promise<string | undefined> =>
    (await (await fetch(`${full.url}/metrics`)).text())
      .split('\n')
      .find((line) => line.startsWith('palabre_turns_waiting '));
  const { step, reached, open } = barrier();
  const first = await asker.ask(small.add([step, text('Un.'), finish()]));
  await reached;
  expect(await waiting()).toBe('palabre_turns_waiting 0');
  const second = await asker.ask(small.add([text('Deux.'), finish()]));
  expect(await waiting()).toBe('palabre_turns_waiting 1');
  open();
  await Promise.all([first, second].map(({ turnId }) => asker.allEvents(turnId)));
  expect(await waiting()).toBe('palabre_turns_waiting 0');
});

it('show what is under way, and that it is over', async () => {
  const { step, reached, open } = barrier();
  const { turnId } = await client.ask(book.add([step, text('Voilà.'), finish()]));
  const events = client.allEvents(turnId);
  await reached;
  expect(await valueOf('palabre_turns_running')).toBe(1);
  await eventually(
    () => valueOf('palabre_subscriptions'),
    (count) => count === 1,
  );
  open();
  await events;
  await eventually(
    async () => [await valueOf('palabre_subscriptions'), await valueOf('palabre_turns_running')],
    ([subscriptions, turns]) => subscriptions === 0 && turns === 0,
  );
});

it('tell apart what clients were told, and name no company', async () => {
  const [wrong] = await growth(
    () => client.codes('mutation { cancelTurn(id: "nowhere") { id } }'),
    'palabre_graphql_errors_total{code="NOT_FOUND"}',
  );
  expect(wrong).toBe(1);
  const company = await app.company();
  const stranger = await app.client({ company });
  await stranger.allEvents((await stranger.ask(book.add([text('Fait.'), finish()]))).turnId);
  expect(await (await read()).text()).not.toContain(company);
});

it('ask for the token that the operator has set', async () => {
  await app.restart({ METRICS_TOKEN: 'a token for monitors' });
  const refused = await read();
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  expect((await read('another token')).status).toBe(401);
  expect((await read('a token for monitors')).status).toBe(200);
});
