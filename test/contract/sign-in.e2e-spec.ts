import { request as httpRequest } from 'node:http';

import { SignJWT, UnsecuredJWT } from 'jose';
import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { signToken } from '../../src/companies/auth/token-signer.js';
import { DomainError } from '../../src/common/errors/domain-error.js';
import { JwksServer } from '../harness/jwks-server.js';
import { RawSocket } from '../harness/raw-socket.js';
import { SECRET, shareApp, startApp, type TestApp } from '../harness/start-app.js';
import { TestClient } from '../harness/test-client.js';

const VIEWER = '{ viewer { id name email role company { name } } }';
const claims = { sub: 'ada', company: 'demo', role: 'ADMIN' } as const;

const SET = 'mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { id } }';
const SET_BY_GET = 'query ($input: UpdateCompanyInput!) { viewer { id } }';

const FORBIDDEN = { code: 4403, reason: 'Forbidden' };

let app: TestApp;

beforeAll(async () => {
  app = await shareApp(() => [text('Bonjour.'), finish()]);
});
afterAll(() => app[Symbol.asyncDispose]());

/** Opens a socket, sends what is given as connection parameters, and waits for the server to close it. */
async function closeAfter(payload?: object, path?: string): Promise<{ code: number; reason: string }> {
  const socket = await RawSocket.open(app.url, path);
  socket.send({ type: 'connection_init', ...(payload ? { payload } : {}) });
  return socket.closed;
}

async function answerTo(headers: Record<string, string>, path = '/graphql') {
  const response = await fetch(`${app.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: VIEWER }),
  });
  const { errors } = (await response.json()) as {
    errors?: { message: string; extensions: { code: string } }[];
  };
  return { status: response.status, code: errors?.[0]?.extensions.code, message: errors?.[0]?.message };
}

describe('nobody', () => {
  it('may ask the API for its schema', async () => {
    expect(await app.clientWith(null).get('{ __schema { queryType { name } } }')).toEqual({
      __schema: { queryType: { name: 'Query' } },
    });
  });

  describe('is refused before anything of an operation is looked at', () => {
    const misfit = { input: Object.fromEntries(Array.from({ length: 40_000 }, (_, key) => [`k${key}`, 1])) };
    const operations: [what: string, operation: object][] = [
      ['what is not in the schema', { query: '{ nothing }' }],
      ['variables of the wrong shape', { query: SET, variables: misfit }],
      ['variables beside the schema', { query: '{ __typename viewer { id } }', variables: misfit }],
      [
        'what was asked before, by its hash',
        { extensions: { persistedQuery: { version: 1, sha256Hash: 'a' } } },
      ],
    ];

    it.each(operations)('by POST: %s', async (_what, operation) => {
      for (const path of ['/graphql', '/graphql/stream']) {
        const response = await fetch(`${app.url}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(operation),
        });
        expect(response.status).toBe(401);
        expect(await response.json()).toMatchObject({
          errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
        });
      }
    });

    it.each([
      ['what is not in the schema', { query: '{ nothing }' }],
      ['variables of the wrong shape', { query: SET_BY_GET, variables: '{"input":{"a":1,"b":2}}' }],
      [
        'what was asked before, by its hash',
        { extensions: '{"persistedQuery":{"version":1,"sha256Hash":"a"}}' },
      ],
    ])('by GET: %s', async (_what, parameters: Record<string, string>) => {
      for (const path of ['/graphql', '/graphql/stream']) {
        const response = await fetch(`${app.url}${path}?${new URLSearchParams(parameters)}`, {
          headers: { 'apollo-require-preflight': 'true' },
        });
        expect(response.status).toBe(401);
        expect(await response.json()).toMatchObject({
          errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
        });
      }
    });

    it('also with more values than anybody’s may have, which nobody counts', async () => {
      const body = JSON.stringify({
        query: SET,
        variables: { input: Array.from({ length: 80_000 }, () => 1) },
      });
      for (const path of ['/graphql', '/graphql/stream']) {
        const response = await fetch(`${app.url}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        expect(response.status).toBe(401);
        expect(await response.json()).toMatchObject({
          errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
        });
      }
    });
  });

  it('opens no socket', async () => {
    expect(await closeAfter()).toEqual(FORBIDDEN);
    expect(await closeAfter({})).toEqual(FORBIDDEN);
    expect(await closeAfter({ authorization: '' })).toEqual(FORBIDDEN);
  });

  it('is not helped by a token in the address', async () => {
    const token = await signToken(SECRET, claims, 60);
    for (const name of ['token', 'access_token', 'authorization']) {
      const path = `/graphql?${name}=${token}`;
      expect(await answerTo({}, path)).toMatchObject({ code: 'UNAUTHENTICATED' });
      expect(await closeAfter({}, path)).toEqual(FORBIDDEN);
    }
  });
});

describe('a token that is no good', () => {
  const bad: [what: string, authorization: () => Promise<string> | string, message: RegExp][] = [
    ['garbage', () => 'Bearer garbage', /not valid/],
    ['another scheme', () => 'Basic YWRhOmFkYQ==', /Authorization: Bearer <token>/],
    ['no token after Bearer', () => 'Bearer', /Authorization: Bearer <token>/],
    ['one past its end', async () => `Bearer ${await signToken(SECRET, claims, -1)}`, /expired/],
    [
      'one of another secret',
      async () => `Bearer ${await signToken('another secret that is long enough', claims, 60)}`,
      /not valid/,
    ],
    [
      'an unsigned one',
      () => `Bearer ${new UnsecuredJWT({ ...claims }).setExpirationTime('1h').encode()}`,
      /not valid/,
    ],
    [
      'one without an end',
      async () =>
        `Bearer ${await new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(SECRET))}`,
      /not valid/,
    ],
    [
      'one of an unknown company',
      async () => `Bearer ${await signToken(SECRET, { ...claims, company: 'nowhere' }, 60)}`,
      /does not exist here/,
    ],
    ['a very long one', () => `Bearer ${'a'.repeat(9_000)}`, /at most 8192 characters/],
    ['two', async () => `Bearer ${await signToken(SECRET, claims, 60)} x`, /Bearer <token>/],
  ];

  it.each(bad)('is refused over HTTP: %s', async (_what, authorization, message) => {
    expect(await answerTo({ authorization: await authorization() })).toEqual({
      status: 401,
      code: 'UNAUTHENTICATED',
      message: expect.stringMatching(message),
    });
  });

  it.each(bad)('opens no socket: %s', async (_what, authorization) => {
    expect(await closeAfter({ authorization: await authorization() })).toEqual(FORBIDDEN);
  });

  it.each([[['Bearer x']], [{ token: 'x' }], [1], [true]])(
    'opens no socket when it is no text: %j',
    async (authorization) => {
      expect(await closeAfter({ authorization })).toEqual(FORBIDDEN);
    },
  );

  it('is refused before the server reads a header larger than it takes', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      httpRequest(
        `${app.url}/graphql`,
        { method: 'POST', headers: { authorization: `Bearer ${'a'.repeat(40_000)}` } },
        (response) => resolve(response.resume().statusCode),
      )
        .on('error', reject)
        .end();
    });
    expect(status).toBe(431);
  });
});

describe('a good token', () => {
  const signedIn = async (more: object, sub = 'new'): Promise<TestClient> =>
    app.clientWith(await signToken(SECRET, { ...claims, sub, ...more }, 60));

  const membersOf = async (client: TestClient): Promise<object[]> => {
    const { company } = await client.get<{ company: { id: string } }>('{ company { id } }');
    return app.database.transaction(company.id, (tx) =>
      tx.query('SELECT name, email FROM member WHERE subject = $1', ['new']),
    );
  };

  it('makes the member at the first visit, and keeps name and address up to date', async () => {
    const first = await signedIn({ name: 'Ada', email: 'ada@example.org' });
    const { viewer } = await first.get<{ viewer: { id: string } }>(VIEWER);
    expect(viewer).toEqual({
      id: expect.any(String),
      name: 'Ada',
      email: 'ada@example.org',
      role: 'ADMIN',
      company: { name: 'Demo' },
    });
    expect(await membersOf(first)).toEqual([{ name: 'Ada', email: 'ada@example.org' }]);
    const renamed = await signedIn({ name: 'Ada L.', email: 'ada.l@example.org' });
    expect((await renamed.get<{ viewer: { id: string } }>(VIEWER)).viewer.id).toBe(viewer.id);
    expect(await membersOf(renamed)).toEqual([{ name: 'Ada L.', email: 'ada.l@example.org' }]);
    await first.get(VIEWER);
    expect(await membersOf(first)).toEqual([{ name: 'Ada', email: 'ada@example.org' }]);
  });

  it('makes one member of many first visits at once', async () => {
    const crowd = await Promise.all(Array.from({ length: 10 }, () => signedIn({}, 'crowd')));
    const viewers = await Promise.all(crowd.map((each) => each.get<{ viewer: { id: string } }>(VIEWER)));
    expect(new Set(viewers.map(({ viewer }) => viewer.id)).size).toBe(1);
  });

  it('is taken with the scheme in any case', async () => {
    const token = await signToken(SECRET, claims, 60);
    for (const scheme of ['Bearer', 'bearer', 'BEARER ']) {
      expect(await answerTo({ authorization: `${scheme} ${token}` })).toMatchObject({ status: 200 });
    }
  });

  it.each(['authorization', 'Authorization', 'AUTHORIZATION'])(
    'opens a socket as the parameter %s, which serves every kind of operation',
    async (name) => {
      const client = await app.client({ sub: 'socket' });
      const socket = client.socket({ connectionParams: { [name]: `Bearer ${client.token}` } });
      const ask = async (query: string): Promise<unknown[]> => Array.fromAsync(socket.iterate({ query }));
      expect(await ask('{ viewer { name role } }')).toEqual([
        { data: { viewer: { name: 'socket', role: 'ADMIN' } } },
      ]);
      expect(await ask('mutation { updateCompany(input: { city: "Thiès" }) { city } }')).toEqual([
        { data: { updateCompany: { city: 'Thiès' } } },
      ]);
      const { turnId } = await client.ask('Bonjour');
      const events = await Array.fromAsync(client.turnEvents(turnId, 0, socket));
      expect(events.at(-1)).toMatchObject({ __typename: 'TurnDone', status: 'COMPLETED' });
    },
  );

  it('keeps a socket open until it ends', async () => {
    const client = await app.client({ ttlSeconds: 2 });
    const closed = Promise.withResolvers<{ code: number; reason: string }>();
    const socket = client.socket({
      lazy: false,
      onNonLazyError: () => undefined,
      on: { closed: (event) => closed.resolve(event as { code: number; reason: string }) },
    });
    expect(await Array.fromAsync(socket.iterate({ query: '{ viewer { role } }' }))).toEqual([
      { data: { viewer: { role: 'ADMIN' } } },
    ]);
    expect(await closed.promise).toMatchObject(FORBIDDEN);
    expect(await client.codes(VIEWER)).toEqual(['UNAUTHENTICATED']);
  });
});

describe('roles', () => {
  it('show prompts to admins only', async () => {
    const query = '{ assistant(key: "mefali") { prompt { template } promptHistory { version } } }';
    const member = await app.client({ sub: 'member', role: 'MEMBER' });
    expect(await member.get(query)).toEqual({ assistant: { prompt: null, promptHistory: [] } });
    const admin = await app.client();
    expect(await admin.get(query)).toEqual({
      assistant: {
        prompt: { template: expect.stringContaining('Mefali') },
        promptHistory: [{ version: 0 }],
      },
    });
  });
});

describe('another site', () => {
  const origin = 'https://evil.example';

  it('may use the API with a token that it was given', async () => {
    const response = await fetch(`${app.url}/graphql`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect(response.headers.has('access-control-allow-credentials')).toBe(false);
  });

  it('may not where others are named, which may', async () => {
    await using app = await startApp([], { CORS_ORIGINS: 'https://app.example.org, https://b.example.org' });
    const allowed = async (from: string, init: RequestInit = {}): Promise<string | null> => {
      const headers = { origin: from, 'access-control-request-method': 'POST' };
      const response = await fetch(`${app.url}/graphql`, { ...init, headers });
      return response.headers.get('access-control-allow-origin');
    };
    for (const init of [{ method: 'OPTIONS' }, { method: 'POST' }]) {
      expect(await allowed('https://b.example.org', init)).toBe('https://b.example.org');
      expect(await allowed(origin, init)).toBeNull();
      expect(await allowed('http://b.example.org', init)).toBeNull();
    }
  });

  it('may not where none is to', async () => {
    await using app = await startApp([], { CORS_ORIGINS: 'none' });
    const response = await fetch(`${app.url}/graphql`, { method: 'OPTIONS', headers: { origin } });
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
  });

  it('reads no explorer', async () => {
    const response = await fetch(`${app.url}/explorer`, { headers: { origin } });
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });
});

describe('while the database is away', () => {
  it('nobody is turned down for good', async () => {
    const { database } = app;
    const own = Object.getOwnPropertyDescriptor(database, 'systemTransaction');
    database.systemTransaction = () => Promise.reject(new DomainError('UNAVAILABLE', 'Please try again.'));
    try {
      const authorization = `Bearer ${await signToken(SECRET, { ...claims, sub: 'late' }, 60)}`;
      expect(await answerTo({ authorization })).toEqual({
        status: 503,
        code: 'UNAVAILABLE',
        message: 'Please try again.',
      });
      expect(await closeAfter({ authorization })).toEqual({ code: 1013, reason: 'Try again later' });
    } finally {
      if (own) Object.defineProperty(database, 'systemTransaction', own);
      else Reflect.deleteProperty(database, 'systemTransaction');
    }
  });
});

describe('with an identity provider', () => {
  it('takes its tokens, and none that a local secret signed', async () => {
    await using provider = await JwksServer.start();
    await using withProvider = await startApp(() => [text('Bonjour.'), finish()], {
      AUTH_SECRET: '',
      AUTH_JWKS_URL: provider.url,
      AUTH_ISSUER: 'https://id.example.org',
      AUTH_AUDIENCE: 'palabre',
    });
    expect(withProvider.server.demoToken).toBeNull();
    const right = { ...claims, iss: 'https://id.example.org', aud: 'palabre' };
    const ada = withProvider.clientWith(await provider.sign(right));
    expect(await ada.get('{ viewer { role } }')).toEqual({ viewer: { role: 'ADMIN' } });
    const { turnId } = await ada.ask('Bonjour');
    expect((await ada.allEvents(turnId)).at(-1)).toMatchObject({ __typename: 'TurnDone' });
    const wrong = [
      await provider.sign({ ...right, iss: 'https://evil.example' }),
      await provider.sign({ ...right, aud: 'another' }),
      await provider.sign(right, 'key-2'),
      await signToken(SECRET, claims, 60, { issuer: right.iss, audience: right.aud }),
    ];
    for (const token of wrong) {
      expect(await withProvider.clientWith(token).codes(VIEWER)).toEqual(['UNAUTHENTICATED']);
    }
  });
});
