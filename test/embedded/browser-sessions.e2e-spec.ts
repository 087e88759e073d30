import { WebSocket } from 'ws';

import { signToken } from '../../src/companies/auth/token-signer.js';
import { Secrets } from '../../src/platform/secrets.js';
import { CookieJar, LocalIdentityProvider } from '../harness/identity-provider.js';
import { SECRET, shareApp, startApp, type TestApp } from '../harness/start-app.js';

const VIEWER = '{ viewer { id name email role company { name } } }';
const BY_SESSION = { authorization: 'Bearer session' };

let provider: LocalIdentityProvider;
let app: TestApp;
let jar: CookieJar;

beforeAll(async () => {
  provider = await LocalIdentityProvider.start();
  app = await startApp([], {
    ...provider.settings,
    AUTH_ROLE_CLAIM: 'realm_access.roles',
    AUTH_ROLE_MAP: 'chief=ADMIN,*=MEMBER',
    DOORS: 'all',
  });
  provider.serve(app.url);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => {
  jar = new CookieJar();
  provider.person = { sub: 'awa', company: 'demo', name: 'Awa Ndiaye', email: 'awa@example.org' };
});

function at(path: string): string {
  return `${app.url}${path}`;
}

/** Signs in, and gives the last address. */
async function signIn(to = ''): Promise<string> {
  const visited = await jar.follow(at(`/auth/sign-in?to=${encodeURIComponent(to)}`), isInConsole);
  return visited.at(-1)!.slice(app.url.length);
}

function isInConsole(url: string): boolean {
  return url.startsWith(app.url) && !url.startsWith(at('/auth/'));
}

/** Up to the provider's answer, which is not brought back. */
async function callbackOf(who = jar): Promise<string> {
  return (await who.follow(at('/auth/sign-in'), (url) => url.startsWith(at('/auth/callback')))).at(-1)!;
}

async function ask(headers: Record<string, string>, path = '/graphql') {
  const response = await jar.visit(at(path), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: VIEWER }),
  });
  const text = await response.text();
  return { status: response.status, text };
}

function askAsConsole(path?: string) {
  return ask({ ...BY_SESSION, origin: app.url }, path);
}

/** Opens a socket of a page of `origin`, and tells how that went and how it is closed. */
function openSocket(origin: string | undefined, authorization = BY_SESSION.authorization) {
  const socket = new WebSocket(at('/graphql').replace('http', 'ws'), 'graphql-transport-ws', {
    headers: { cookie: jar.headerFor(app.url), ...(origin && { origin }) },
  });
  const acknowledged = Promise.withResolvers<boolean>();
  const closed = Promise.withResolvers<number>();
  socket.on('open', () =>
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } })),
  );
  socket.on('message', () => acknowledged.resolve(true));
  socket.on('close', (code) => {
    acknowledged.resolve(false);
    closed.resolve(code);
  });
  return { socket, acknowledged: acknowledged.promise, closed: closed.promise };
}

describe('signing in by the provider', () => {
  it('lets a person in, with what the provider says of them', async () => {
    provider.person = { ...provider.person!, realm_access: { roles: ['staff', 'chief'] } };
    expect(await signIn('inbox?find=a b')).toBe('/inbox?find=a%20b');
    const { status, text } = await askAsConsole();
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      data: { viewer: { name: 'Awa Ndiaye', email: 'awa@example.org', role: 'ADMIN', company: {} } },
    });
    expect((await askAsConsole('/graphql/stream')).text).toContain('Awa Ndiaye');
  });

  it('has what is secret in no address, and a cookie that no script and no other site can use', async () => {
    const start = await jar.visit(at('/auth/sign-in'));
    const sent = new URL(start.headers.get('location')!).searchParams;
    expect(Object.fromEntries(sent)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: at('/auth/callback'),
    });
    const response = await jar.visit(await callbackOf());
    expect(response.headers.get('cache-control')).toBe('no-store');
    const [ended, begun] = response.headers.getSetCookie();
    expect(ended).toMatch(/^palabre-sign-in=; .*Max-Age=0/);
    expect(begun).toMatch(/^palabre-session=v1\.[\w.-]+; Path=\/; Max-Age=863\d\d; HttpOnly; SameSite=Lax$/);
  });

  it.each([
    ['another host', '//evil.example/'],
    ['another site', 'https://evil.example'],
    ['what browsers take for another host', String.raw`\\evil.example`],
    ['a script', 'javascript:alert(1)'],
    ['more than a cookie holds', 'x'.repeat(2000)],
  ])('leads nowhere but to the console: %s', async (_what, to) => {
    expect(await signIn(to)).toBe('/');
  });

  it('refuses an answer with another state, and one for another browser', async () => {
    const callback = new URL(await callbackOf());
    callback.searchParams.set('state', 'another');
    expect((await jar.visit(callback.href)).headers.get('location')).toBe(at('/#sign-in=failed'));
    const theirs = await callbackOf(new CookieJar());
    expect((await jar.follow(theirs)).at(-1)).toContain('#sign-in=failed');
    await callbackOf();
    expect((await jar.follow(theirs)).at(-1)).toContain('#sign-in=failed');
    expect(jar.find(app.url, 'session')).toBeUndefined();
  });

  it('takes a code once', async () => {
    const callback = await callbackOf();
    const before = { cookie: jar.headerFor(app.url) };
    expect((await jar.visit(callback)).headers.get('location')).toBe(at('/'));
    const again = await fetch(callback, { redirect: 'manual', headers: before });
    expect(again.headers.get('location')).toBe(at('/#sign-in=failed'));
    expect(again.headers.getSetCookie().join()).not.toContain('palabre-session');
  });

  it.each([
    ['a company that is not here', { company: 'elsewhere' }, 'denied'],
    ['no company', { company: undefined }, 'denied'],
    ['a subject that is ours', { sub: 'api-key 1' }, 'denied'],
  ])('refuses %s', async (_what, changes, problem) => {
    provider.person = { ...provider.person!, ...changes };
    expect(await signIn()).toBe(`/#sign-in=${problem}`);
    expect(jar.find(app.url, 'session')).toBeUndefined();
  });

  it('says so when the person does not want to, or the provider is away', async () => {
    provider.person = null;
    expect(await signIn('memory')).toBe('/memory#sign-in=failed');
    await using alone = await startApp([], { ...provider.settings, AUTH_OIDC_ISSUER: 'http://127.0.0.1:1' });
    const away = await fetch(`${alone.url}/auth/sign-in?to=inbox`, { redirect: 'manual' });
    expect(away.headers.get('location')).toBe(`${alone.url}/inbox#sign-in=failed`);
  });
});

describe('a session', () => {
  beforeEach(async () => {
    await signIn();
  });

  it('is no proof by its cookie alone, nor to pages of other origins', async () => {
    const strangers: Record<string, string>[] = [
      {},
      { origin: app.url },
      { 'apollo-require-preflight': 'yes', origin: app.url },
      BY_SESSION,
      { ...BY_SESSION, origin: 'https://evil.example' },
      { ...BY_SESSION, origin: 'null' },
    ];
    for (const path of ['/graphql', '/graphql/stream']) {
      for (const headers of strangers) {
        expect(await ask(headers, path)).toMatchObject({ status: 401 });
      }
    }
    const sent = await fetch(at('/graphql'), {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(sent.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it.each(['/v1/models', '/v1/responses', '/ag-ui/mefali', '/ai-sdk/mefali', '/mcp'])(
    'opens nothing at %s, whoever asks',
    async (path) => {
      for (const origin of [app.url, 'https://evil.example']) {
        const headers = { ...BY_SESSION, origin, 'content-type': 'application/json' };
        const isRead = path === '/v1/models';
        const init = isRead ? { headers } : { method: 'POST', headers, body: '{}' };
        const { status } = await jar.visit(at(path), init);
        // MCP refuses pages of other origins before it asks who they are.
        expect([401, 403]).toContain(status);
      }
    },
  );

  it('is open to sockets of our own pages alone', async () => {
    for (const origin of [undefined, 'https://evil.example', 'null']) {
      const { acknowledged, closed } = openSocket(origin);
      expect([await acknowledged, await closed]).toEqual([false, 4403]);
    }
    const { socket, acknowledged } = openSocket(app.url);
    expect(await acknowledged).toBe(true);
    socket.close();
  });

  it('lets requests with larger bodies in, as a token does', async () => {
    const response = await jar.visit(at('/graphql'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...BY_SESSION, origin: app.url },
      body: JSON.stringify({ query: VIEWER, extensions: { filler: 'x'.repeat(50_000) } }),
    });
    expect(response.status).toBe(200);
  });

  it('ends, and its sockets close, when the member is deactivated', async () => {
    const { acknowledged, closed } = openSocket(app.url);
    expect(await acknowledged).toBe(true);
    const { text } = await askAsConsole();
    const { id } = (JSON.parse(text) as { data: { viewer: { id: string } } }).data.viewer;
    const ada = await app.client({});
    await ada.get('mutation ($id: ID!) { deactivateMember(id: $id) { id } }', { id });
    expect(await closed).toBe(4403);
    expect(await askAsConsole()).toMatchObject({ status: 401, text: expect.stringContaining('deactivated') });
    expect(await signIn()).toBe('/#sign-in=denied');
    await ada.get('mutation ($id: ID!) { reactivateMember(id: $id) { id } }', { id });
    expect(await askAsConsole()).toMatchObject({ status: 200 });
  });

  it('is nobody’s after its time, with another seal, or in another cookie', async () => {
    const person = {
      subject: 'awa',
      companySlug: 'demo',
      role: 'ADMIN',
      name: 'Awa',
      email: null,
      beganAt: Date.now(),
    };
    const sealed = (expiresAt: number, name: string, secret: string, issuer = provider.issuer) =>
      new Secrets(secret).encrypt(JSON.stringify({ ...person, expiresAt }), `cookie ${name} of ${issuer}`);
    const later = Date.now() + 60_000;
    const askWith = async (cookie: string) =>
      (await ask({ ...BY_SESSION, origin: app.url, cookie: `palabre-session=${cookie}` })).status;
    expect(await askWith(sealed(later, 'session', SECRET))).toBe(200);
    expect(await askWith(sealed(Date.now() - 1, 'session', SECRET))).toBe(401);
    expect(await askWith(sealed(later, 'sign-in', SECRET))).toBe(401);
    expect(await askWith(sealed(later, 'session', SECRET, 'https://elsewhere.example'))).toBe(401);
    expect(await askWith(sealed(later, 'session', 'another secret that is long enough'))).toBe(401);
    expect(await askWith('v1.x.y')).toBe(401);
  });

  it('closes its sockets when its time is over', async () => {
    const person = {
      subject: 'awa',
      companySlug: 'demo',
      role: 'MEMBER',
      name: 'Awa',
      email: null,
      beganAt: Date.now(),
    };
    const brief = JSON.stringify({ ...person, expiresAt: Date.now() + 1_000 });
    jar.keep(
      app.url,
      'palabre-session',
      new Secrets(SECRET).encrypt(brief, `cookie session of ${provider.issuer}`),
    );
    const { closed } = openSocket(app.url);
    expect(await closed).toBe(4403);
  });

  it('is ended by the console alone, which goes on to the provider', async () => {
    const leave = (headers: Record<string, string>) =>
      jar.visit(at('/auth/sign-out'), { method: 'POST', headers });
    expect((await leave({ origin: app.url })).status).toBe(403);
    expect((await leave({ ...BY_SESSION, origin: 'https://evil.example' })).status).toBe(403);
    expect(jar.find(app.url, 'session')).toBeDefined();
    const { url } = (await (await leave({ ...BY_SESSION, origin: app.url })).json()) as { url: string };
    expect(jar.find(app.url, 'session')).toBeUndefined();
    expect(await askAsConsole()).toMatchObject({ status: 401 });
    expect(url).toContain(`${provider.issuer}/session/end?`);
    expect(new URL(url).searchParams.get('post_logout_redirect_uri')).toBe(at('/'));
    expect((await jar.visit(url)).status).toBe(200);
  });

  it('ends with all others of the member, a copied cookie and its sockets included, and tokens stay good', async () => {
    const copied = { ...BY_SESSION, origin: app.url, cookie: jar.headerFor(app.url) };
    const { id } = (JSON.parse((await ask(copied)).text) as { data: { viewer: { id: string } } }).data.viewer;
    const token = await app.client({ sub: 'awa' });
    expect((await token.get<{ viewer: { id: string } }>('{ viewer { id } }')).viewer.id).toBe(id);
    const ofCopy = openSocket(app.url);
    const signed = await signToken(SECRET, { sub: 'awa', company: 'demo', role: 'MEMBER', name: 'Awa' }, 60);
    const ofToken = openSocket(app.url, `Bearer ${signed}`);
    expect(await Promise.all([ofCopy.acknowledged, ofToken.acknowledged])).toEqual([true, true]);
    const headers = { ...BY_SESSION, origin: app.url };
    expect((await jar.visit(at('/auth/sign-out'), { method: 'POST', headers })).status).toBe(200);
    expect(await ofCopy.closed).toBe(4403);
    expect(await ask(copied)).toMatchObject({
      status: 401,
      text: expect.stringContaining('The session is over'),
    });
    expect((await token.get<{ viewer: { id: string } }>('{ viewer { id } }')).viewer.id).toBe(id);
    expect(ofToken.socket.readyState).toBe(WebSocket.OPEN);
    ofToken.socket.close();
    await signIn();
    expect(await askAsConsole()).toMatchObject({ status: 200 });
  });
});

it('is not there without a provider', async () => {
  await using alone = await shareApp([]);
  expect((await fetch(`${alone.url}/auth/sign-in`, { redirect: 'manual' })).status).toBe(404);
  const about = `cookie session of ${provider.issuer}`;
  const cookie = new Secrets(SECRET).encrypt('{}', about);
  const response = await fetch(`${alone.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...BY_SESSION,
      origin: alone.url,
      cookie: `palabre-session=${cookie}`,
    },
    body: JSON.stringify({ query: VIEWER }),
  });
  expect(response.status).toBe(401);
});
