import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import fastify from 'fastify';
import { createLogger, NestLogger, type LogLevel, redacted, redactLine } from './logger.js';

type Line = Record<string, unknown>;

function capture(level: LogLevel = 'trace', pretty = false) {
  const destination = new PassThrough();
  const logger = createLogger({ level, pretty, destination });
  const text = (): string => String(destination.read() ?? '');
  const lines = (): Line[] =>
    text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  return { logger, destination, text, lines };
}

describe('a line', () => {
  it('is JSON with the time, the level and the message', () => {
    const { logger, lines } = capture();
    logger.info({ turnId: 'a' }, 'turn done');
    const [line] = lines();
    expect(line).toMatchObject({ level: 'info', msg: 'turn done', turnId: 'a', pid: process.pid });
    expect(line?.['time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('is written from the level on', () => {
    const { logger, lines } = capture('warn');
    logger.info('no');
    logger.warn('yes');
    expect(lines().map((line) => line['msg'])).toEqual(['yes']);
  });

  it('is readable in a terminal', async () => {
    const { logger, destination, text } = capture('info', true);
    logger.info({ turnId: 'a', apiKey: 'sk-hidden' }, 'turn done');
    await once(destination, 'readable');
    expect(text()).toMatch(/INFO: turn done \{"turnId":"a","apiKey":"\[redacted\]"\}/);
  });
});

describe('secrets', () => {
  it.each([
    ['authorization', { headers: { authorization: 'Bearer hidden-value' } }],
    ['Authorization', { connectionParams: { Authorization: 'hidden-value' } }],
    ['api keys', { config: { llm: { apiKey: 'hidden-value', LLM_API_KEY: 'hidden-value' } } }],
    [
      'secrets',
      { AUTH_SECRET: 'hidden-value', auth: { secret: 'hidden-value', clientSecret: 'hidden-value' } },
    ],
    [
      'tokens',
      { token: 'hidden-value', list: [{ accessToken: 'hidden-value' }, { refresh_token: 'hidden-value' }] },
    ],
    ['cookies', { req2: { headers: { cookie: 'hidden-value', 'set-cookie': ['hidden-value'] } } }],
    ['passwords', { a: { b: { c: { d: { password: 'hidden-value' } } } } }],
    ['URLs', { databaseUrl: 'postgres://user:hidden-value@db:5432/palabre' }],
    ['query strings', { url: '/graphql?token=hidden-value&x=1' }],
    ['errors', { err: Object.assign(new Error('no'), { headers: { authorization: 'hidden-value' } }) }],
    ['causes', { err: new Error('no', { cause: new Error('Bearer hidden-value was refused') }) }],
    [
      'class instances',
      {
        config: new (class Config {
          readonly secret = 'hidden-value';
        })(),
      },
    ],
  ])('are taken out: %s', (_what, fields) => {
    const { logger, text } = capture();
    logger.info(fields, 'fields');
    logger.child(fields).info('bindings');
    const written = text();
    expect(written.match(/\n/g)).toHaveLength(2);
    expect(written).not.toContain('hidden-value');
  });

  it('are taken out of messages', () => {
    const { logger, lines } = capture();
    logger.info('signed in with Bearer eyJhbGciOi.payload.signature');
    logger.info('signed in with plb_AZ2uQ0kmcHGBwFAjb4mNaQhidden-value');
    logger.error(new Error('cannot connect to postgres://user:hidden-value@db/palabre'));
    expect(lines().map((line) => line['msg'])).toEqual([
      `signed in with Bearer ${redacted}`,
      `signed in with ${redacted}`,
      `cannot connect to postgres://user:${redacted}@db/palabre`,
    ]);
  });

  it('do not take counts of tokens along', () => {
    const { logger, lines } = capture();
    logger.info({ usage: { inputTokens: 12, maxOutputTokens: 34 }, idempotencyKey: 'k' }, 'turn done');
    expect(lines()[0]).toMatchObject({
      usage: { inputTokens: 12, maxOutputTokens: 34 },
      idempotencyKey: 'k',
    });
  });

  it('are looked for in hostile texts without a halt', () => {
    const hostile = ['token ', 'a.', 'eyJ-', 'sk-', 'plb_', 'x://y:', 'Bearer ', '?token='].map((part) =>
      part.repeat(50_000),
    );
    for (const text of hostile) expect(redactLine(JSON.stringify({ msg: text }))).toContain('msg');
  });

  it('do not come in by a request that Fastify logs', async () => {
    const { logger, lines } = capture();
    const app = fastify({ loggerInstance: logger });
    app.get('/', () => 'ok');
    await app.inject({ url: '/?token=hidden-value', headers: { authorization: 'Bearer hidden-value' } });
    await app.close();
    const written = lines();
    expect(written).toMatchObject([
      { req: { method: 'GET', url: `/?token=${redacted}` } },
      { res: { statusCode: 200 } },
    ]);
    expect(JSON.stringify(written)).not.toContain('hidden-value');
  });
});

describe('errors', () => {
  it('are told with type, code, stack and causes, and without what else hangs on them', () => {
    const { logger, lines } = capture();
    const cause = Object.assign(new TypeError('socket closed'), { code: 'ECONNRESET' });
    logger.error(
      { err: Object.assign(new Error('query failed', { cause }), { parameters: ['private'] }) },
      'no',
    );
    expect(lines()[0]?.['err']).toEqual({
      type: 'Error',
      message: 'query failed',
      stack: expect.stringContaining('logger.spec'),
      cause: { type: 'TypeError', message: 'socket closed', code: 'ECONNRESET', stack: expect.any(String) },
    });
  });

  it('are told with what they quote for the log', () => {
    const refused = Object.assign(new Error('refused'), { logDetail: '400 no such parameter' });
    const { logger, lines } = capture();
    logger.warn({ err: new Error('asked in vain', { cause: refused }) }, 'failed');
    logger.warn(
      { err: Object.assign(new Error('query failed'), { detail: 'Key (email)=(private)' }) },
      'failed',
    );
    const [quoted, other] = lines();
    expect(quoted).toMatchObject({ err: { cause: { message: 'refused', detail: '400 no such parameter' } } });
    expect(JSON.stringify(other)).not.toContain('private');
  });

  it('that are their own cause, and objects that hold themselves, come to an end', () => {
    const { logger, lines } = capture();
    const error = new Error('round');
    error.cause = error;
    const object: Line = { error };
    object['self'] = object;
    logger.error(object, 'round');
    expect(lines()[0]).toMatchObject({ msg: 'round', error: { message: 'round' } });
  });
});

describe('what Nest says', () => {
  it('goes to debug while it boots, to info otherwise', () => {
    const { logger, lines } = capture();
    const nest = new NestLogger(logger);
    nest.log('TurnsModule dependencies initialized', 'InstanceLoader');
    nest.log('listening', 'Server');
    nest.verbose('much');
    expect(lines().map(({ level, msg, context }) => [level, msg, context])).toEqual([
      ['debug', 'TurnsModule dependencies initialized', 'InstanceLoader'],
      ['info', 'listening', 'Server'],
      ['trace', 'much', undefined],
    ]);
  });

  it('keeps errors, stacks and further values', () => {
    const { logger, lines } = capture();
    const nest = new NestLogger(logger);
    nest.error(new Error('down'), 'Database');
    nest.error('down', 'Error: down\n    at file.js:1:1', 'Database');
    nest.warn('late', { turnId: 'a' }, 'Turns');
    expect(lines()).toMatchObject([
      { level: 'error', msg: 'down', context: 'Database', err: { message: 'down' } },
      { level: 'error', msg: 'down', context: 'Database', stack: expect.stringContaining('file.js') },
      { level: 'warn', msg: 'late', context: 'Turns', details: [{ turnId: 'a' }] },
    ]);
  });
});
