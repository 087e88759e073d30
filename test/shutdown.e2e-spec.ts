import { startApp } from './harness/start-app.js';
import { TestClient } from './harness/test-client.js';

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
