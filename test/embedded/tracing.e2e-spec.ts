import { readFileSync } from 'node:fs';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';

import { RecordedTracing } from '../../src/platform/tracing/recorded-tracing.double.js';
import { eventually } from '../harness/eventually.js';
import { barrier, ScriptBook } from '../harness/script-book.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import { START_TURN } from '../harness/test-client.js';

const book = new ScriptBook();
const tracing = new RecordedTracing({ capturesContent: true });
let app: TestApp;
beforeAll(async () => {
  app = await startApp(book.replyTo, { SHUTDOWN_GRACE_SECONDS: '0' }, { tracing, isLasting: true });
});
afterAll(() => app[Symbol.asyncDispose]());

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

async function startTraced(traceId: string, message: string): Promise<string> {
  const { token } = await app.client();
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      traceparent: `00-${traceId}-${CALLER.spanId}-01`,
    },
    body: JSON.stringify({ query: START_TURN, variables: { input: { message, assistantKey: 'mefali' } } }),
  });
  const { data } = (await response.json()) as { data: { startTurn: { turn: { id: string } } } };
  return data.startTurn.turn.id;
}

/** What is remembered is looked for whenever it may have changed, which an index that is written meanwhile decides. */
function withoutSearches(tree: string): string {
  return tree.replaceAll(/^ *search_memory\n/gm, '');
}

it('traces a turn over its skills, and over the run that goes on with it after a hand-over', async () => {
  const hold = barrier();
  const question = book.add(
    [toolCall('get_company_profile', {}), finish()],
    [toolCall('remember', { kind: 'FACT', subject: 'Bureau', content: 'Le bureau ferme à 18 h.' }), finish()],
    [hold.step, text('Voilà.'), finish()],
  );
  const turnId = await startTraced(CALLER.traceId, question);
  await hold.reached;
  await app.restart();
  hold.open();
  const client = await app.client();
  expect((await client.allEvents(turnId)).at(-1)).toMatchObject({ status: 'COMPLETED' });
  const tree = await eventually(
    async () => tracing.tree(CALLER.traceId),
    (seen) => seen.includes('> invoke_agent mefali'),
  );
  const [, documented = ''] =
    /```text\n(startTurn\n.*?)\n```/s.exec(readFileSync('docs/tracing.md', 'utf8')) ?? [];
  expect(withoutSearches(tree)).toBe(withoutSearches(documented));
  expect(tree).toMatch(/^ {4}search_memory$/m);
  const [start] = tracing.spans(CALLER.traceId);
  expect(start?.parentSpanContext?.spanId).toBe(CALLER.spanId);
  const [first, second] = tracing.spans(CALLER.traceId).filter(({ name }) => name === 'invoke_agent mefali');
  expect(first?.attributes).toMatchObject({
    'palabre.turn.attempt': 1,
    'palabre.turn.status': 'HANDED_OVER',
  });
  expect(second?.links.map(({ context }) => context.spanId)).toEqual([first?.spanContext().spanId]);
  expect(second?.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'mefali',
    'palabre.turn.id': turnId,
    'palabre.turn.attempt': 3,
    'palabre.turn.status': 'COMPLETED',
  });
});

it('tells the provider of the trace, and measures what Prometheus does', async () => {
  const question = book.add([toolCall('get_company_profile', {}), finish()], [text('Bien.'), finish()]);
  const traceId = '1af7651916cd43dd8448eb211c80319c';
  const client = await app.client();
  await client.allEvents(await startTraced(traceId, question));
  const chats = tracing.spans(traceId).filter(({ name }) => name === 'chat scripted');
  const sent = app.provider.headers.flatMap(({ traceparent }) => (traceparent ? [traceparent] : []));
  for (const chat of chats) expect(sent).toContain(`00-${traceId}-${chat.spanContext().spanId}-01`);
  expect(chats).toHaveLength(2);
  expect(await tracing.metrics()).toMatchObject({
    'gen_ai.client.inference.duration': expect.any(Number),
    'gen_ai.client.inference.time_to_first_chunk': expect.any(Number),
    'gen_ai.client.inference.usage.input_tokens': expect.any(Number),
    'gen_ai.execute_tool.duration': 3,
    'gen_ai.invoke_agent.duration': 3,
  });
});

it('takes the trace from a socket, of one operation or of all, and leaves aside what is none', async () => {
  const { token } = await app.client();
  const connectionTrace = '2af7651916cd43dd8448eb211c80319c';
  const operationTrace = '3af7651916cd43dd8448eb211c80319c';
  const socket = (await app.client()).socket({
    connectionParams: {
      authorization: `Bearer ${token}`,
      traceparent: `00-${connectionTrace}-${CALLER.spanId}-01`,
    },
  });
  const start = async (extensions: Record<string, unknown>): Promise<void> => {
    const question = book.add([text('Oui.'), finish()]);
    const variables = { input: { message: question, assistantKey: 'mefali' } };
    for await (const result of socket.iterate({ query: START_TURN, variables, extensions }))
      expect(result.errors).toBeUndefined();
  };
  await start({});
  await start({ traceparent: `00-${operationTrace}-${CALLER.spanId}-01` });
  const before = tracing.spans().filter(({ name }) => name === 'startTurn').length;
  await start({ traceparent: { nonsense: true } });
  const started = (traceId: string): number =>
    tracing.spans(traceId).filter(({ name }) => name === 'startTurn').length;
  expect([started(connectionTrace), started(operationTrace)]).toEqual([1, 1]);
  expect(tracing.spans().filter(({ name }) => name === 'startTurn')).toHaveLength(before + 1);
});
