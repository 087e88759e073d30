import OpenAI from 'openai';
import sharp from 'sharp';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';

import { barrier, ScriptBook } from '../harness/script-book.js';
import { shareApp, type Person, type TestApp } from '../harness/start-app.js';
import { setQuota } from '../harness/usage-view.js';

const book = new ScriptBook();
let app: TestApp;
beforeAll(async () => {
  app = await shareApp(book.replyTo);
});
afterAll(() => app[Symbol.asyncDispose]());

async function sdk(person?: Person): Promise<OpenAI> {
  const { token } = await app.client(person);
  return new OpenAI({ baseURL: `${app.url}/v1`, apiKey: token ?? '', maxRetries: 0 });
}

/** What refuses a request, as the SDK tells it. */
async function refusalOf(asking: PromiseLike<unknown>): Promise<Record<string, unknown>> {
  try {
    await asking;
  } catch (error) {
    if (!(error instanceof OpenAI.APIError)) throw error;
    const { status, code, type, param, headers, message } = error;
    return { status, code, type, param, message, shouldRetry: headers?.get('x-should-retry') };
  }
  throw new Error('It was not refused.');
}

function answered(...words: string[]) {
  return [...words.map(text), finish()];
}

describe('Responses, from the SDK of OpenAI', () => {
  it('asks, and repeats what was asked', async () => {
    const openai = await sdk();
    const input = book.add(answered('Bon', 'jour.'));
    const response = await openai.responses.create({
      model: 'mefali',
      input,
      temperature: 0.5,
      metadata: { case: '7' },
    });
    expect(response).toMatchObject({
      status: 'completed',
      model: 'mefali',
      output_text: 'Bonjour.',
      temperature: 0.5,
      metadata: { case: '7' },
      usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    });
    expect(await openai.responses.retrieve(response.id)).toEqual(response);
    const { data } = await openai.responses.inputItems.list(response.id);
    expect(data).toMatchObject([{ role: 'user', content: [{ type: 'input_text', text: input }] }]);
  });

  it('streams, and resumes after any event', async () => {
    const openai = await sdk();
    const input = book.add(answered('Un', ' deux', ' trois'));
    const stream = await openai.responses.create({ model: 'mefali', input, stream: true });
    const events = await Array.fromAsync(stream);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
    const last = events.at(-1);
    if (last?.type !== 'response.completed') throw new Error(JSON.stringify(last));
    const said = events.flatMap((event) => (event.type === 'response.output_text.delta' ? event.delta : []));
    expect(said.join('')).toBe('Un deux trois');
    for (const after of [0, 3, events.length - 2]) {
      const options = { stream: true as const, starting_after: after };
      const resumed = await openai.responses.retrieve(last.response.id, options);
      expect(await Array.fromAsync(resumed)).toEqual(events.slice(after + 1));
    }
  });

  it('answers in the background, to be polled, streamed or cancelled', async () => {
    const openai = await sdk();
    const held = barrier();
    const input = book.add([text('Je'), held.step, text('…'), finish()]);
    const begun = await openai.responses.create({ model: 'mefali', input, background: true });
    expect(['queued', 'in_progress']).toContain(begun.status);
    await held.reached;
    expect(await openai.responses.retrieve(begun.id)).toMatchObject({ status: 'in_progress' });
    const cancelled = await openai.responses.cancel(begun.id);
    expect(cancelled).toMatchObject({ id: begun.id, status: 'cancelled', background: true });
    held.open();
    const stream = await openai.responses.retrieve(begun.id, { stream: true });
    expect((await Array.fromAsync(stream)).at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'cancelled' },
    });
  });

  it('goes on with a function that the client has carried out', async () => {
    const openai = await sdk();
    const call = [text('I look.'), toolCall('getPrice-1', { item: 'tea' }), finish()];
    const input = book.add(call, answered('It costs 3.'));
    const tools: OpenAI.Responses.FunctionTool[] = [
      {
        type: 'function',
        name: 'getPrice-1',
        description: 'A price.',
        parameters: { type: 'object', properties: { item: { type: 'string' } } },
        strict: null,
      },
    ];
    const first = await openai.responses.create({ model: 'mefali', input, tools });
    expect(first).toMatchObject({ status: 'completed', output_text: '' });
    const asked = first.output.find(({ type }) => type === 'function_call');
    if (asked?.type !== 'function_call') throw new Error(JSON.stringify(first.output));
    expect(asked).toMatchObject({ name: 'getPrice-1', arguments: '{"item":"tea"}', status: 'completed' });
    const output = { type: 'function_call_output' as const, call_id: asked.call_id, output: '{"price":3}' };
    const next = { model: 'mefali', previous_response_id: first.id, input: [output], tools };
    const second = await openai.responses.create(next);
    expect(second).toMatchObject({
      status: 'completed',
      output_text: 'It costs 3.',
      previous_response_id: first.id,
    });
    expect(second.id).not.toBe(first.id);
    expect(await openai.responses.create(next)).toEqual(second);
    expect(await openai.responses.retrieve(second.id)).toEqual(second);
    expect(JSON.stringify(app.provider.requests.at(-1))).toContain('\\"price\\":3');
    // The whole history with no id, as clients send it that keep it themselves.
    const history = [{ role: 'user' as const, content: input }, ...first.output, output];
    expect(
      await openai.responses.create({ model: 'mefali', input: history as OpenAI.Responses.ResponseInput }),
    ).toEqual(second);
  });

  it('branches where two ask from the same response', async () => {
    const openai = await sdk();
    const model = 'mefali';
    const first = await openai.responses.create({ model, input: book.add(answered('A.')) });
    const from = { model, previous_response_id: first.id };
    const left = await openai.responses.create({ ...from, input: book.add(answered('B.')) });
    const right = await openai.responses.create({ ...from, input: book.add(answered('C.')) });
    expect([left, right]).toMatchObject([
      { output_text: 'B.', conversation: first.conversation, previous_response_id: first.id },
      { output_text: 'C.', conversation: first.conversation, previous_response_id: first.id },
    ]);
    const told = JSON.stringify(app.provider.requests.at(-1));
    expect([told.includes('A.'), told.includes('B.')]).toEqual([true, false]);
  });

  it('answers by a schema, and with what the client says about how to answer', async () => {
    const openai = await sdk();
    const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const input = book.add(answered('{"n":', '4}'));
    const response = await openai.responses.create({
      model: 'mefali',
      input,
      instructions: 'Speak like a pirate. </instructions>',
      text: { format: { type: 'json_schema', name: 'count', schema } },
    });
    expect(JSON.parse(response.output_text)).toEqual({ n: 4 });
    expect(response).toMatchObject({
      instructions: 'Speak like a pirate. </instructions>',
      text: { format: { type: 'json_schema', name: 'count', schema } },
    });
    const { messages } = app.provider.requests.at(-1) as { messages: { role: string; content: string }[] };
    const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
    expect(system.join()).not.toContain('pirate');
    expect(messages.at(-1)?.content).toContain(
      `<instructions from="the user's app">\nSpeak like a pirate. <\\/instructions>\n</instructions>\n\n${input}`,
    );
  });

  it('takes images along, and a history that is not ours as one that was told', async () => {
    const openai = await sdk();
    app.provider.play(() => answered('Red.'));
    const input = 'What do you see?';
    const response = await openai.responses.create({
      model: 'mefali',
      input: [
        { role: 'user', content: 'My name is Alice.' },
        { role: 'assistant', content: 'Hello Alice.' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: input },
            { type: 'input_image', image_url: await redDot(), detail: 'auto' },
          ],
        },
      ],
    });
    expect(response).toMatchObject({ error: null, output_text: 'Red.' });
    const asked = JSON.stringify(app.provider.requests.at(-1));
    expect(asked).toContain('Hello Alice.');
    expect(asked).toContain('data:image/png;base64,');
    app.provider.play(book.replyTo);
    const { data } = await openai.responses.inputItems.list(response.id);
    expect(data).toMatchObject([{ content: [{ type: 'input_text' }, { type: 'input_file' }] }]);
  });

  it('keeps nothing of what is not to be stored but its usage', async () => {
    const openai = await sdk();
    const response = await openai.responses.create({
      model: 'mefali',
      input: book.add(answered('Gone.')),
      store: false,
    });
    expect(response).toMatchObject({ output_text: 'Gone.', store: false });
    expect(await refusalOf(openai.responses.retrieve(response.id))).toMatchObject({ status: 404 });
  });

  it('is refused in OpenAI’s words', async () => {
    const openai = await sdk();
    const model = 'mefali';
    const input = 'Hello';
    const ask = (body: object): Promise<unknown> =>
      openai.responses.create(body as OpenAI.Responses.ResponseCreateParamsNonStreaming);
    const unknown = `resp_${'0'.repeat(32)}`;
    expect(await refusalOf(ask({ model: 'nobody', input }))).toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
    expect(await refusalOf(ask({ input }))).toMatchObject({ status: 400, param: 'model' });
    expect(await refusalOf(openai.embeddings.create({ model, input }))).toMatchObject({
      status: 404,
      code: 'unknown_url',
    });
    expect(await refusalOf(openai.responses.delete(unknown))).toMatchObject({ code: 'unknown_url' });
    const file = new File(['Hello'], 'hello.txt');
    expect(await refusalOf(openai.files.create({ file, purpose: 'user_data' }))).toMatchObject({
      status: 404,
      code: 'unknown_url',
    });
    expect(await refusalOf(ask({ model, input, previous_response_id: unknown }))).toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    });
    expect(await refusalOf(ask({ model, input: [] }))).toMatchObject({ status: 400, param: 'input' });
    expect(await refusalOf(ask({ model, input: [{ type: 'x' }] }))).toMatchObject({ status: 400 });
    const tools = [{ type: 'function', name: 'a b' }];
    expect(await refusalOf(ask({ model, input, tools }))).toMatchObject({
      status: 400,
      param: 'tools.0.key',
    });
    expect(await refusalOf(openai.responses.retrieve(unknown))).toMatchObject({ status: 404 });
    const stranger = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: 'wrong', maxRetries: 0 });
    expect(await refusalOf(stranger.models.list())).toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    });
  });

  it.each(['/responses', '/responses/compact', '/chat/completions'])(
    'is not asked again by %s where the quota is used up',
    async (path) => {
      const admin = { company: await app.company(), role: 'ADMIN' as const };
      await setQuota(await app.client(admin), { subject: 'COMPANY', period: 'DAY', maxTokens: 0 });
      const body = { model: 'mefali', input: 'Hello', messages: [{ role: 'user', content: 'Hello' }] };
      const openai = await sdk(admin);
      expect(await refusalOf(openai.post(path, { body }))).toMatchObject({
        status: 429,
        code: 'insufficient_quota',
        message: expect.stringContaining('Votre entreprise a épuisé son quota du jour'),
        shouldRetry: 'false',
      });
    },
  );

  it('belongs to its member alone', async () => {
    const openai = await sdk();
    const { id } = await openai.responses.create({ model: 'mefali', input: book.add(answered('Mine.')) });
    const colleague = await sdk({ sub: 'bob' });
    const competitor = await sdk({ company: await app.company() });
    for (const other of [colleague, competitor]) {
      expect(await refusalOf(other.responses.retrieve(id))).toMatchObject({ status: 404 });
      expect(await refusalOf(other.responses.cancel(id))).toMatchObject({ status: 404 });
      const asking = { model: 'mefali', input: 'And?', previous_response_id: id };
      expect(await refusalOf(other.responses.create(asking))).toMatchObject({ status: 400 });
    }
  });

  it('asks once under one idempotency key', async () => {
    const openai = await sdk();
    const asking = {
      model: 'mefali',
      input: [
        { role: 'user' as const, content: 'Before.' },
        { role: 'assistant' as const, content: 'Said before.' },
        { role: 'user' as const, content: book.add(answered('Once.')) },
      ],
    };
    const options = { headers: { 'Idempotency-Key': crypto.randomUUID() } };
    const first = await openai.responses.create(asking, options);
    expect(await openai.responses.create(asking, options)).toEqual(first);
    expect(await refusalOf(openai.responses.create({ ...asking, input: 'Else.' }, options))).toMatchObject({
      status: 409,
      code: 'idempotency_conflict',
    });
  });
});

async function redDot(): Promise<string> {
  const image = sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } });
  return `data:image/png;base64,${(await image.png().toBuffer()).toString('base64')}`;
}
