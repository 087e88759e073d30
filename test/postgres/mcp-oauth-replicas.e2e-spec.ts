import { signToken } from '../../src/companies/auth/token-signer.js';
import { createLogger } from '../../src/common/process/logger.js';
import { readConfig } from '../../src/common/config/read-config.js';
import { type Server, startServer } from '../../src/app/server.js';
import { eventually } from '../harness/eventually.js';
import { OAuthSite } from '../harness/mcp-oauth-site.js';
import { SECRET } from '../harness/start-app.js';
import { TestClient } from '../harness/test-client.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';

const onServer = testDatabaseUrl === null ? describe.skip : describe;

onServer('a sign-in at an MCP server, on several replicas', () => {
  let testDatabase: TestDatabase;
  let servers: Server[];
  let clients: TestClient[];
  let site: OAuthSite;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    site = await OAuthSite.start();
    const config = readConfig({
      PORT: '0',
      DATABASE_URL: testDatabase.location.database.url ?? '',
      AUTH_SECRET: SECRET,
      OUTBOUND_ALLOW: '127.0.0.1',
    });
    const logger = createLogger({ level: 'silent', pretty: false });
    servers = [await startServer(config, logger), await startServer(config, logger)];
    const claims = { sub: 'ada', company: 'demo', role: 'ADMIN' as const, name: 'Ada' };
    const token = await signToken(SECRET, claims, 3600);
    clients = servers.map(({ url }) => new TestClient(url, token));
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    for (const server of servers) await server.close();
    await site[Symbol.asyncDispose]();
    await testDatabase[Symbol.asyncDispose]();
  });

  it('is renewed by one of those that are refused at the same time', async () => {
    const [here] = clients;
    await here!.get(
      `mutation ($input: RegisterMcpServerInput!, $machine: AuthorizeMcpServerInput!) {
         registerMcpServer(input: $input) { key }
         authorizeMcpServer(input: $machine) { url }
       }`,
      {
        input: { key: 'guarded', url: site.url },
        machine: {
          key: 'guarded',
          clientId: 'machine',
          clientSecret: site.secret,
          grant: 'CLIENT_CREDENTIALS',
        },
      },
    );
    const refresh = 'mutation { refreshMcpServer(key: "guarded") { authorization failure } }';
    const isLetIn = { refreshMcpServer: { authorization: 'GRANTED', failure: null } };
    for (const client of clients) expect(await client.get(refresh)).toEqual(isLetIn);
    site.forgetAccess();
    site.refusals = 0;
    // No token is given before both have come with the old one.
    site.beforeToken = async () => {
      await eventually(
        async () => site.refusals,
        (refusals) => refusals >= 2,
      );
    };
    expect(await Promise.all(clients.map((client) => client.get(refresh)))).toEqual([isLetIn, isLetIn]);
    expect(site.grants).toEqual(['client_credentials', 'client_credentials']);
  });
});
