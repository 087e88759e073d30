import { finish, hang, reasoning, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { type ProviderReply, status } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject, JsonValue } from '@palabre/json';

import { ImpatientClock } from '../harness/impatient-clock.js';
import { seenToEnd } from '../harness/laws.js';
import { startApp, startOfflineApp, type TestApp } from '../harness/start-app.js';
import { answerOf, type TestClient, type WireEvent } from '../harness/test-client.js';

const UPDATE = `mutation ($key: String!, $input: UpdateAssistantInput!) {
  updateAssistant(key: $key, input: $input) { id } }`;
const VIEW = `query ($id: ID!) { turn(id: $id) { status finishReason error { code retryable } answerSchema
  answer { id status text parts {
    __typename ... on TextPart { text } ... on ReasoningPart { text } ... on DataPart { value } } } } }`;

/** Kept to by models that are known to. */
const KEEPS = 'gpt-5.4-mini';

interface View {
  status: string;
  finishReason: string;
  error: { code: string; retryable: boolean } | null;
  answerSchema: JsonObject | null;
  answer: { id: string; status: string; text: string; parts: JsonObject[] } | null;
}

/** Its properties are not in the order of the alphabet. */
const SCHEMA = {
  type: 'object',
  properties: { verdict: { type: 'string' }, amounts: { type: 'array', items: { type: 'integer' } } },
  required: ['verdict', 'amounts'],
  additionalProperties: false,
};
const GOOD = '{"verdict": "Oui", "amounts": [1]}';
const BAD = '{"verdict": "Oui", "amounts": ["un"]}';

async function viewOf(client: TestClient, id: string): Promise<View> {
  return (await client.get<{ turn: View }>(VIEW, { id })).turn;
}

describe.each(['chat', 'responses'] as const)('an answer that is to fit a schema, by %s', (api) => {
  let app: TestApp;
  let client: TestClient;
  let replies: ProviderReply[];

  beforeAll(async () => {
    app = await startApp(() => replies.shift() ?? [], { LLM_API: api }, { clock: new ImpatientClock() });
  });
  afterAll(() => app[Symbol.asyncDispose]());
  beforeEach(async () => {
    app.provider.requests.length = 0;
    client = await app.client({ company: await app.company() });
  });

  const update = (input: object, key = 'mefali') => client.get(UPDATE, { key, input });

  /** A turn to its end, by the laws. */
  const ask = async (
    said: ProviderReply[],
    { answerSchema = SCHEMA, ...input }: JsonObject = {},
  ): Promise<View & { turnId: string; events: WireEvent[] }> => {
    replies = said;
    const asked = { assistantKey: 'mefali', ...input, answerSchema };
    const { turnId } = await client.ask('Combien ?', asked);
    const events = await seenToEnd(client, turnId);
    return { ...(await viewOf(client, turnId)), turnId, events };
  };

  const formatIn = (body: JsonObject | undefined): JsonValue | undefined => {
    if (api === 'responses') return (body?.['text'] as JsonObject | undefined)?.['format'];
    return (body?.['response_format'] as JsonObject | undefined)?.['json_schema'];
  };
  const resets = (events: readonly WireEvent[]): unknown[] => events.flatMap(({ cause }) => cause ?? []);

  it('is made to fit by a model that can be, beside its skills, and is a part', async () => {
    await update({ model: KEEPS, showsReasoning: true });
    const { answer, events, ...turn } = await ask([
      [toolCall('get_company_profile'), finish()],
      [reasoning('Hm.'), text(GOOD.slice(0, 9)), text(GOOD.slice(9)), finish()],
    ]);
    expect(turn).toMatchObject({
      status: 'COMPLETED',
      finishReason: 'ANSWERED',
      error: null,
      answerSchema: SCHEMA,
    });
    expect(JSON.stringify(turn.answerSchema)).toBe(JSON.stringify(SCHEMA));
    expect(answer).toMatchObject({ status: 'COMPLETE', text: GOOD });
    expect(answer?.parts).toEqual([
      { __typename: 'ReasoningPart', text: 'Hm.' },
      { __typename: 'TextPart', text: GOOD },
      { __typename: 'DataPart', value: { verdict: 'Oui', amounts: [1] } },
    ]);
    expect(answerOf(events)).toBe(GOOD);
    expect(app.provider.requests).toHaveLength(2);
    for (const request of app.provider.requests) {
      expect(formatIn(request)).toMatchObject({ name: 'answer', schema: SCHEMA, strict: true });
      expect(JSON.stringify(request['messages'] ?? request['input'])).not.toContain('verdict');
    }
  });

  it('is asked for in words where nobody knows whether a model can be made to', async () => {
    const fenced = `\`\`\`json\n${GOOD}\n\`\`\``;
    const { answer } = await ask([[text(fenced), finish()]]);
    expect(answer?.text).toBe(fenced);
    expect(answer?.parts.at(-1)).toEqual({ __typename: 'DataPart', value: JSON.parse(GOOD) as JsonObject });
    const [request] = app.provider.requests;
    expect(formatIn(request)).toBeUndefined();
    const prompt = JSON.stringify(request);
    expect(prompt).toContain('Quand tu donnes la réponse');
    expect(prompt).toContain(JSON.stringify(JSON.stringify(SCHEMA)).slice(1, -1));
  });

  it('is a wish where the schema is none that a provider can be strict about', async () => {
    await update({ model: KEEPS });
    const answerSchema = { type: 'object', properties: { note: { type: 'string', minLength: 1 } } };
    const { answer } = await ask([[text('{"note":"a"}'), finish()]], { answerSchema });
    expect(answer?.parts.at(-1)).toEqual({ __typename: 'DataPart', value: { note: 'a' } });
    expect(formatIn(app.provider.requests[0])).toMatchObject({ strict: false });
  });

  it('is checked at every depth by a schema that contains itself, of which a provider is shown a part', async () => {
    await update({ model: KEEPS });
    const $defs = {
      Person: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          reports: { type: 'array', items: { $ref: '#/$defs/Person' } },
        },
        required: ['name', 'reports'],
        additionalProperties: false,
      },
    };
    const answerSchema = { type: 'object', $ref: '#/$defs/Person', $defs };
    const chain = (name: JsonValue): string =>
      JSON.stringify(
        Array.from({ length: 6 }).reduce<JsonValue>((one) => ({ name: 'A', reports: [one] }), {
          name,
          reports: [],
        }),
      );
    const turn = await ask(
      [
        [text(chain(7)), finish()],
        [text(chain('Awa')), finish()],
      ],
      { answerSchema },
    );
    expect(turn).toMatchObject({ status: 'COMPLETED', answerSchema });
    expect(turn.answer?.parts.at(-1)).toEqual({
      __typename: 'DataPart',
      value: JSON.parse(chain('Awa')) as JsonObject,
    });
    const [request, repair] = app.provider.requests;
    expect(formatIn(request)).toMatchObject({ name: 'answer' });
    expect(JSON.stringify(formatIn(request))).not.toContain('$ref');
    expect(JSON.stringify(repair)).toContain(`${'reports.0.'.repeat(6)}name must be string`);
  });

  it('is asked for in words once a provider has refused to be held to it', async () => {
    await update({ model: 'gpt-5.1' });
    const refusal = status(400, {
      error: { message: `Unsupported parameter: ${api === 'chat' ? 'response_format' : 'text.format'}.` },
    });
    expect(await ask([[refusal], [text(GOOD), finish()]])).toMatchObject({ status: 'COMPLETED' });
    expect(await ask([[text(GOOD), finish()]])).toMatchObject({ status: 'COMPLETED' });
    expect(app.provider.requests.map((request) => formatIn(request) !== undefined)).toEqual([
      true,
      false,
      false,
    ]);
    expect(JSON.stringify(app.provider.requests.at(-1))).toContain('Quand tu donnes la réponse');
    // What it says of one schema holds for that one.
    const invalid = status(400, { error: { message: "Invalid schema for response_format 'answer'." } });
    await update({ model: KEEPS });
    expect(await ask([[invalid], [text(GOOD), finish()]])).toMatchObject({ status: 'COMPLETED' });
    expect(await ask([[text(GOOD), finish()]])).toMatchObject({ status: 'COMPLETED' });
    expect(formatIn(app.provider.requests.at(-1))).toBeDefined();
  });

  it('is mended once by the model, which is told what is wrong', async () => {
    const {
      status: ended,
      answer,
      events,
    } = await ask([
      [text(BAD), finish()],
      [text(GOOD), finish()],
    ]);
    expect(ended).toBe('COMPLETED');
    expect(answer).toMatchObject({ status: 'COMPLETE', text: GOOD });
    expect(resets(events)).toEqual(['RETRIED']);
    const repair = JSON.stringify(app.provider.requests[1]);
    expect(repair).toContain('amounts.0 must be integer');
    expect(repair).toContain(JSON.stringify(BAD).slice(1, -1));
  });

  it.each([
    ['does not fit', [BAD, '{"verdict": 1}']],
    ['is no JSON', ['Oui', 'Oui, un.']],
    ['is no object', ['[1]', '1']],
  ])('fails where it %s twice, and is kept', async (_, [first = '', second = '']) => {
    const { answer, error, events, ...turn } = await ask([
      [text(first), finish()],
      [text(second), finish()],
    ]);
    expect(turn).toMatchObject({ status: 'FAILED', finishReason: 'ERROR' });
    expect(error).toEqual({ code: 'ANSWER_INVALID', retryable: true });
    expect(answer).toMatchObject({ status: 'FAILED', text: second });
    expect(answer?.parts).toEqual([{ __typename: 'TextPart', text: second }]);
    expect(events.at(-1)).toMatchObject({ messageId: answer?.id, error: { code: 'ANSWER_INVALID' } });
    expect(app.provider.requests).toHaveLength(2);
  });

  it('fails with what there is when the time is over', async () => {
    await update({ maxSeconds: 5 });
    await app.database.dataSource.query('UPDATE assistant SET max_seconds = 1 WHERE max_seconds = 5');
    const half: ProviderReply = [text('{"verdict": "Ou'), hang()];
    const { answer, error, status: ended, finishReason } = await ask([half, half]);
    expect({ ended, finishReason, code: error?.code }).toEqual({
      ended: 'FAILED',
      finishReason: 'MAX_SECONDS',
      code: 'ANSWER_INVALID',
    });
    expect(answer).toMatchObject({ status: 'FAILED', text: '{"verdict": "Ou' });
  });

  it('is what a planner’s steps come to', async () => {
    const { answer, status: ended } = await ask(
      [
        [toolCall('synthesize_answer', { reason: 'Known.' }), finish()],
        [text(BAD), finish()],
        [text(GOOD), finish()],
      ],
      { assistantKey: 'explorateur' },
    );
    expect(ended).toBe('COMPLETED');
    expect(answer?.parts.at(-1)).toMatchObject({ __typename: 'DataPart' });
    const [plan, ...answers] = app.provider.requests.map((request) =>
      JSON.stringify(request).includes('verdict'),
    );
    expect([plan, ...answers]).toEqual([false, true, true]);
  });

  it('is asked for again with the question, and belongs to what a key stands for', async () => {
    const input = { idempotencyKey: 'once' };
    const { turnId, answer } = await ask([[text(GOOD), finish()]], input);
    const again = await client.startTurn({
      message: 'Combien ?',
      assistantKey: 'mefali',
      answerSchema: SCHEMA,
      ...input,
    });
    expect(again.turn?.id).toBe(turnId);
    const other = await client.startTurn({ message: 'Combien ?', assistantKey: 'mefali', ...input });
    expect(other.__typename).toBe('IdempotencyConflict');
    replies = [[text(GOOD), finish()]];
    const { regenerate } = await client.get<{ regenerate: { turn: { id: string } } }>(
      `mutation ($input: RegenerateInput!) { regenerate(input: $input) { ... on TurnAccepted { turn { id } } } }`,
      { input: { messageId: answer?.id } },
    );
    await client.allEvents(regenerate.turn.id);
    expect(await viewOf(client, regenerate.turn.id)).toMatchObject({
      status: 'COMPLETED',
      answerSchema: SCHEMA,
    });
  });
});

describe('a schema', () => {
  let app: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    app = await startOfflineApp();
    client = await app.client();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const deep = (levels: number): JsonObject =>
    levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: deep(levels - 1) } };

  /** Forty properties that are alike. */
  const many = (one: JsonObject): JsonObject =>
    Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`p${at}`, one]));

  it.each<[string, JsonValue]>([
    ['text', 'object'],
    ['a list', []],
    ['of another type', { type: 'array' }],
    ['that is no JSON Schema', { type: 'object', properties: { a: { type: 'money' } } }],
    [
      'with a reference to elsewhere',
      { type: 'object', properties: { a: { $ref: 'https://example.org/a' } } },
    ],
    ['with a reference to nothing', { type: 'object', properties: { a: { $ref: '#/$defs/a' } } }],
    ['with a pattern that looks back', { type: 'object', properties: { a: { pattern: '(?<=a)b' } } }],
    ['that is too deep', deep(30)],
    ['that is too long', { type: 'object', description: 'a'.repeat(64_000) }],
    [
      'with too many parts',
      {
        type: 'object',
        $defs: { Many: { type: 'object', properties: many({ type: 'string' }) } },
        properties: many({ $ref: '#/$defs/Many' }),
      },
    ],
  ])('%s is refused, and nothing is asked', async (_, answerSchema) => {
    const { errors, data } = await client.send(
      'mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }',
      { input: { assistantKey: 'mefali', message: 'Combien ?', answerSchema } },
    );
    expect(data).toBeNull();
    expect(errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT', path: ['input', 'answerSchema'] } },
    ]);
    expect(await client.get('{ conversations { edges { node { id } } } }')).toEqual({
      conversations: { edges: [] },
    });
  });

  it('may have a pattern that takes others for ever, and local references', async () => {
    const answerSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { Code: { type: 'string', pattern: '^(a+)+$' } },
      type: 'object',
      properties: { code: { $ref: '#/$defs/Code' } },
    };
    const { turnId } = await client.ask('Combien ?', { assistantKey: 'mefali', answerSchema });
    await client.allEvents(turnId);
    // The offline model knows nothing of schemas, and it is said so.
    expect(await viewOf(client, turnId)).toMatchObject({
      status: 'FAILED',
      error: { code: 'ANSWER_INVALID' },
      answerSchema,
      answer: { status: 'FAILED' },
    });
  });
});
