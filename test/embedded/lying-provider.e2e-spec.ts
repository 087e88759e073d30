import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { exportJWK, exportSPKI, type JWTPayload, SignJWT } from 'jose';
import { LocalSite } from '@palabre/outbound/local-site.double.js';

import { CookieJar } from '../harness/identity-provider.js';
import { startApp, type TestApp } from '../harness/start-app.js';

const CLIENT_ID = 'palabre';
const KEY = 'a key';

type Answer = (response: ServerResponse) => void;

interface Keys {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

function newKeys(): Keys {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

function said(body: unknown, status = 200): Answer {
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** An identity provider that says what it should, but for what a test has it say instead. */
class LyingProvider implements AsyncDisposable {
  readonly keys = newKeys();
  /** In the place of the answer at a path. */
  lies: Readonly<Record<string, Answer>> = {};
  /** What is said otherwise in the description of the provider, and of the person. */
  metadata: object = {};
  claims: JWTPayload = {};
  sign: (claims: JWTPayload) => Promise<string> | string = (claims) => this.signed(claims);
  readonly asked: string[] = [];
  private nonce = '';
  private readonly server = createServer((request, response) => void this.answer(request, response));

  static async start(): Promise<LyingProvider> {
    const provider = new LyingProvider();
    provider.server.listen(0, '127.0.0.1');
    await once(provider.server, 'listening');
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  tellTheTruth(): void {
    this.lies = {};
    this.metadata = {};
    this.claims = {};
    this.sign = (claims) => this.signed(claims);
    this.asked.splice(0);
  }

  signed(claims: JWTPayload, { privateKey } = this.keys, alg = 'RS256', kid = KEY): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(privateKey);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', this.issuer);
    await text(request);
    this.asked.push(pathname);
    const lie = this.lies[pathname];
    if (lie) return lie(response);
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return said({
          issuer: this.issuer,
          authorization_endpoint: `${this.issuer}/authorize`,
          token_endpoint: `${this.issuer}/token`,
          jwks_uri: `${this.issuer}/keys`,
          id_token_signing_alg_values_supported: ['RS256'],
          ...this.metadata,
        })(response);
      case '/authorize': {
        this.nonce = searchParams.get('nonce') ?? '';
        const back = new URL(searchParams.get('redirect_uri') ?? '');
        back.search = new URLSearchParams({
          code: 'a code',
          state: searchParams.get('state') ?? '',
        }).toString();
        return void response.writeHead(303, { location: back.href }).end();
      }
      case '/token': {
        const now = Math.floor(Date.now() / 1000);
        const person = { sub: 'awa', company: 'demo', role: 'MEMBER' };
        const about = { iss: this.issuer, aud: CLIENT_ID, iat: now, exp: now + 60, nonce: this.nonce };
        const idToken = await this.sign({ ...about, ...person, ...this.claims });
        return said({ access_token: 'an access token', token_type: 'Bearer', id_token: idToken })(response);
      }
      case '/keys':
        return said({ keys: [{ ...(await exportJWK(this.keys.publicKey)), kid: KEY, use: 'sig' }] })(
          response,
        );
      default:
        return void response.writeHead(404).end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

let provider: LyingProvider;
let app: TestApp;
/** Of the network that the server is in, and no host of the provider's. */
let inside: LocalSite;

beforeAll(async () => {
  provider = await LyingProvider.start();
  inside = await LocalSite.start((_request, response) => void response.end());
  app = await newApp();
});
beforeEach(() => provider.tellTheTruth());
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await inside[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

/** One that has not heard yet what the provider says of itself. */
function newApp(): Promise<TestApp> {
  return startApp([], { AUTH_OIDC_ISSUER: provider.issuer, AUTH_OIDC_CLIENT_ID: CLIENT_ID });
}

/** Where the browser ends, and whether it has a session. */
async function signIn({ url: server } = app): Promise<{ at: string; hasSession: boolean }> {
  const jar = new CookieJar();
  const visited = await jar.follow(
    `${server}/auth/sign-in`,
    (url) => url.startsWith(server) && !url.startsWith(`${server}/auth/`),
  );
  return { at: visited.at(-1)!.slice(server.length), hasSession: jar.find(server, 'session') !== undefined };
}

const failed = { at: '/#sign-in=failed', hasSession: false };

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** With what everybody knows as the secret. */
async function hashedBy({ publicKey }: Keys, content: string): Promise<string> {
  return createHmac('sha256', await exportSPKI(publicKey))
    .update(content)
    .digest('base64url');
}

function redirectedTo(path: string): Answer {
  return (response) => void response.writeHead(302, { location: path }).end();
}

/** More than any provider has to say, and for ever. */
function withoutEnd(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const send = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, '[')));
  };
  response.on('drain', send);
  send();
}

it('lets in whom an honest one vouches for', async () => {
  expect(await signIn()).toEqual({ at: '/', hasSession: true });
});

describe('an ID token', () => {
  const lies: [string, (claims: JWTPayload) => Promise<string> | string][] = [
    ['of another issuer', (claims) => provider.signed({ ...claims, iss: 'https://evil.example' })],
    ['for another client', (claims) => provider.signed({ ...claims, aud: 'another' })],
    [
      'for several clients, by another',
      (claims) => provider.signed({ ...claims, aud: [CLIENT_ID, 'another'], azp: 'another' }),
    ],
    ['of another sign-in', (claims) => provider.signed({ ...claims, nonce: 'another' })],
    ['of no sign-in', ({ nonce: _, ...claims }) => provider.signed(claims)],
    ['that is over', (claims) => provider.signed({ ...claims, exp: 1 })],
    ['without a signature', (claims) => `${part({ alg: 'none' })}.${part(claims)}.`],
    ['signed by another key', (claims) => provider.signed(claims, newKeys())],
    ['signed by a key that is nowhere', (claims) => provider.signed(claims, newKeys(), 'RS256', 'another')],
    ['by another algorithm than is announced', (claims) => provider.signed(claims, provider.keys, 'PS256')],
    [
      'signed with the public key as a secret',
      async (claims) => {
        const content = `${part({ alg: 'HS256', kid: KEY })}.${part(claims)}`;
        return `${content}.${await hashedBy(provider.keys, content)}`;
      },
    ],
    ['that is none', () => 'x'.repeat(200_000)],
  ];
  it.each(lies)('%s opens nothing', async (_what, sign) => {
    provider.sign = sign;
    expect(await signIn()).toEqual(failed);
  });

  it.each(['none', 'HS256'])('opens nothing by %s, whatever the provider announces', async (alg) => {
    provider.metadata = { id_token_signing_alg_values_supported: [alg, 'RS256'] };
    provider.sign = async (claims) => {
      const content = `${part({ alg, kid: KEY })}.${part(claims)}`;
      return `${content}.${alg === 'none' ? '' : await hashedBy(provider.keys, content)}`;
    };
    await using alone = await newApp();
    expect(await signIn(alone)).toEqual(failed);
  });
});

describe('a provider', () => {
  it.each([
    ['whose description is of another', () => ({ issuer: 'https://evil.example' })],
    ['whose keys are inside', () => ({ jwks_uri: `${inside.url}/keys` })],
    ['whose tokens are inside', () => ({ token_endpoint: `${inside.url}/token` })],
    ['whose keys are a file', () => ({ jwks_uri: 'file:///etc/passwd' })],
  ])('%s opens nothing', async (_what, metadata) => {
    provider.metadata = metadata();
    await using alone = await newApp();
    expect(await signIn(alone)).toEqual(failed);
    expect(inside.requests).toEqual([]);
  });

  it.each(['/.well-known/openid-configuration', '/token', '/keys'])(
    'whose %s leads in circles or has no end opens nothing, and is left',
    async (path) => {
      await using alone = await newApp();
      provider.lies = { [path]: redirectedTo(path) };
      expect(await signIn(alone)).toEqual(failed);
      expect(provider.asked.filter((asked) => asked === path)).toHaveLength(1);
      provider.lies = { [path]: withoutEnd };
      expect(await signIn(alone)).toEqual(failed);
      provider.lies = {};
      expect(await signIn(alone)).toEqual({ at: '/', hasSession: true });
    },
  );

  it('is not asked for its keys once for each token of an unknown one', async () => {
    expect(await signIn()).toMatchObject({ hasSession: true });
    provider.sign = (claims) => provider.signed(claims, provider.keys, 'RS256', 'another');
    const before = provider.asked.filter((path) => path === '/keys').length;
    for (let times = 0; times < 5; times += 1) expect(await signIn()).toEqual(failed);
    expect(provider.asked.filter((path) => path === '/keys').length - before).toBeLessThanOrEqual(1);
  });

  it('that hangs holds nobody up but whoever signs in', async () => {
    provider.lies = { '/.well-known/openid-configuration': () => undefined };
    await using alone = await newApp();
    const waiting = Promise.all(Array.from({ length: 20 }, () => signIn(alone)));
    const client = await alone.client();
    expect(await client.get('{ __typename }')).toEqual({ __typename: 'Query' });
    expect(new Set((await waiting).map(({ at }) => at))).toEqual(new Set([failed.at]));
    expect(provider.asked).toHaveLength(1);
  }, 20_000);
});

describe('a callback', () => {
  it.each([
    ['no parameters', ''],
    ['two states', '?code=a&state=x&state=y'],
    ['an error of a script', `?error=${encodeURIComponent('<script>alert(1)</script>')}&state=x`],
    ['another issuer', '?code=a&state=x&iss=https://evil.example'],
    ['very long parameters', `?code=${'a'.repeat(10_000)}&state=${'b'.repeat(3_000)}`],
    ['what is no text', '?code=%ff%fe&state=%00'],
    ['a token in its place', '?access_token=a&id_token=b&state=x'],
  ])('with %s opens nothing', async (_what, query) => {
    const jar = new CookieJar();
    await jar.visit(`${app.url}/auth/sign-in`);
    const answer = await jar.visit(`${app.url}/auth/callback${query}`);
    expect(answer.headers.get('location')).toBe(`${app.url}${failed.at}`);
    expect(jar.find(app.url, 'session')).toBeUndefined();
    expect(provider.asked).not.toContain('/token');
  });
});
