import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { localSecret } from '../../companies/auth/local-secret.js';
import { TokenVerifier } from '../../companies/auth/token-verifier.js';
import { runPalabre, parseDuration } from './palabre-program.js';

describe('palabre', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'palabre-cli-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  const run = async (commandLine: string[], env: Record<string, string> = {}, typed = '') => {
    let out = '';
    let error = '';
    const code = await runPalabre(commandLine, {
      ask: (question) => {
        out += question;
        return Promise.resolve(typed);
      },
      env: { DATA_DIR: dataDir, ...env },
      out: (text) => (out += text),
      error: (text) => (error += text),
    });
    return { code, out, error };
  };
  const token = ['token', '--company', 'demo', '--email', 'a@example.org', '--role', 'admin'];

  it('prints a token alone that the server of this folder accepts', async () => {
    const { code, out, error } = await run(token);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const verifier = new TokenVerifier({ secret: await localSecret(dataDir) });
    const claims = await verifier.verify(out.trim());
    expect(claims).toMatchObject({
      subject: 'a@example.org',
      companySlug: 'demo',
      role: 'ADMIN',
      name: 'a@example.org',
      email: 'a@example.org',
    });
    const minutesLeft = ((claims.expiresAt?.getTime() ?? 0) - Date.now()) / 60_000;
    expect(Math.round(minutesLeft)).toBe(60);
  });

  it('signs with AUTH_SECRET, for the issuer and the audience', async () => {
    const auth = { AUTH_SECRET: 's'.repeat(40), AUTH_ISSUER: 'palabre', AUTH_AUDIENCE: 'api' };
    const { out } = await run([...token, '--name', 'Awa', '--sub', 'u1', '--ttl', '8h'], auth);
    const verifier = new TokenVerifier({ secret: auth.AUTH_SECRET }, { issuer: 'palabre', audience: 'api' });
    await expect(verifier.verify(out.trim())).resolves.toMatchObject({ subject: 'u1', name: 'Awa' });
  });

  it('leaves tokens to the identity provider when there is one', async () => {
    const { code, out, error } = await run(token, { AUTH_JWKS_URL: 'https://id.example.org/jwks' });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toContain('identity provider');
  });

  it('refuses a token that the server would refuse', async () => {
    const { code, out, error } = await run([...token, '--name', 'x'.repeat(201)]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toBe("The token's claims are absent or not usable: name.\n");
  });

  it.each([
    ['no command', []],
    ['an unknown command', ['tokens']],
    ['no company', ['token', '--email', 'a@example.org', '--role', 'ADMIN']],
    ['an unknown role', [...token, '--role', 'ROOT']],
    ['an address that is none', [...token, '--email', 'awa']],
    ['a duration that is none', [...token, '--ttl', 'soon']],
    ['a duration of more than a year', [...token, '--ttl', '366d']],
    ['a duration that the server would refuse', [...token, '--ttl', '25h']],
    ['a company without a name', ['company', 'create', '--slug', 'acme']],
    ['words too many', ['migrate', 'now']],
  ])('exits with 2 on %s', async (_what, commandLine) => {
    const { code, out, error } = await run(commandLine);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).not.toBe('');
  });

  it('names the option whose value the database would not take', async () => {
    const { code, error } = await run(['company', 'create', '--slug', 'acme', '--name', ' ']);
    expect(code).toBe(2);
    expect(error).toBe("error: option '--name': This must not be empty.\n");
  });

  it.each([
    ['that is left out', ['company', 'erase', '--slug', 'acme'], ''],
    ['of another company', ['company', 'erase', '--slug', 'acme'], 'acne'],
    [
      'that is given, of another company',
      ['company', 'erase', '--slug', 'acme', '--confirm', 'acne'],
      'acme',
    ],
  ])('erases no company by a confirmation %s', async (_what, commandLine, typed) => {
    const { code, error } = await run(commandLine, {}, typed);
    expect(code).toBe(2);
    expect(error).toMatch(/^error: option '--confirm': Nothing was erased/);
  });

  it('explains itself when asked', async () => {
    const { code, out } = await run(['--help']);
    expect(code).toBe(0);
    expect(out).toContain('migrate');
  });

  it('says what is wrong with the environment, and exits with 1', async () => {
    const { code, error } = await run(token, { PORT: 'x', AUTH_SECRET: 'short' });
    expect(code).toBe(1);
    expect(error).toContain('PORT must be');
    expect(error).toContain('AUTH_SECRET must be');
  });
});

describe('parseDuration', () => {
  it.each([
    ['30s', 30],
    ['15m', 900],
    ['1h', 3600],
    ['7d', 604_800],
    ['365d', 31_536_000],
    ['8760h', 31_536_000],
  ])('reads %s', (text, seconds) => expect(parseDuration(text)).toBe(seconds));

  it.each([
    '',
    '0s',
    '1',
    'h',
    '1w',
    '-1h',
    '1.5h',
    '1h30m',
    ' 1h',
    '1 h',
    '1H',
    '366d',
    '8761h',
    '999999999d',
    '١h',
  ])('refuses «%s»', (text) => expect(parseDuration(text)).toBeNull());
});
