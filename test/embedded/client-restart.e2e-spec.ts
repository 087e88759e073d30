import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPalabre, type TurnEvent } from '@palabre/client';

import { finish, gate, text } from '../../src/llm/scripted-chat-model.double.js';
import { startScriptedProvider } from '../../src/llm/scripted-provider.double.js';
import { freePort } from '../harness/free-port.js';
import { ServerProcess } from '../harness/server-process.js';

it('follows a turn across the death of the server, and shows what is stored in the end', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'palabre-client-'));
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
  const changes: boolean[] = [];
  const palabre = createPalabre({
    url: server.url,
    token: async () => (await server.client()).token,
    onConnectionChange: (isConnected) => changes.push(isConnected),
  });
  try {
    const turn = palabre.ask({ assistantKey: 'mefali', message: 'Bonjour' });
    const events: TurnEvent[] = [];
    for await (const event of turn) {
      events.push(event);
      if (event.__typename !== 'TextDelta' || event.text !== 'Bonj') continue;
      await server.kill('SIGKILL');
      server = await ServerProcess.start(settings);
    }
    const { turnId, text: answer, messageId } = await turn.answer;
    expect(answer).toBe('Bonsoir.');
    const client = await server.client();
    expect(events).toMatchObject(await client.allEvents(turnId));
    const query = 'query ($id: ID!) { node(id: $id) { ... on Message { text } } }';
    expect(await client.get(query, { id: messageId })).toEqual({ node: { text: answer } });
    expect(changes).toEqual([true, false, true]);
  } finally {
    await palabre.close();
    await server[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  }
});
