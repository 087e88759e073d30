import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { UndiciOutboundHttp } from '@palabre/outbound';
import type { JsonObject, JsonValue } from '@palabre/json';

import { type Clock, SystemClock } from '../../src/common/clock.js';
import { createLogger } from '../../src/common/process/logger.js';
import { ManualClock } from '../../src/common/manual-clock.double.js';
import { ChildLink } from '../../src/skills/mcp/client/child-link.js';
import { HttpLink } from '../../src/skills/mcp/client/http-link.js';
import { McpConnection, type McpConnectionOptions } from '../../src/skills/mcp/client/mcp-connection.js';
import type { ToolListing } from '../../src/skills/mcp/client/mcp-tools.js';
import { OUTCOME_UNKNOWN } from '../../src/skills/http/unknown-outcome.js';
import { serverEcho } from '../../src/skills/http/secret-echo.js';
import { type SkillContext, SkillError } from '../../src/skills/skill.js';
import { eventually } from '../harness/eventually.js';
import { RecordedTracing } from '../../src/platform/tracing/recorded-tracing.double.js';
import { inSpan, within } from '../../src/platform/tracing/span.js';
import { Everything, everythingOverStdio } from '../harness/mcp-everything.js';
import { OddServer, type Reply } from '../harness/mcp-odd-server.js';
import { ServerOfToday } from '../harness/mcp-today.js';

const SECRET = 'sk-not-to-be-told-again';
const logger = createLogger({ level: 'silent', pretty: false });

const stack = new AsyncDisposableStack();
const http = stack.adopt(new UndiciOutboundHttp({ allow: ['127.0.0.1'] }), (client) => client.close());
const connections = new Set<McpConnection>();
let odd: OddServer;

beforeAll(async () => {
  odd = stack.use(await OddServer.start());
});
afterEach(async () => {
  await Promise.all([...connections].map((connection) => connection.close()));
  connections.clear();
});
afterAll(() => stack.disposeAsync());

interface Way extends Partial<McpConnectionOptions> {
  clock?: Clock;
  timeoutMs?: number;
  headers?: Record<string, string>;
}

function made(open: () => HttpLink | ChildLink, options: Way = {}): McpConnection {
  const connection = new McpConnection(
    { key: 'tested', echo: serverEcho([SECRET]), held: new Map(), open },
    {
      clock: new SystemClock(),
      logger,
      reopens: 'when-needed',
      listedAt: new Date(),
      idleMs: null,
      onListing: () => Promise.resolve(),
      onFailure: () => Promise.resolve(),
      ...options,
    },
  );
  connections.add(connection);
  return connection;
}

function overHttp(url: string, options: Way = {}): McpConnection {
  const { timeoutMs = 20_000, headers = {} } = options;
  return made(
    () => new HttpLink(http, { company: 'a', url, headers, timeoutMs, isOperators: false }),
    options,
  );
}

const progress: string[] = [];
function contextOf(signal = new AbortController().signal): SkillContext {
  return { signal, progress: (detail: string) => void progress.push(detail) } as SkillContext;
}

function call(
  connection: McpConnection,
  tool: string,
  input: JsonObject = {},
  options: { timeoutMs?: number; signal?: AbortSignal; outputSchema?: JsonObject; idempotent?: boolean } = {},
): Promise<JsonValue> {
  return connection.call(
    {
      tool,
      parameters: { type: 'object' },
      outputSchema: options.outputSchema ?? null,
      timeoutMs: options.timeoutMs ?? 20_000,
      idempotent: options.idempotent ?? true,
    },
    input,
    contextOf(options.signal),
  );
}

function namesOf({ tools }: ToolListing): string[] {
  return tools.map(({ name }) => name);
}
function told(words: string) {
  return expect.objectContaining({
    name: expect.stringMatching(/^S(?:kill|ervice)Error$/),
    message: expect.stringContaining(words),
  });
}

/** Whether a process is there. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('the reference server', () => {
  let everything: Everything;
  beforeAll(async () => {
    everything = stack.use(await Everything.start());
  });

  const ways: [string, () => McpConnection][] = [
    ['over HTTP', () => overHttp(everything.url)],
    [
      'over stdio',
      () => made(() => new ChildLink({ ...everythingOverStdio, env: { KEY: SECRET } }, () => {})),
    ],
  ];

  it.each(ways)('%s lists its tools and carries them out', async (_, open) => {
    const connection = open();
    const listing = await connection.list();
    expect(namesOf(listing)).toEqual(expect.arrayContaining(['echo', 'get-sum', 'get-structured-content']));
    expect(listing.notes).toEqual([
      expect.stringMatching(/^simulate-research-query: Its calls have to be tasks/),
    ]);
    expect(await call(connection, 'echo', { message: 'Bonjour' })).toBe('Echo: Bonjour');
    const weather = await call(connection, 'get-structured-content', { location: 'Chicago' });
    expect(weather).toEqual({ temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 });
    expect(JSON.stringify(await call(connection, 'get-tiny-image'))).toContain('[image/png, ');
    await expect(call(connection, 'get-sum', { a: 'x' })).rejects.toEqual(told('a'));
    await expect(call(connection, 'no-such-tool')).rejects.toEqual(told('no-such-tool'));
  });

  it.each(ways)('%s tells how far it is', async (_, open) => {
    progress.splice(0);
    await call(open(), 'trigger-long-running-operation', { duration: 0.3, steps: 3 });
    expect(progress).toEqual(expect.arrayContaining(['1/3', '2/3']));
  });

  it('as a process sees nothing of our environment, and tells nothing of its secrets', async () => {
    const connection = made(() => new ChildLink({ ...everythingOverStdio, env: { KEY: SECRET } }, () => {}));
    const seen = (await call(connection, 'get-env')) as Record<string, string>;
    expect(seen.KEY).toBe('•••');
    expect(Object.keys(seen)).toEqual(expect.not.arrayContaining(['NODE_OPTIONS', 'TEST_DATABASE_URL']));
  });

  it('as a process is gone once the connection is closed', async () => {
    const link = new ChildLink({ ...everythingOverStdio, env: {} }, () => {});
    const connection = made(() => link);
    await connection.open();
    const pid = (link.transport as StdioClientTransport).pid!;
    expect(isAlive(pid)).toBe(true);
    await connection.close();
    expect(isAlive(pid)).toBe(false);
  });

  it('that dies is away, and back when it is there again', async () => {
    const mortal = await Everything.start();
    const clock = new ManualClock();
    const connection = overHttp(mortal.url, { clock });
    expect(await call(connection, 'echo', { message: 'a' })).toBe('Echo: a');
    await mortal.kill();
    await expect(call(connection, 'echo', { message: 'b' })).rejects.toBeInstanceOf(SkillError);
    // Nobody waits for it meanwhile, and nobody asks.
    await expect(call(connection, 'echo', { message: 'c' })).rejects.toEqual(told('server'));
    expect(connection.failure).not.toBeNull();
    await using again = await Everything.start(mortal.port);
    expect(again.port).toBe(mortal.port);
    clock.advance(1_000);
    expect(await call(connection, 'echo', { message: 'd' })).toBe('Echo: d');
    expect(connection.failure).toBeNull();
  });
});

describe('a server of 2026-07-28', () => {
  it('is told which trace a call belongs to', async () => {
    await using server = await ServerOfToday.start();
    const connection = overHttp(server.url);
    await call(connection, 'add', { a: 1, b: 2 });
    const tracing = new RecordedTracing();
    const traced = (): Promise<JsonValue> =>
      inSpan(
        'execute_tool add',
        () => ({}),
        () => call(connection, 'add', { a: 1, b: 2 }),
      );
    await within(tracing.receive(null), traced);
    const span = tracing.span('execute_tool add');
    const { traceId, spanId } = span.spanContext();
    expect(server.traceparents).toEqual([undefined, `00-${traceId}-${spanId}-01`]);
    expect(span.attributes['mcp.method.name']).toBe('tools/call');
  });

  it('is spoken to without a session', async () => {
    await using server = await ServerOfToday.start();
    const connection = overHttp(server.url);
    const { tools } = await connection.list();
    expect(tools.find(({ name }) => name === 'add')).toMatchObject({ title: 'Add', saysIdempotent: true });
    expect(await call(connection, 'add', { a: 2, b: 3 })).toEqual({ sum: 5 });
  });

  it('that wants to know more has the member asked', async () => {
    await using server = await ServerOfToday.start();
    const refusal = call(overHttp(server.url), 'deploy');
    await expect(refusal).rejects.toMatchObject({
      requests: [
        { name: 'where', message: 'Where to?', server: 'tested', state: 'deployment 7', isLive: false },
      ],
    });
  });

  it('sees a call end when its caller leaves', async () => {
    await using server = await ServerOfToday.start();
    const caller = new AbortController();
    progress.splice(0);
    const answer = call(overHttp(server.url), 'wait', {}, { signal: caller.signal });
    await eventually(
      async () => progress,
      (lines) => lines.length > 0,
    );
    caller.abort(new Error('cancelled'));
    await expect(answer).rejects.toThrow('cancelled');
    await server.left.promise;
    expect(progress).toEqual(['Half of it']);
  });

  it('is asked again when it says that its tools have changed', async () => {
    await using server = await ServerOfToday.start();
    const changed = Promise.withResolvers<ToolListing>();
    const connection = overHttp(server.url, { onListing: async (listing) => changed.resolve(listing) });
    expect(namesOf(await connection.list())).not.toContain('new');
    server.more.add('new');
    server.changed();
    expect(namesOf(await changed.promise)).toContain('new');
  });
});

describe('an odd server', () => {
  beforeEach(() => {
    odd.asked.splice(0);
    odd.onAny = () => null;
    odd.tools = [{ name: 'echo', inputSchema: { type: 'object' } }];
    odd.pageSize = Number.POSITIVE_INFINITY;
  });

  it('is sent its headers, and nothing of them is told', async () => {
    odd.onCall = () => ({ error: { code: -32_000, message: `You sent ${SECRET}` } });
    const connection = overHttp(odd.url, { headers: { authorization: `Bearer ${SECRET}` } });
    await expect(call(connection, 'echo')).rejects.toEqual(told('You sent •••'));
    expect(odd.headers.authorization).toBe(`Bearer ${SECRET}`);
  });

  it('that breaks off in the middle of an answer fails that call at once', async () => {
    const connection = overHttp(odd.url);
    for (const reply of ['close', 'cut'] as const) {
      odd.onCall = () => reply;
      connection.forgive();
      await expect(call(connection, 'echo')).rejects.toEqual(told('broke off'));
    }
  });

  it('that hangs costs a call its time, is told, and after some is left alone', async () => {
    odd.onCall = () => 'hang';
    const connection = overHttp(odd.url, { clock: new ManualClock() });
    const cancelled = odd.hears('notifications/cancelled');
    for (const _ of [1, 2, 3]) {
      await expect(call(connection, 'echo', {}, { timeoutMs: 50 })).rejects.toEqual(told('in time'));
    }
    await cancelled;
    const asked = odd.asked.filter((method) => method === 'tools/call').length;
    await expect(call(connection, 'echo')).rejects.toEqual(told('in time'));
    expect(odd.asked.filter((method) => method === 'tools/call')).toHaveLength(asked);
  });

  it.each<[string, Reply]>([
    ['hangs', 'hang'],
    ['breaks off its answer', 'close'],
    ['breaks off the connection', 'cut'],
    ['fails', { status: 502 }],
  ])('that %s may have done what must not be done twice, and the model is told', async (_, reply) => {
    odd.onCall = () => reply;
    const unsafe = { timeoutMs: reply === 'hang' ? 50 : 20_000, idempotent: false };
    const connection = overHttp(odd.url);
    await expect(call(connection, 'echo', {}, unsafe)).rejects.toEqual(told(OUTCOME_UNKNOWN));
    connection.forgive();
    const safe = call(connection, 'echo', {}, { ...unsafe, idempotent: true });
    await expect(safe).rejects.not.toEqual(told(OUTCOME_UNKNOWN));
  });

  it('that was not asked, or refused, has done nothing', async () => {
    const gone = await OddServer.start();
    const { url } = gone;
    await gone[Symbol.asyncDispose]();
    const unsafe = { idempotent: false };
    await expect(call(overHttp(url), 'echo', {}, unsafe)).rejects.toMatchObject({
      message: 'The server refuses the connection.',
    });
    for (const reply of [{ status: 401 }, { error: { code: -32_602, message: 'No.' } }]) {
      odd.onCall = () => reply;
      const refusal = call(overHttp(odd.url), 'echo', {}, unsafe);
      await expect(refusal).rejects.toEqual(told('refuses'));
      await expect(refusal).rejects.not.toEqual(told(OUTCOME_UNKNOWN));
    }
  });

  it('that is left on our side is not said to have failed, and a call may have been carried out', async () => {
    odd.onCall = () => 'hang';
    const failures: string[] = [];
    const connection = overHttp(odd.url, { onFailure: async (failure) => void failures.push(failure) });
    const asked = odd.hears('tools/call');
    const [unsafe] = await Promise.all([
      Promise.allSettled([call(connection, 'echo', {}, { idempotent: false })]),
      asked.then(() => connection.close()),
    ]);
    expect(unsafe).toEqual([{ status: 'rejected', reason: told(`is closed. ${OUTCOME_UNKNOWN}`) }]);
    await expect(connection.list()).rejects.toMatchObject({ kind: 'CLOSED' });
    expect(failures).toEqual([]);
  });

  it('that has forgotten the connection is connected to anew, once', async () => {
    odd.onCall = () => ({ result: { content: [{ type: 'text', text: 'done' }] } });
    const connection = overHttp(odd.url);
    expect(await call(connection, 'echo')).toBe('done');
    odd.forget();
    expect(await call(connection, 'echo')).toBe('done');
    expect(odd.asked.filter((method) => method === 'initialize')).toHaveLength(2);
  });

  it('that forgets every connection is asked twice, and then left alone', async () => {
    odd.onCall = () => ({ status: 404 });
    const connection = overHttp(odd.url, { clock: new ManualClock() });
    await expect(call(connection, 'echo')).rejects.toEqual(told('HTTP 404'));
    await expect(call(connection, 'echo')).rejects.toEqual(told('HTTP 404'));
    expect(odd.asked.filter((method) => method === 'tools/call')).toHaveLength(2);
  });

  it('whose tools cannot be listed is asked less and less often', async () => {
    odd.onAny = ({ method }) => (method === 'tools/list' ? { result: { tools: 'none' } } : null);
    const clock = new ManualClock();
    const connection = overHttp(odd.url, { clock, reopens: 'always' });
    const asked = () => odd.asked.filter((method) => method === 'tools/list').length;
    connection.listInBackground();
    await eventually(
      async () => asked(),
      (count) => count === 1,
    );
    for (const waitMs of [1_000, 2_000, 4_000]) {
      const before = asked();
      await eventually(
        async () => connection.state,
        (state) => state === 'FAILED',
      );
      clock.advance(waitMs / 2 - 1);
      expect(asked()).toBe(before);
      clock.advance(waitMs / 2 + 1);
      await eventually(
        async () => asked(),
        (count) => count === before + 1,
      );
    }
  });

  it('with ten thousand tools has its first five hundred used', async () => {
    odd.tools = Array.from({ length: 10_000 }, (_, index) => ({
      name: `tool-${index}`,
      inputSchema: { type: 'object' },
    }));
    odd.pageSize = 100;
    const { tools, notes } = await overHttp(odd.url).list();
    expect(tools).toHaveLength(500);
    expect(notes).toEqual([expect.stringContaining('first 500')]);
    expect(odd.asked.filter((method) => method === 'tools/list')).toHaveLength(6);
  });

  it('that repeats its pages for ever is left', async () => {
    odd.onAny = ({ method }) => (method === 'tools/list' ? { result: { tools: [], nextCursor: 'x' } } : null);
    expect(await overHttp(odd.url).list()).toMatchObject({ tools: [] });
  });

  it('with a huge result has its beginning told, and a larger one refused', async () => {
    const connection = overHttp(odd.url);
    odd.onCall = () => ({ result: { content: [{ type: 'text', text: 'a'.repeat(1_000_000) }] } });
    const result = (await call(connection, 'echo')) as string;
    expect(result.length).toBeLessThan(400_100);
    expect(result).toContain('only the first 400000 of 1000000');
    odd.onCall = () => ({ result: { content: [{ type: 'text', text: 'a'.repeat(9_000_000) }] } });
    await expect(call(connection, 'echo')).rejects.toEqual(told('larger than 8 MB'));
  });

  it('with a result of another form than it promised has that noted', async () => {
    odd.onCall = () => ({ result: { content: [], structuredContent: { sum: 'five' } } });
    const outputSchema = { type: 'object', properties: { sum: { type: 'number' } } };
    const result = await call(overHttp(odd.url), 'echo', {}, { outputSchema });
    expect(result).toEqual({
      result: { sum: 'five' },
      notes: [expect.stringContaining('sum must be number')],
    });
  });

  it.each<[string, JsonObject, JsonValue]>([
    [
      'a part of a kind that nobody knows',
      { content: [{ type: 'text', text: 'Made: 7.' }, { type: 'chart' }, { type: 'image' }] },
      { result: 'Made: 7.', notes: Array(2).fill('[of an unknown kind, left out]') },
    ],
    ['a text in the place of its parts', { content: 'Made: 7.' }, 'Made: 7.'],
    ['no parts', { content: null }, ''],
    ['one part alone', { content: { type: 'text', text: 'Made: 7.' } }, 'Made: 7.'],
    ['a list as the structured result', { content: [], structuredContent: [1, 2] }, [1, 2]],
    ['a structured result alone', { structuredContent: { made: 7 } }, { made: 7 }],
    ['no structured result', { content: [], structuredContent: null }, ''],
  ])('with %s in its result has the rest of it told', async (_, result, told) => {
    odd.onCall = () => ({ result });
    await expect(call(overHttp(odd.url), 'echo')).resolves.toEqual(told);
  });

  it('with a result that cannot be read may have done what it was asked for', async () => {
    odd.onCall = () => ({ result: { content: [], isError: 'no' } });
    await expect(call(overHttp(odd.url), 'echo', {}, { idempotent: false })).rejects.toThrow(
      /not what the protocol asks for\. Nobody knows whether/,
    );
  });

  it.each<[string, Parameters<typeof raw>[0], string]>([
    ['a page', { raw: '<h1>Hello</h1>', type: 'text/html' }, 'as an MCP server does'],
    ['no JSON', { raw: '{"jsonrpc"', type: 'application/json' }, 'as an MCP server does'],
    ['another thing', { raw: '{"jsonrpc":"2.0","id":0,"result":7}' }, 'as an MCP server does'],
    ['a refusal', { status: 401 }, 'refuses access'],
    ['a failure', { status: 503 }, 'HTTP 503'],
  ])('that answers with %s is none', async (_, reply, words) => {
    raw(reply);
    const failures: string[] = [];
    const connection = overHttp(odd.url, { onFailure: async (failure) => void failures.push(failure) });
    await expect(connection.list()).rejects.toThrow(words);
    expect(failures).toEqual([expect.stringContaining(words)]);
  });

  const raw = (reply: { raw: string; type?: string } | { status: number }): void => {
    odd.onAny = () => reply;
  };

  it('is asked again when it tells of a change, and leaves nothing open in the end', async () => {
    const listings: string[][] = [];
    const connection = overHttp(odd.url, {
      onListing: async (listing) => void listings.push(namesOf(listing)),
    });
    const stream = odd.hears('GET');
    await connection.list();
    await stream;
    odd.tools = [{ name: 'other', inputSchema: { type: 'object' } }];
    odd.tellOfChange();
    await eventually(
      async () => listings,
      (found) => found.length > 0,
    );
    expect(listings).toEqual([['other']]);
    await connection.close();
    expect(odd.asked).toContain('DELETE');
    await eventually(
      async () => odd.openStreams,
      (open) => open === 0,
    );
  });

  it('is connected to once by all who want it at the same time', async () => {
    odd.onCall = () => ({ result: { content: [{ type: 'text', text: 'done' }] } });
    const connection = overHttp(odd.url);
    await Promise.all([call(connection, 'echo'), call(connection, 'echo'), connection.list()]);
    expect(odd.asked.filter((method) => method === 'initialize')).toHaveLength(1);
  });

  it('is left when nobody has called for long, and connected to when somebody does', async () => {
    odd.onCall = () => ({ result: { content: [{ type: 'text', text: 'done' }] } });
    const clock = new ManualClock();
    const connection = overHttp(odd.url, { clock, idleMs: 300_000, listedAt: clock.now() });
    await call(connection, 'echo');
    const left = odd.hears('DELETE');
    clock.advance(300_000);
    await left;
    expect(connection.state).toBe('CLOSED');
    expect(await call(connection, 'echo')).toBe('done');
  });
});

describe('a server that is not there', () => {
  it('is tried again by itself, later each time', async () => {
    await using gone = await OddServer.start();
    const { url } = gone;
    await gone[Symbol.asyncDispose]();
    const clock = new ManualClock();
    const failures: string[] = [];
    const failed = (count: number): Promise<string[]> =>
      eventually(
        async () => failures,
        (found) => found.length === count,
      );
    const connection = overHttp(url, {
      clock,
      reopens: 'always',
      onFailure: async (failure) => void failures.push(failure),
    });
    connection.listInBackground();
    await failed(1);
    clock.advance(1_000);
    await failed(2);
    expect(failures).toEqual(['The server refuses the connection.', 'The server refuses the connection.']);
    expect(connection.state).toBe('FAILED');
  });

  it('as a command is said to be missing', async () => {
    const connection = made(() => new ChildLink({ command: 'no-such-command', args: [], env: {} }, () => {}));
    await expect(connection.list()).rejects.toThrow('Its command was not found.');
  });

  it('as a process that ends at once is away', async () => {
    const ends = { command: process.execPath, args: ['-e', 'process.exit(3)'], env: {} };
    await expect(made(() => new ChildLink(ends, () => {})).list()).rejects.toThrow(
      'broke off the connection',
    );
  });

  it('at a private address is not looked for on behalf of a company', async () => {
    await using guarded = new AsyncDisposableStack();
    const closed = guarded.adopt(new UndiciOutboundHttp({ allow: [] }), (client) => client.close());
    const connection = made(
      () =>
        new HttpLink(closed, {
          company: 'a',
          url: odd.url,
          headers: {},
          timeoutMs: 1_000,
          isOperators: false,
        }),
    );
    await expect(connection.list()).rejects.toThrow('network that may not be reached');
  });
});
