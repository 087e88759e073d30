import { signToken } from '../../src/companies/auth/token-signer.js';
import { createLogger } from '../../src/common/process/logger.js';
import { readConfig } from '../../src/common/config/read-config.js';
import { startServer } from '../../src/app/server.js';
import { identityOf } from '../harness/notification-view.js';
import { SECRET } from '../harness/start-app.js';
import { TestClient } from '../harness/test-client.js';
import { createTestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';

it.skipIf(testDatabaseUrl === null)('is nobody at one replica who was deactivated at another', async () => {
  await using stack = new AsyncDisposableStack();
  const testDatabase = stack.use(await createTestDatabase());
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: testDatabase.location.database.url ?? '',
    AUTH_SECRET: SECRET,
  });
  const logger = createLogger({ level: 'silent', pretty: false });
  const start = async () => stack.adopt(await startServer(config, logger), (server) => server.close());
  const [here, there] = [await start(), await start()];
  const clientAt = async ({ url }: { url: string }, sub: string): Promise<TestClient> => {
    const token = await signToken(SECRET, { sub, company: 'demo', role: 'ADMIN', name: sub }, 3600);
    return stack.adopt(new TestClient(url, token), (client) => client.close());
  };
  const ada = await clientAt(here, 'ada');
  const bea = await clientAt(there, 'bea');
  await identityOf(ada);
  const { id } = await identityOf(bea);
  const connected = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<unknown>();
  const on = { connected: () => connected.resolve(), closed: closed.resolve };
  bea.socket({ lazy: false, on, onNonLazyError: () => undefined });
  await connected.promise;
  await ada.get('mutation ($id: ID!) { deactivateMember(id: $id) { id } }', { id });
  expect(await closed.promise).toMatchObject({ code: 4403 });
  expect(await bea.codes('{ viewer { id } }')).toEqual(['UNAUTHENTICATED']);
});
