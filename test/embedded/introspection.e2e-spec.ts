import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const SCHEMA = '{ __schema { queryType { name } } }';
const BEHIND_FRAGMENT = 'query Q { ...a } fragment a on Query { other: __type(name: "Turn") { name } }';
const SDL = '{ _service { sdl } }';

let app: TestApp;
let admin: TestClient;
let member: TestClient;
beforeAll(async () => {
  app = await startApp([], { INTROSPECTION: 'admins', FEDERATION: 'on' }, { isLasting: true });
});
afterAll(() => app[Symbol.asyncDispose]());

async function signIn(): Promise<void> {
  admin = await app.client();
  member = await app.client({ sub: 'bea', role: 'MEMBER' });
}
beforeEach(signIn);

/** The codes of an operation's errors, as server-sent events. */
async function codesOf({ url, token }: TestClient, query: string): Promise<string[]> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query }),
  });
  const text = await answer.text();
  return [...text.matchAll(/"code":"(\w+)"/g)].map(([, code = '']) => code);
}

async function socketCodesOf(client: TestClient, query: string): Promise<string[]> {
  try {
    for await (const { errors = [] } of client.socket().iterate({ query })) {
      if (errors.length > 0) return errors.map(({ extensions }) => String(extensions?.code));
    }
    return [];
  } catch (error) {
    return (error as { extensions?: { code?: string } }[]).map(({ extensions }) => String(extensions?.code));
  }
}

it.each([SCHEMA, BEHIND_FRAGMENT])(
  'shows the schema to admins alone, whichever way it is asked: %s',
  async (query) => {
    const refused = ['FORBIDDEN'];
    expect(await member.codes(query)).toEqual(refused);
    expect(await codesOf(member, query)).toEqual(refused);
    expect(await socketCodesOf(member, query)).toEqual(refused);
    expect(await admin.codes(query)).toEqual([]);
    expect(await codesOf(admin, query)).toEqual([]);
    expect(await socketCodesOf(admin, query)).toEqual([]);
  },
);

it('tells strangers no more than that somebody is there', async () => {
  const nobody = app.clientWith(null);
  expect(await nobody.codes(SCHEMA)).toEqual(['UNAUTHENTICATED']);
  expect(await nobody.codes('{ __typename }')).toEqual([]);
  expect(await nobody.codes('{ viewer { id } }')).toEqual(['UNAUTHENTICATED']);
});

it('has routers read it as admins do', async () => {
  expect(await member.codes(SDL)).toEqual(['FORBIDDEN']);
  expect(await admin.codes(SDL)).toEqual([]);
});

it('shows it to nobody where it is off, and no explorer', async () => {
  await app.restart({ INTROSPECTION: 'off' });
  await signIn();
  for (const query of [SCHEMA, SDL]) expect(await admin.codes(query)).toEqual(['FORBIDDEN']);
  expect(await admin.codes('{ __typename viewer { id } }')).toEqual([]);
  expect(await socketCodesOf(admin, SCHEMA)).toEqual(['FORBIDDEN']);
  expect((await fetch(`${app.url}/explorer`)).status).toBe(404);
});
