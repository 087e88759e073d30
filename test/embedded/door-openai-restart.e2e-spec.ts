import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';

import { finish, gate, text } from '../../src/llm/scripted-chat-model.double.js';
import { startScriptedProvider } from '../../src/llm/scripted-provider.double.js';
import { freePort } from '../harness/free-port.js';
import { ServerProcess } from '../harness/server-process.js';

type Event = OpenAI.Responses.ResponseStreamEvent;

it('resumes a response after the death of the server, without a gap and without anything twice', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'palabre-openai-'));
  let calls = 0;
  const never = new Promise<void>(() => undefined);
  await using provider = await startScriptedProvider(() => {
    calls += 1;
    return calls === 1 ? [text('Bonj'), gate(never)] : [text('Bonsoir.'), finish()];
  });
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    LLM_BASE_URL: provider.baseUrl,
    LLM_MODEL: 'scripted',
    CONVERSATION_TITLES: 'question',
    LEASE_SECONDS: '10',
  };
  let server = await ServerProcess.start(settings);
  const sdk = async (): Promise<OpenAI> => {
    const { token } = await server.client();
    return new OpenAI({ baseURL: `${server.url}/v1`, apiKey: token ?? '', maxRetries: 0 });
  };
  try {
    const seen: Event[] = [];
    let id = '';
    const stream = await (await sdk()).responses.create({ model: 'mefali', input: 'Bonjour', stream: true });
    try {
      for await (const event of stream) {
        seen.push(event);
        if (event.type === 'response.created') ({ id } = event.response);
        if (event.type === 'response.output_text.delta') await server.kill('SIGKILL');
      }
    } catch {
      // The connection is lost with the server.
    }
    server = await ServerProcess.start(settings);
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
  } finally {
    await server[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  }
});
