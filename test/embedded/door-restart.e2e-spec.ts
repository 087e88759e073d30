import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { HttpAgent } from '@ag-ui/client';

import { newId } from '../../src/common/ids.js';
import { finish, gate, text } from '../../src/llm/scripted-chat-model.double.js';
import { startScriptedProvider } from '../../src/llm/scripted-provider.double.js';
import { freePort } from '../harness/free-port.js';
import { ServerProcess } from '../harness/server-process.js';

it('resumes a run across the death of the server, exactly after the last frame', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'palabre-door-'));
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
  const threadId = newId();
  const input = {
    threadId,
    runId: newId(),
    protocolVersion: '1.0',
    messages: [{ id: 'u', role: 'user', content: 'Bonjour' }],
  };
  const post = async (lastEventId?: string): Promise<Response> => {
    const { token } = await server.client();
    return fetch(`${server.url}/ag-ui/mefali`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
      body: JSON.stringify(input),
    });
  };
  try {
    let seen = '';
    const first = await post();
    const reader = first.body!.pipeThrough(new TextDecoderStream()).getReader();
    while (!seen.includes('Bonj"')) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`The stream has ended: ${first.status} ${seen}`);
      seen += value;
    }
    await reader.cancel();
    await server.kill('SIGKILL');
    server = await ServerProcess.start(settings);
    // A frame that is not whole was not seen.
    const whole = seen.slice(0, seen.lastIndexOf('\n\n') + 2);
    const lastId = whole
      .match(/^id: (.*)$/gm)!
      .at(-1)!
      .slice('id: '.length);
    const rest = await (await post(lastId)).text();
    const all = await (await post()).text();
    const framesOf = (stream: string): string[] =>
      stream.split('\n\n').filter((frame) => frame.startsWith('id: '));
    expect([...framesOf(whole), ...framesOf(rest)]).toEqual(framesOf(all));
    const agent = new HttpAgent({
      url: `${server.url}/ag-ui/mefali/connect`,
      headers: { authorization: `Bearer ${(await server.client()).token}` },
      threadId,
    });
    await agent.runAgent();
    expect(agent.messages.map(({ content }) => content)).toEqual(['Bonjour', 'Bonsoir.']);
    expect(rest).toContain('MESSAGES_SNAPSHOT');
  } finally {
    await server[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  }
});
