import { callTool, mcpClient } from '../harness/mcp-client.js';
import { MortalServer } from '../harness/mortal-server.js';

it('gives an MCP client its answer by the same key after the death of the server', async () => {
  await using server = await MortalServer.start();
  const input = { message: 'Bonjour', idempotencyKey: 'the first question' };
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
  await server.kill();
  await before.close();
  await server.startAgain();
  const after = await mcpClient(await server.client(), '2026-07-28');
  const { report } = await callTool(after, 'ask_mefali', input);
  expect(report).toMatchObject({ status: 'COMPLETED', answer: 'Bonsoir.' });
  expect(told[0]).toBe(`turnId: ${report.turnId}`);
  await after.close();
});
