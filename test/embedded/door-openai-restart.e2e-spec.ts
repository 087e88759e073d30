import OpenAI from 'openai';

import { MortalServer } from '../harness/mortal-server.js';

type Event = OpenAI.Responses.ResponseStreamEvent;

it('resumes a response after the death of the server, without a gap and without anything twice', async () => {
  await using server = await MortalServer.start();
  const sdk = async (): Promise<OpenAI> => {
    const { token } = await server.client();
    return new OpenAI({ baseURL: `${server.url}/v1`, apiKey: token ?? '', maxRetries: 0 });
  };
  const seen: Event[] = [];
  let id = '';
  const stream = await (await sdk()).responses.create({ model: 'mefali', input: 'Bonjour', stream: true });
  try {
    for await (const event of stream) {
      seen.push(event);
      if (event.type === 'response.created') ({ id } = event.response);
      if (event.type === 'response.output_text.delta') await server.kill();
    }
  } catch {
    // The connection is lost with the server.
  }
  await server.startAgain();
  const openai = await sdk();
  const after = seen.at(-1)?.sequence_number ?? -1;
  const rest = await openai.responses.retrieve(id, { stream: true, starting_after: after });
  const resumed = [...seen, ...(await Array.fromAsync(rest))];
  const whole = await openai.responses.retrieve(id, { stream: true });
  expect(resumed).toEqual(await Array.fromAsync(whole));
  expect(resumed.map(({ sequence_number: number }) => number)).toEqual(resumed.map((_, index) => index));
  expect(await openai.responses.retrieve(id)).toMatchObject({
    status: 'completed',
    output_text: 'Bonsoir.',
    // What the first process said is withdrawn.
    output: [
      { type: 'message', status: 'incomplete', content: [] },
      { type: 'message', status: 'completed' },
    ],
  });
});

it('gives a completion its answer by the same key after the death of the server', async () => {
  await using server = await MortalServer.start();
  const sdk = async (): Promise<OpenAI> => {
    const { token } = await server.client();
    return new OpenAI({ baseURL: `${server.url}/v1`, apiKey: token ?? '', maxRetries: 0 });
  };
  const messages = [{ role: 'user' as const, content: 'Bonjour' }];
  const body = { model: 'mefali', messages, stream: true as const };
  const options = { headers: { 'Idempotency-Key': 'the first question' } };
  const stream = await (await sdk()).chat.completions.create(body, options);
  try {
    for await (const { choices } of stream) if (choices[0]?.delta.content) await server.kill();
  } catch {
    // The connection is lost with the server.
  }
  await server.startAgain();
  const again = await Array.fromAsync(await (await sdk()).chat.completions.create(body, options));
  const said = again.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
  // What the first process said is withdrawn, which a stream of chat completions cannot take back.
  expect(said.endsWith('Bonsoir.')).toBe(true);
  expect(again.at(-1)?.choices[0]?.finish_reason).toBe('stop');
});
