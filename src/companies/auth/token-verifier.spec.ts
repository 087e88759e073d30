import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type Server, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import fc from 'fast-check';
import {
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
  type JWTVerifyGetKey,
} from 'jose';

import { signToken } from './token-signer.js';
import { TokenVerifier, remoteKeySet } from './token-verifier.js';

const secret = 'a-secret-that-is-long-enough-for-hs256';
const key = new TextEncoder().encode(secret);
const claims = { sub: 'awa', company: 'demo', role: 'ADMIN', name: 'Awa', email: 'awa@example.org' } as const;

function hs256(payload: JWTPayload, alg = 'HS256'): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg }).setExpirationTime('1h').sign(key);
}

function unauthenticated(message: string) {
  return { name: 'DomainError', code: 'UNAUTHENTICATED', message };
}

describe('TokenVerifier with a secret', () => {
  const verifier = new TokenVerifier({ secret });

  it('reads what signToken wrote', async () => {
    const before = Math.floor(Date.now() / 1000);
    const read = await verifier.verify(await signToken(secret, claims, 3600));
    expect(read).toEqual({
      subject: 'awa',
      companySlug: 'demo',
      role: 'ADMIN',
      name: 'Awa',
      email: 'awa@example.org',
      expiresAt: expect.any(Date),
    });
    expect(read.expiresAt?.getTime()).toBeGreaterThanOrEqual((before + 3600) * 1000);
  });

  it('checks a token once for all who come with it at the same time', async () => {
    const token = await signToken(secret, claims, 3600);
    const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => verifier.verify(token)));
    for (const other of others) expect(other).toBe(first);
    const bad = Array.from({ length: 2 }, () => verifier.verify(`${token}x`));
    for (const refused of bad) await expect(refused).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('fills in what a sparse token leaves out', async () => {
    const read = await verifier.verify(await hs256({ sub: 'awa', company: 'demo', name: '', email: null }));
    expect(read).toMatchObject({ role: 'MEMBER', name: 'awa', email: null });
    const named = await verifier.verify(await hs256({ sub: 'awa', company: 'demo', email: 'a@example.org' }));
    expect(named.name).toBe('a@example.org');
    const hidden = await verifier.verify(await hs256({ sub: 'awa', company: 'demo', name: '\u200b' }));
    expect(hidden.name).toBe('awa');
  });

  it('refuses an expired token with a message of its own', async () => {
    const expired = await signToken(secret, claims, -1);
    await expect(verifier.verify(expired)).rejects.toMatchObject(unauthenticated('The token has expired.'));
  });

  it('refuses a token that lasts for longer than a day, from its making or from now', async () => {
    const day = 86_400;
    const now = Math.floor(Date.now() / 1000);
    await expect(verifier.verify(await signToken(secret, claims, day))).resolves.toMatchObject({
      subject: 'awa',
    });
    const tooLong = 'The token lasts too long: at most 24 hours are allowed. Get one that ends sooner.';
    const long = [
      await signToken(secret, claims, day + 1),
      await new SignJWT({ ...claims, exp: now + day + 60 }).setProtectedHeader({ alg: 'HS256' }).sign(key),
      await new SignJWT({ ...claims, iat: now - day, exp: now + 60 })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(key),
      await new SignJWT({ ...claims, iat: now + day, exp: now + day + 60 })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(key),
    ];
    for (const token of long) {
      await expect(verifier.verify(token)).rejects.toMatchObject(unauthenticated(tooLong));
    }
    const patient = new TokenVerifier({ secret }, { maxTokenSeconds: 2 * day });
    await expect(patient.verify(long[0] ?? '')).resolves.toMatchObject({ subject: 'awa' });
  });

  it('refuses a token of more characters than it reads, and says how many those are', async () => {
    const long = await hs256({ ...claims, name: 'a'.repeat(8_192) });
    const message = 'The token is too long: it may have at most 8192 characters.';
    await expect(verifier.verify(long)).rejects.toMatchObject(unauthenticated(message));
  });

  it('refuses a token without an end', async () => {
    const endless = await new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(key);
    await expect(verifier.verify(endless)).rejects.toMatchObject(unauthenticated('The token is not valid.'));
  });

  it('refuses another secret, another algorithm, none at all, and a token that is not in force yet', async () => {
    const tokens = [
      await signToken('another-secret-that-is-long-enough-too', claims, 60),
      await hs256({ ...claims }, 'HS512'),
      new UnsecuredJWT({ ...claims }).setExpirationTime('1h').encode(),
      await hs256({ ...claims, nbf: Math.floor(Date.now() / 1000) + 600 }),
    ];
    for (const token of tokens) {
      await expect(verifier.verify(token)).rejects.toMatchObject(unauthenticated('The token is not valid.'));
    }
  });

  it('refuses a token that was changed anywhere', async () => {
    const token = await signToken(secret, claims, 3600);
    // The last character of a part may hold spare bits that decode to the same bytes.
    const places = [...token].flatMap((_, index) => (/[^.]/.test(token[index + 1] ?? '.') ? [index] : []));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), async (index) => {
        const other = token[index] === 'A' ? 'B' : 'A';
        const changed = token.slice(0, index) + other + token.slice(index + 1);
        await expect(verifier.verify(changed)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
      }),
      { numRuns: 200 },
    );
  });

  it('rejects any other text with UNAUTHENTICATED', async () => {
    const parts = fc.array(fc.oneof(fc.string(), fc.base64String()), { maxLength: 4 });
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      parts.map((list) => list.join('.')),
    );
    await fc.assert(
      fc.asyncProperty(anything, async (token) => {
        await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
      }),
    );
    await expect(verifier.verify('a'.repeat(100_000))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it.each([
    ['company', { company: undefined }],
    ['company', { company: '  ' }],
    ['sub', { sub: 'x'.repeat(256) }],
    ['sub', { sub: 'a\ud800' }],
    ['role', { role: 'ROOT' }],
    ['name', { name: 'A\u0000wa' }],
    ['email', { email: { toString: 'no' } }],
    ['exp', { exp: 1e300 }],
  ])('names the claim that is not usable: %s', async (claim, change) => {
    const token = await new SignJWT({ exp: Math.floor(Date.now() / 1000) + 60, ...claims, ...change })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(key);
    const message = `The token's claims are absent or not usable: ${claim}.`;
    await expect(verifier.verify(token)).rejects.toMatchObject(unauthenticated(message));
  });

  it('holds a token to the issuer and the audience', async () => {
    const expected = { issuer: 'https://id.example.org', audience: 'palabre' };
    const strict = new TokenVerifier({ secret }, expected);
    await expect(strict.verify(await signToken(secret, claims, 60, expected))).resolves.toMatchObject({
      subject: 'awa',
    });
    const wrong = [{}, { ...expected, issuer: 'https://evil.example' }, { ...expected, audience: 'other' }];
    for (const each of wrong) {
      await expect(strict.verify(await signToken(secret, claims, 60, each))).rejects.toMatchObject(
        unauthenticated('The token is not valid.'),
      );
    }
  });
});

describe('TokenVerifier with an identity provider', () => {
  let server: Server;
  let answer: { status: number; body: string };
  let requests: number;
  let jwksUrl: string;

  beforeEach(async () => {
    requests = 0;
    server = createServer((_request, response) => {
      requests += 1;
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  });
  afterEach(() => close(server));

  const close = (open: Server): Promise<void> =>
    new Promise((resolve) => {
      open.close(() => resolve());
      open.closeAllConnections();
    });

  const serveKey = async (alg: string, kid = 'k1') => {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    answer = {
      status: 200,
      body: JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }] }),
    };
    return (payload: JWTPayload = { ...claims }, header = { alg, kid }) =>
      new SignJWT(payload).setProtectedHeader(header).setExpirationTime('1h').sign(privateKey);
  };

  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('accepts %s and asks for the keys once', async (alg) => {
    const sign = await serveKey(alg);
    const verifier = new TokenVerifier({ jwksUrl });
    await Promise.all([sign(), sign()].map(async (token) => verifier.verify(await token)));
    await expect(verifier.verify(await sign())).resolves.toMatchObject({
      companySlug: 'demo',
      role: 'ADMIN',
    });
    expect(requests).toBe(1);
  });

  it('refuses a token that was signed with a weak key', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'weak', alg: 'RS256', use: 'sig' };
    answer = { status: 200, body: JSON.stringify({ keys: [jwk] }) };
    const exp = Math.floor(Date.now() / 1000) + 60;
    const parts = [
      { alg: 'RS256', kid: 'weak' },
      { ...claims, exp },
    ];
    const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    const signature = sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url');
    await expect(new TokenVerifier({ jwksUrl }).verify(`${signed}.${signature}`)).rejects.toMatchObject(
      unauthenticated('The token is not valid.'),
    );
  });

  it('refuses an unknown key, a stranger with a known one, and the public key used as a secret', async () => {
    const strangers = await serveKey('RS256');
    const sign = await serveKey('RS256');
    const verifier = new TokenVerifier({ jwksUrl });
    const confused = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(answer.body));
    const tokens = [await sign({ ...claims }, { alg: 'RS256', kid: 'k2' }), await strangers(), confused];
    for (const token of tokens) {
      await expect(verifier.verify(token)).rejects.toMatchObject(unauthenticated('The token is not valid.'));
    }
    await expect(verifier.verify(await sign())).resolves.toMatchObject({ subject: 'awa' });
  });

  it('holds a token to the issuer and the audience', async () => {
    const sign = await serveKey('ES256');
    const verifier = new TokenVerifier(
      { jwksUrl },
      { issuer: 'https://id.example.org', audience: 'palabre' },
    );
    const right = { ...claims, iss: 'https://id.example.org', aud: ['other', 'palabre'] };
    await expect(verifier.verify(await sign(right))).resolves.toMatchObject({ subject: 'awa' });
    await expect(verifier.verify(await sign({ ...right, aud: 'other' }))).rejects.toMatchObject(
      unauthenticated('The token is not valid.'),
    );
  });

  it.each([
    ['an error', 500, 'down'],
    ['something that is no JSON', 200, '<html>'],
    ['something that is no key set', 200, '{"keys":"none"}'],
    ['more than any key set holds', 200, JSON.stringify({ keys: [], padding: 'x'.repeat(300_000) })],
  ])(
    'says UNAVAILABLE when the provider answers with %s, and recovers with it',
    async (_what, status, body) => {
      const sign = await serveKey('ES256');
      const good = answer;
      answer = { status, body };
      const verifier = new TokenVerifier({ jwksUrl });
      await expect(verifier.verify(await sign())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      answer = good;
      await expect(verifier.verify(await sign())).resolves.toMatchObject({ subject: 'awa' });
    },
  );

  it('rejects with UNAVAILABLE, without the address, when the provider does not answer', async () => {
    const sign = await serveKey('ES256');
    await close(server);
    const failure = await new TokenVerifier({ jwksUrl })
      .verify(await sign())
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'DomainError', code: 'UNAVAILABLE' });
    expect(String(failure)).not.toContain('127.0.0.1');
  });
});

const minutes = 60_000;
function header(kid: string) {
  return { alg: 'ES256', kid };
}
const token = { payload: '', signature: '' };

async function keySet(kid: string): Promise<string> {
  const { publicKey } = await generateKeyPair('ES256', { extractable: true });
  return JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }] });
}

function serving(body: string): RequestListener {
  return (_request, response) => void response.end(body);
}
const failing: RequestListener = (_request, response) => void response.writeHead(503).end();

describe('remoteKeySet', () => {
  let server: Server;
  let answer: RequestListener;
  let requests: number;
  let now: number;
  let keys: JWTVerifyGetKey;

  beforeEach(async () => {
    now = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => now);
    requests = 0;
    server = createServer((request, response) => {
      requests += 1;
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    keys = remoteKeySet(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`));
    answer = serving(await keySet('k1'));
    await keys(header('k1'), token);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const elapse = (ms: number) => void (now += ms);
  /** Time for an answer that nobody waits for. */
  const settled = () => new Promise((resolve) => setTimeout(resolve, 100));

  it('uses cached keys while the provider fails, and retries twice a minute', async () => {
    answer = failing;
    elapse(11 * minutes);
    for (let i = 0; i < 3; i++) await expect(keys(header('k1'), token)).resolves.toBeDefined();
    expect(requests).toBe(2);
    elapse(0.5 * minutes);
    await expect(keys(header('k1'), token)).resolves.toBeDefined();
    await settled();
    expect(requests).toBe(3);
  });

  it('does not wait for a provider that failed before and now hangs', async () => {
    answer = failing;
    elapse(11 * minutes);
    await keys(header('k1'), token);
    const hanging = Promise.withResolvers<ServerResponse>();
    answer = (_request, response) => hanging.resolve(response);
    elapse(1 * minutes);
    await keys(header('k1'), token);
    // It would have been given up by then.
    expect((await hanging.promise).destroyed).toBe(false);
  });

  it('uses cached keys for at most six hours', async () => {
    answer = failing;
    elapse(359 * minutes);
    await expect(keys(header('k1'), token)).resolves.toBeDefined();
    elapse(2 * minutes);
    await expect(keys(header('k1'), token)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('rejects an unknown key with UNAVAILABLE until the provider is back', async () => {
    answer = failing;
    elapse(11 * minutes);
    await expect(keys(header('k2'), token)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      cause: { message: expect.stringContaining('200 OK') },
    });
    answer = serving(await keySet('k2'));
    elapse(1 * minutes);
    await expect(keys(header('k2'), token)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await settled();
    await expect(keys(header('k2'), token)).resolves.toBeDefined();
    await expect(keys(header('k1'), token)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  });
});
