import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { localSecret } from '../companies/auth/local-secret.js';
import { TokenVerifier } from '../companies/auth/token-verifier.js';
import { runAsk } from './ask-program.js';
import { type Script, ScriptedServer, textDelta, turnDone } from '@palabre/client/scripted-server.double.js';

describe('ask', () => {
  let dataDir: string;
  let server: ScriptedServer;
  let interrupt: AbortController;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'palabre-ask-'));
    interrupt = new AbortController();
  });
  afterEach(async () => {
    await server?.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const run = async (
    commandLine: string[],
    { env = {}, input = '' }: { env?: object; input?: string } = {},
  ) => {
    let out = '';
    let error = '';
    const code = await runAsk(commandLine, {
      env: { DATA_DIR: dataDir, PALABRE_URL: server.url, ...env },
      isTTY: false,
      out: (text) => (out += text),
      error: (text) => (error += text),
      readInput: async () => input,
      interruptSignal: () => interrupt.signal,
    });
    return { code, out, error };
  };
  const start = async (script: Script = { events: () => [textDelta(1, 'Bonjour.'), turnDone(2)] }) => {
    server = await ScriptedServer.start(script);
  };

  it('asks, shows the answer and how to go on, and exits with 0', async () => {
    await start();
    const { code, out, error } = await run(['Quel', 'est', 'mon bilan ?']);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(server.inputs).toMatchObject([{ message: 'Quel est mon bilan ?', assistantKey: 'mefali' }]);
    expect(out).toContain('Bonjour.\n');
    expect(out).toContain('npm run -s ask -- --conversation conversation-1 "…"');
  });

  it('shows the files that skills have made, with their links, and none with --json', async () => {
    const done = turnDone(2);
    const events = () => [textDelta(1, 'Prêt.'), { ...done, usage: { ...done.usage, skillCalls: 1 } }];
    await start({ events, files: [{ name: 'Rapport.pdf', url: 'http://here.example/files/x' }] });
    expect((await run(['Un rapport'])).out).toContain('\nRapport.pdf: http://here.example/files/x\n');
    expect((await run(['--json', 'Un rapport'])).out).not.toContain('Rapport.pdf');
  });

  it('signs in as an admin of the demo company with the secret of this folder', async () => {
    await start();
    await run(['Bonjour']);
    const token = String(server.authorizations[0]).replace('Bearer ', '');
    const verifier = new TokenVerifier({ secret: await localSecret(dataDir) });
    await expect(verifier.verify(token)).resolves.toMatchObject({
      companySlug: 'demo',
      role: 'ADMIN',
      email: 'demo@example.org',
    });
  });

  it('uses the token that it is given', async () => {
    await start();
    await run(['Bonjour'], { env: { PALABRE_TOKEN: 'given' } });
    expect(server.authorizations).toEqual(['Bearer given', 'Bearer given']);
  });

  it('asks whom and where it is told to', async () => {
    await start();
    await run(['--assistant', 'solven', 'Hola']);
    await run(['Y', 'bien', '--conversation', 'c-9']);
    await run(['--document', 'd-1', 'Et', 'ici ?', '--document', 'd-2']);
    expect(server.inputs).toMatchObject([
      { message: 'Hola', assistantKey: 'solven' },
      { message: 'Y bien', conversationId: 'c-9' },
      { message: 'Et ici ?', assistantKey: 'mefali', documentIds: ['d-1', 'd-2'] },
    ]);
  });

  it('reads the question from standard input', async () => {
    await start();
    expect((await run(['-'], { input: 'Bonjour,\nça va ?\n' })).code).toBe(0);
    expect(server.inputs).toMatchObject([{ message: 'Bonjour,\nça va ?' }]);
  });

  it('prints the events alone with --json, one a line', async () => {
    await start();
    const { code, out, error } = await run(['--json', 'Bonjour']);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { __typename: 'TextDelta', sequence: 1, text: 'Bonjour.' },
      { __typename: 'TurnDone', sequence: 2, status: 'COMPLETED', usage: { modelCalls: 0 } },
    ]);
  });

  it('exits with 1 when the turn fails', async () => {
    await start({ events: () => [turnDone(1, 'FAILED', 'ERROR')] });
    expect((await run(['Bonjour'])).code).toBe(1);
  });

  it.each(['during the turn', 'before the turn is there'])(
    'cancels on Ctrl-C %s and exits with 130',
    async (when) => {
      let cancelled: () => void = () => undefined;
      const cancelling = new Promise<void>((resolve) => (cancelled = resolve));
      if (when !== 'during the turn') interrupt.abort();
      await start({
        cancelTurn: () => cancelled(),
        async *events() {
          yield textDelta(1, 'Bon');
          interrupt.abort();
          await cancelling;
          yield turnDone(2, 'CANCELLED', 'CANCELLED');
        },
      });
      const { code, out, error } = await run(['Bonjour']);
      expect(code).toBe(130);
      expect(out).toContain('Bon\n');
      expect(error).toContain('Cancelling');
    },
  );

  it('exits with 2 on a refusal and says it in words', async () => {
    await start({ startTurn: () => ({ __typename: 'QuotaExceeded', message: 'No tokens are left today.' }) });
    expect(await run(['Bonjour'])).toEqual({ code: 2, out: '', error: 'No tokens are left today.\n' });
  });

  it('keeps what was said when the stream breaks for good', async () => {
    await start({
      async *events() {
        yield textDelta(1, 'Bonj');
        throw new Error('There is no such turn.');
      },
    });
    const { code, out, error } = await run(['Bonjour']);
    expect({ code, out }).toEqual({ code: 1, out: 'Bonj\n' });
    expect(error).toContain('There is no such turn.');
  });

  it('explains what to do about a token of its own that the server does not take', async () => {
    await start({ admits: () => false });
    const { code, error } = await run(['Bonjour']);
    expect(code).toBe(2);
    expect(error).toMatch(/\(UNAUTHENTICATED\)\n.* for the company demo, as PALABRE_TOKEN is not set/);
    expect((await run(['Bonjour'], { env: { PALABRE_TOKEN: 'given' } })).error).not.toContain(
      'PALABRE_TOKEN',
    );
  });

  it('says where the answer will be when the server is gone for good', async () => {
    await start({ events: () => [] });
    const { code, error } = await run(['Bonjour']);
    expect(code).toBe(3);
    expect(error).toContain('The answer will be in the conversation conversation-1.\n');
  });

  it.each([
    ['no question', []],
    ['an empty question', ['  ']],
    ['an unknown option', ['--loud', 'Bonjour']],
    ['an empty conversation', ['--conversation', '', 'Bonjour']],
  ])('exits with 2 on %s', async (_what, commandLine) => {
    await start();
    const { code, error } = await run(commandLine);
    expect(code).toBe(2);
    expect(error).not.toBe('');
    expect(server.inputs).toEqual([]);
  });

  it('exits with 2 when the identity provider makes the tokens and none was given', async () => {
    await start();
    const { code, error } = await run(['Bonjour'], { env: { AUTH_JWKS_URL: 'https://id.example.org/jwks' } });
    expect(code).toBe(2);
    expect(error).toContain('PALABRE_TOKEN must be');
  });

  it('exits with 3 when there is no server, and says how to start one', async () => {
    await start();
    const { url } = server;
    await server.close();
    await start();
    const { code, error } = await run(['Bonjour'], { env: { PALABRE_URL: url } });
    expect(code).toBe(3);
    expect(error).toContain(`No Palabre server answers at ${url}: start one with npm start`);
  });
});
