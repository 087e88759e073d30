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
