import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPalabre } from '@palabre/client';
import { GraphQLError } from 'graphql';

import { type AskSettings, runAsk } from './ask-program.js';
import { type clientOf, remoteAccess } from './server-access.js';
import { type Script, ScriptedServer, textDelta, turnDone } from '@palabre/client/scripted-server.double.js';

const settings: AskSettings = {
  name: 'palabre ask',
  typed: 'palabre ask',
  access: remoteAccess,
  defaultAssistant: 'mefali',
  environment: '',
};

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

  interface Surroundings {
    env?: object;
    input?: string;
    connect?: typeof clientOf;
    given?: AskSettings;
    /** What the person types, line after line; they type no more then. */
    lines?: string[];
  }
  const run = async (
    commandLine: string[],
    { env = {}, input = '', given = settings, connect, lines }: Surroundings = {},
  ) => {
    let out = '';
    let error = '';
    const terminal = {
      env: { PALABRE_URL: server.url, PALABRE_TOKEN: 'given', ...env },
      isTTY: false,
      out: (text: string) => (out += text),
      error: (text: string) => (error += text),
      readInput: async () => input,
      interruptSignal: () => interrupt.signal,
      ...(lines && {
        async ask(question: string): Promise<string> {
          error += question;
          return lines.shift() ?? '';
        },
      }),
    };
    const code = await runAsk(commandLine, terminal, given, connect);
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
    expect(out).toContain('palabre ask --conversation conversation-1 "…"');
  });

  it('shows the files that skills have made, with their links, and none with --json', async () => {
    const done = turnDone(2);
    const events = () => [textDelta(1, 'Prêt.'), { ...done, usage: { ...done.usage, skillCalls: 1 } }];
    await start({ events, files: [{ name: 'Rapport.pdf', url: 'http://here.example/files/x' }] });
    expect((await run(['Un rapport'])).out).toContain('\nRapport.pdf: http://here.example/files/x\n');
    expect((await run(['--json', 'Un rapport'])).out).not.toContain('Rapport.pdf');
  });

  it('asks the server that it is given, with the token that it is given', async () => {
    await start();
    await run(['Bonjour']);
    const env = { PALABRE_URL: 'http://127.0.0.1:1', PALABRE_TOKEN: 'another' };
    const { code, out } = await run(['--url', `${server.url}/`, '--token', 'typed', 'Bonjour'], { env });
    expect(code).toBe(0);
    expect(out).toContain(`palabre ask --url ${server.url} --conversation conversation-1 "…"`);
    expect(out).not.toContain('typed');
    expect(new Set(server.authorizations)).toEqual(new Set(['Bearer given', 'Bearer typed']));
  });

  it.each([
    ['no address', { PALABRE_URL: '' }, '--url'],
    ['an address that is none', { PALABRE_URL: 'palabre.example' }, '--url'],
    ['no token', { PALABRE_TOKEN: '' }, '--token'],
  ])('exits with 2 on %s, and says how to give one', async (_what, env, option) => {
    await start();
    const { code, error } = await run(['Bonjour'], { env });
    expect([code, error]).toEqual([2, expect.stringContaining(option)]);
  });

  it('asks nobody in particular where nobody is named', async () => {
    await start();
    const given = { ...settings, defaultAssistant: null };
    expect((await run(['--assistant', 'solven', 'Hola'], { given })).code).toBe(0);
    expect((await run(['--conversation', 'c-9', 'Et ici ?'], { given })).code).toBe(0);
    expect(server.inputs).toMatchObject([{ assistantKey: 'solven' }, { conversationId: 'c-9' }]);
  });

  it.each([
    ['an assistant that is not there', ['--assistant', 'mefalli'], 'NOT_FOUND'],
    ['a default one that is not there', [], 'NOT_FOUND'],
    ['none', [], 'BAD_USER_INPUT'],
  ])('names the assistants there are when asked for %s', async (_what, options, code) => {
    await start({
      startTurn() {
        throw new GraphQLError('No.', { extensions: { code, argument: 'input.assistantKey' } });
      },
      assistants: [
        { key: 'solven', archived: false },
        { key: 'retired', archived: true },
        { key: 'therese', archived: false },
      ],
    });
    const given = code === 'NOT_FOUND' ? settings : { ...settings, defaultAssistant: null };
    expect(await run([...options, 'Bonjour'], { given })).toEqual({
      code: 2,
      out: '',
      error: `No. (${code})\n--assistant is one of: solven, therese.\n`,
    });
    expect(server.inputs).toHaveLength(1);
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

  it('asks the last question in other words, or has it answered once more', async () => {
    await start();
    server.script.messages = [
      { id: 'm-1', role: 'USER' },
      { id: 'm-2', role: 'ASSISTANT' },
    ];
    await run(['--conversation', 'c-9', '--edit', 'Autrement ?']);
    await run(['--conversation', 'c-9', '--regenerate']);
    expect(server.inputs).toMatchObject([
      { message: 'Autrement ?', conversationId: 'c-9', replacesMessageId: 'm-1' },
      { messageId: 'm-1' },
    ]);
    server.script.messages = [];
    expect(await run(['--conversation', 'c-9', '--regenerate'])).toMatchObject({
      code: 2,
      error: expect.stringContaining('(NOT_FOUND)'),
    });
  });

  it('gives files with the question', async () => {
    await start();
    const [note, plan] = [join(dataDir, 'note.txt'), join(dataDir, 'plan.txt')];
    await writeFile(note, 'Bonjour.');
    await writeFile(plan, 'Demain.');
    expect((await run(['--attach', note, '--attach', plan, 'Que', 'dit-elle ?'])).code).toBe(0);
    expect(server.uploads).toEqual(['Bonjour.', 'Demain.']);
    expect(server.inputs).toMatchObject([
      { attachmentIds: ['attachment of note.txt', 'attachment of plan.txt'] },
    ]);
    const missing = await run(['--attach', join(dataDir, 'none.txt'), 'Et là ?']);
    expect(missing).toMatchObject({ code: 2, error: expect.stringContaining('There is no file') });
  });

  describe('asked back', () => {
    const responseSchema = {
      type: 'object',
      required: ['year'],
      properties: {
        year: { type: 'integer', title: 'Year' },
        units: { type: 'array', items: { enum: ['kWh', 'l'] } },
        note: { type: 'string', description: 'what else matters' },
      },
    };
    const input = {
      __typename: 'Question',
      id: 'q-1',
      turnId: 'turn-1',
      kind: 'QUESTION',
      status: 'PENDING',
      expiresAt: '2026-01-02T04:00:00.000Z',
      prompt: 'Of which year?',
      responseSchema,
    };
    /** A turn that waits for an answer; those that `refuse` gives an error for are not taken. */
    const startAsking = async (refuse: (count: number) => Error | null = () => null): Promise<unknown[]> => {
      const answers: unknown[] = [];
      const answered = Promise.withResolvers<void>();
      await start({
        async *events() {
          yield { __typename: 'InputRequested', sequence: 1, input };
          await answered.promise;
          yield { __typename: 'InputResolved', sequence: 2, inputId: 'q-1', inputStatus: 'ANSWERED' };
          yield turnDone(3);
        },
        answerInput(answer) {
          answers.push(answer);
          const refusal = refuse(answers.length);
          if (refusal) throw refusal;
          answered.resolve();
        },
      });
      return answers;
    };

    it('answers field by field', async () => {
      const answers = await startAsking();
      const { code, out, error } = await run(['Bonjour'], { lines: ['2023', 'kWh, l', ''] });
      expect(code).toBe(0);
      expect(out).toContain('? Of which year? (until 2026-01-02T04:00:00.000Z)\n');
      expect(error).toBe(
        'Year: units (kWh | l; several, with commas between; may be left out): note (what else matters; may be left out): ',
      );
      expect(answers).toMatchObject([
        { question: { id: 'q-1', value: { year: 2023, units: ['kWh', 'l'] } } },
      ]);
    });

    it('declines with an empty line', async () => {
      const answers = await startAsking();
      expect((await run(['Bonjour'], { lines: [''] })).code).toBe(0);
      expect(answers).toMatchObject([{ question: { id: 'q-1', declined: true } }]);
    });

    it('asks again for what does not fit', async () => {
      const misfit = new GraphQLError('year must be integer.', { extensions: { code: 'BAD_USER_INPUT' } });
      const answers = await startAsking((count) => (count === 1 ? misfit : null));
      const { error } = await run(['Bonjour'], { lines: ['last', '', '', '2023', '', ''] });
      expect(error).toContain('year must be integer.\n');
      expect(answers).toMatchObject([
        { question: { value: { year: 'last' } } },
        { question: { value: { year: 2023 } } },
      ]);
    });
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
    expect(await run(['Bonjour'])).toEqual({
      code: 2,
      out: '',
      error: 'No tokens are left today. (QUOTA_EXCEEDED)\n',
    });
  });

  it('keeps what was said when the stream breaks for good', async () => {
    await start({
      async *events() {
        yield textDelta(1, 'Bonj');
        throw new GraphQLError('There is no such turn.', { extensions: { code: 'NOT_FOUND' } });
      },
    });
    const { code, out, error } = await run(['Bonjour']);
    expect({ code, out }).toEqual({ code: 2, out: 'Bonj\n' });
    expect(error).toContain('There is no such turn.');
  });

  it('says where the answer will be when the server is gone for good', async () => {
    await start({ events: () => [] });
    const connect: typeof clientOf = ({ url }) => createPalabre({ url, maxRetries: 1 });
    const { code, error } = await run(['Bonjour'], { connect });
    expect(code).toBe(3);
    expect(error).toContain('The answer will be in the conversation conversation-1.\n');
  });

  it.each([
    ['no question', []],
    ['an empty question', ['  ']],
    ['an unknown option', ['--loud', 'Bonjour']],
    ['an empty conversation', ['--conversation', '', 'Bonjour']],
    ['an edit of no conversation', ['--edit', 'Bonjour']],
    ['an edit that is none', ['--conversation', 'c-9', '--edit']],
    ['an edit and its opposite', ['--conversation', 'c-9', '--edit', '--regenerate', 'Bonjour']],
    [
      'a question to be answered once more that is another',
      ['--conversation', 'c', '--regenerate', 'Bonjour'],
    ],
  ])('exits with 2 on %s', async (_what, commandLine) => {
    await start();
    const { code, error } = await run(commandLine);
    expect(code).toBe(2);
    expect(error).not.toBe('');
    expect(server.inputs).toEqual([]);
  });

  it('exits with 3 when there is no server, and says how to start one', async () => {
    await start();
    const { url } = server;
    await server.close();
    await start();
    const { code, error } = await run(['Bonjour'], { env: { PALABRE_URL: url } });
    expect(code).toBe(3);
    expect(error).toContain(`No Palabre server answers at ${url}/graphql.\nA server is started by npm start`);
  });
});
