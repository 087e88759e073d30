import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

import { Program } from '../harness/server-process.js';
import { startApp } from '../harness/start-app.js';
import { TestClient } from '../harness/test-client.js';

it('tells connected clients that it goes away, and does not wait for them', async () => {
  const app = await startApp([]);
  const { token } = await app.client();
  // Not one of the app's own clients, which leave before it stops.
  const client = new TestClient(app.url, token);
  const connected = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<unknown>();
  client.socket({
    lazy: false,
    on: { connected: () => connected.resolve(), closed: closed.resolve },
    onNonLazyError: () => undefined,
  });
  await connected.promise;
  await app[Symbol.asyncDispose]();
  expect(await closed.promise).toMatchObject({ code: 1001, reason: 'Going away' });
  await client.close();
});

it.each([
  ['the server', 'app/main.js', [], 'SIGTERM', 143],
  ['the server', 'app/main.js', [], 'SIGINT', 130],
  ['a command', 'app/cli/palabre.js', ['migrate'], 'SIGTERM', 143],
] as const)(
  'ends %s that is not ready yet at once, by itself',
  async (_what, file, commandLine, signal, code) => {
    // It takes the connection, and says nothing.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const program = new Program(file, commandLine, {
      DATABASE_URL: `postgres://palabre@127.0.0.1:${port}/palabre`,
      PORT: '0',
    });
    await once(silent, 'connection');
    expect(await program.kill(signal)).toEqual({ code, signal: null, output: '' });
    silent.close();
  },
);
