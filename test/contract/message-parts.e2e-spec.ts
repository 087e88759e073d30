import { ModelError } from '@palabre/llm-client';
import {
  failure,
  finish,
  gate,
  hang,
  reasoning,
  text,
  toolCall,
} from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { ImpatientClock } from '../harness/impatient-clock.js';
import { seenToEnd } from '../harness/laws.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import { tablesHolding } from '../harness/stored-anywhere.js';
import { answerOf, type TestClient, type WireEvent } from '../harness/test-client.js';

const SHOW = `mutation ($shows: Boolean!) {
  updateAssistant(key: "mefali", input: { showsReasoning: $shows }) { showsReasoning } }`;
const PARTS = `query ($id: ID!) { turn(id: $id) { ${['question', 'answer']
  .map(
    (message) => `${message} { text parts {
    __typename ... on TextPart { text } ... on ReasoningPart { text } ... on DataPart { value } } }`,
  )
  .join(' ')} } }`;

interface Said {
  text: string;
  parts: { __typename: string; text?: string; value?: unknown }[];
}

async function partsOf(client: TestClient, id: string): Promise<{ question: Said; answer: Said | null }> {
  return (await client.get<{ turn: { question: Said; answer: Said | null } }>(PARTS, { id })).turn;
}

/** The parts of an answer. */
function said(answer: string, thoughts: string | null = null): Said {
  const parts = [{ __typename: 'TextPart', text: answer }];
  if (thoughts !== null) parts.unshift({ __typename: 'ReasoningPart', text: thoughts });
  return { text: answer, parts };
}

function typesOf(events: readonly WireEvent[]): string[] {
  return events.map(({ __typename }) => __typename).filter((type) => type !== 'StatusChanged');
}

describe.each(['chat', 'responses'] as const)('by %s', (api) => {
  let app: TestApp;
  let client: TestClient;
  let reply: (body: JsonObject) => ProviderReply;

  beforeAll(async () => {
    app = await startApp(
      (body) => reply(body),
      { LLM_API: api, SHUTDOWN_GRACE_SECONDS: '0' },
      { clock: new ImpatientClock(), isLasting: true },
    );
    client = await app.client();
  });
  afterAll(() => app[Symbol.asyncDispose]());
  beforeEach(() => client.get(SHOW, { shows: true }));

  it('shows no reasoning unless the assistant is told to, and keeps none', async () => {
    const { assistants } = await client.get<{ assistants: { key: string; showsReasoning: boolean }[] }>(
      '{ assistants { key showsReasoning } }',
    );
    expect(assistants.filter(({ showsReasoning }) => showsReasoning).map(({ key }) => key)).toEqual([
      'mefali',
    ]);
    await client.get(SHOW, { shows: false });
    reply = () => [reasoning('An unshown thought.'), text('Bonjour'), finish()];
    const { turnId } = await client.ask('Salut');
    expect(typesOf(await seenToEnd(client, turnId))).toEqual(['TextDelta', 'TurnDone']);
    expect(await partsOf(client, turnId)).toEqual({ question: said('Salut'), answer: said('Bonjour') });
    expect(await tablesHolding(app.database, 'An unshown thought')).toEqual([]);
  });

  it('streams the reasoning before the answer, keeps it as a part, and tells it to no model', async () => {
    const thought = Promise.withResolvers<void>();
    reply = () => [reasoning('Who '), gate(thought.promise), reasoning('asks?'), text('Bonjour'), finish()];
    const { turnId, conversationId } = await client.ask('Salut');
    const events: WireEvent[] = [];
    for await (const event of client.turnEvents(turnId)) {
      events.push(event);
      if (event.__typename === 'ReasoningDelta') thought.resolve();
    }
    expect(events).toEqual(await seenToEnd(client, turnId));
    const thoughts = api === 'chat' ? 'Who asks?' : 'Who \n\nasks?';
    expect(answerOf(events, 'ReasoningDelta')).toBe(thoughts);
    expect(await partsOf(client, turnId)).toEqual({
      question: said('Salut'),
      answer: said('Bonjour', thoughts),
    });
    reply = () => [text('Encore'), finish()];
    const next = await client.ask('Et toi ?', { conversationId });
    await client.allEvents(next.turnId);
    expect(JSON.stringify(app.provider.requests.at(-1))).not.toContain('Who ');
  });

  it('withdraws what a step thought that led up to a skill, or was run again', async () => {
    const unavailable = new ModelError('MODEL_UNAVAILABLE', 'Overloaded.', true);
    const replies: ProviderReply[] = [
      [reasoning('One.'), toolCall('get_company_profile'), finish()],
      [reasoning('Two.'), failure(unavailable)],
      [reasoning('Three.'), text('Fini.'), finish()],
    ];
    reply = () => replies.shift() ?? [];
    const { turnId } = await client.ask('Combien ?');
    const events = await seenToEnd(client, turnId);
    expect(typesOf(events)).toEqual([
      'ReasoningDelta',
      'TextReset',
      'SkillStarted',
      'SkillFinished',
      'ReasoningDelta',
      'TextReset',
      'ReasoningDelta',
      'TextDelta',
      'TurnDone',
    ]);
    expect(events.flatMap(({ cause }) => cause ?? [])).toEqual(['PREAMBLE', 'RETRIED']);
    expect((await partsOf(client, turnId)).answer).toEqual(said('Fini.', 'Three.'));
  });

  it('holds to the law when the process is stopped in the middle', async () => {
    reply = () => [reasoning('Half a thou'), hang()];
    const { turnId } = await client.ask('Combien ?');
    for await (const { __typename } of client.turnEvents(turnId)) if (__typename === 'ReasoningDelta') break;
    reply = () => [reasoning('Whole.'), text('Fini.'), finish()];
    await app.restart();
    client = await app.client();
    const events = await seenToEnd(client, turnId);
    expect(typesOf(events)).toEqual([
      'ReasoningDelta',
      'TextReset',
      'ReasoningDelta',
      'TextDelta',
      'TurnDone',
    ]);
    expect((await partsOf(client, turnId)).answer).toEqual(said('Fini.', 'Whole.'));
  });

  it('keeps no answer of a turn that only thought', async () => {
    reply = () => [reasoning('Hm.'), hang()];
    const { turnId } = await client.ask('Combien ?');
    for await (const { __typename } of client.turnEvents(turnId)) if (__typename === 'ReasoningDelta') break;
    await client.get('mutation ($id: ID!) { cancelTurn(id: $id) { id } }', { id: turnId });
    expect((await client.allEvents(turnId)).at(-1)).toMatchObject({ status: 'CANCELLED', messageId: null });
    expect((await partsOf(client, turnId)).answer).toBeNull();
  });
});

describe('thoughts that a model writes before its answer', () => {
  it('are reasoning: in tags, without the first tag, and none where the answer only seemed to be', async () => {
    let words = '';
    await using app = await startApp(() => [text(words.slice(0, 9)), text(words.slice(9)), finish()]);
    const client = await app.client();
    await client.get(SHOW, { shows: true });
    const answered = async (says: string): Promise<[Said | null, string[]]> => {
      words = says;
      const { turnId } = await client.ask('Salut');
      const types = typesOf(await seenToEnd(client, turnId));
      return [(await partsOf(client, turnId)).answer, types];
    };
    expect(await answered('<think>Hm, who?</think>\nBonjour')).toMatchObject([
      said('Bonjour', 'Hm, who?'),
      {},
    ]);
    // Taken for the answer, until the tag shows that it was none.
    const [answer, types] = await answered('Hm, who could this be?\n</think>\nBonjour');
    expect(answer).toEqual(said('Bonjour', 'Hm, who could this be?\n'));
    expect(types).toContain('TextReset');
    // Expected from now on: what comes is taken for thoughts, until the end shows that it was the answer.
    const [plain, plainTypes] = await answered('Bonjour à vous tous');
    expect(plain).toEqual(said('Bonjour à vous tous'));
    expect(plainTypes.slice(-3)).toEqual(['TextReset', 'TextDelta', 'TurnDone']);
  });
});

it('reasoning is gone with its conversation', async () => {
  await using app = await startApp(() => [reasoning('A thought of its own.'), text('Bonjour'), finish()]);
  const client = await app.client();
  await client.get(SHOW, { shows: true });
  const { turnId, conversationId } = await client.ask('Salut');
  await client.allEvents(turnId);
  expect(await tablesHolding(app.database, 'A thought of its own')).toEqual(['message', 'turn_event']);
  await client.get('mutation ($id: ID!) { deleteConversation(id: $id) }', { id: conversationId });
  expect(await tablesHolding(app.database, 'A thought of its own')).toEqual([]);
});
