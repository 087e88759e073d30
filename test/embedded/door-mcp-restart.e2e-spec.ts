import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { finish, gate, text } from '../../src/llm/scripted-chat-model.double.js';
import { startScriptedProvider } from '../../src/llm/scripted-provider.double.js';
import { freePort } from '../harness/free-port.js';
import { callTool, mcpClient } from '../harness/mcp-client.js';
import { ServerProcess } from '../harness/server-process.js';

it('gives an MCP client its answer by the same key after the death of the server', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'palabre-mcp-'));
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
  const input = { message: 'Bonjour', idempotencyKey: 'the first question' };
  try {
    const before = await mcpClient(await server.client(), '2026-07-28');
    const told: string[] = [];
    const begun = Promise.withResolvers<void>();
    const lost = callTool(before, 'ask_mefali', input, {
      onprogress: ({ message = '' }) => {
        told.push(message);
        if (message === 'Bonj') begun.resolve();
      },
    });
    lost.catch(() => undefined);
    await begun.promise;
    await server.kill('SIGKILL');
    await before.close();
    server = await ServerProcess.start(settings);
    const after = await mcpClient(await server.client(), '2026-07-28');
    const { report } = await callTool(after, 'ask_mefali', input);
    expect(report).toMatchObject({ status: 'COMPLETED', answer: 'Bonsoir.' });
    expect(told[0]).toBe(`turnId: ${report.turnId}`);
    await after.close();
  } finally {
    await server[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  }
});
