import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

import fastify from 'fastify';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { buildSchema, parse, validate } from 'graphql';

import { explorerTabs as tabsFor } from './explorer-tabs.js';
import { readWebFiles } from './web-files.js';
import { registerWebPages } from './web-pages.js';

const explorerTabs = tabsFor({ assistantKey: 'mefali', question: 'Quelle est notre empreinte ?' });
const page =
  '<head><base href="./" /><script type="module" src="./assets/index-1.js"></script></head><div id="console"></div>';
const folder = mkdtempSync(join(tmpdir(), 'palabre-web-'));

beforeAll(() => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'explorer.html'), `${page}<div id="explorer">`);
  writeFileSync(join(folder, 'screens.json'), '{ "chat": true }');
  writeFileSync(
    join(folder, 'preloads.json'),
    '{ "screens": { "chat": ["assets/chat-1.js", "assets/chat-1.css"] }, "languages": { "fr": ["assets/fr-1.js"] } }',
  );
  writeFileSync(join(folder, 'icon.svg'), '<svg/>');
  writeFileSync(join(folder, 'theme.js'), '');
  writeFileSync(join(folder, 'secret.js'), 'no');
  writeFileSync(join(folder, 'assets/index-1.js'), 'export {};');
  writeFileSync(join(folder, 'assets/index-1.js.br'), brotliCompressSync('export {};'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function started({
  hasConsole = true,
  hasExplorer = true,
  organisation = '',
} = {}): Promise<FastifyInstance> {
  const app = fastify();
  const signIn = {
    forPage: ({ cookie }: { cookie?: string }) =>
      organisation === '' ? null : { organisation, hasSession: cookie === 'session' },
  };
  registerWebPages(
    app,
    { graphqlPath: '/graphql', hasConsole, hasExplorer, explorerTabs, signIn },
    readWebFiles(folder),
  );
  await app.ready();
  return app;
}

async function get(options: InjectOptions, settings = {}) {
  await using app = await started(settings);
  return await app.inject({ ...options, headers: { host: 'localhost:3000', ...options.headers } });
}

describe('a page', () => {
  it.each([
    ['/', './'],
    ['/chat', './'],
    ['/chat/some-id', '../'],
    ['/chat/some-id?find=a/b', '../'],
    ['/chat/', '../'],
    ['/explorer', './'],
  ])('finds its files and the API from %s, whatever a proxy has before both', async (url, base) => {
    const { statusCode, headers, body } = await get({ url });
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain(`<base href="${base}" />`);
    const { href } = new URL(base, `https://example.org/palabre${url}`);
    expect(href).toBe('https://example.org/palabre/');
  });

  it('is none where no screen is', async () => {
    for (const url of ['/nothing', '/graphqx', '/chatter']) expect((await get({ url })).statusCode).toBe(404);
  });

  it('is asked for anew each time, and its files never', async () => {
    expect((await get({ url: '/chat' })).headers['cache-control']).toBe('no-cache');
    expect((await get({ url: '/assets/index-1.js' })).headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
  });

  it('loads, runs and connects to nothing but this server, makes no code of texts, and stands in no frame', async () => {
    const policy = String((await get({ url: '/chat' })).headers['content-security-policy']).split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self' ws://localhost:3000 wss://localhost:3000",
        "require-trusted-types-for 'script'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(policy.join()).not.toContain('unsafe');
  });

  it('names what its screen and its reader’s language need', async () => {
    const preloaded = async (url: string, language?: string): Promise<string[]> => {
      const headers = language === undefined ? {} : { 'accept-language': language };
      const { body } = await get({ url, headers });
      return [
        ...body.matchAll(
          /<link rel="(?:modulepreload|preload" as="style)" crossorigin href="\.\/assets\/([^"]+)">/g,
        ),
      ].map(([, name]) => name ?? '');
    };
    expect(await preloaded('/')).toEqual(['chat-1.js', 'chat-1.css']);
    expect(await preloaded('/chat/some-id', 'fr-CA,fr;q=0.9,en;q=0.8')).toEqual([
      'chat-1.js',
      'chat-1.css',
      'fr-1.js',
    ]);
    expect(await preloaded('/chat?find=x', '__proto__')).toEqual(['chat-1.js', 'chat-1.css']);
  });

  it('says where people sign in, and whether they have', async () => {
    const settings = { organisation: '$& "Acme"' };
    const shown = async (headers = {}) => (await get({ url: '/', headers }, settings)).body;
    expect(await shown()).toContain('<div id="console" data-organisation="$&#38; &#34;Acme&#34;"></div>');
    expect(await shown({ cookie: 'session' })).toContain('Acme&#34;" data-session></div>');
    expect((await get({ url: '/' })).body).toContain('<div id="console"></div>');
  });

  it('lets no host name write into the policy', async () => {
    const { headers } = await get({ url: '/', headers: { host: 'evil; script-src *' } });
    expect(headers['content-security-policy']).not.toContain('evil');
  });
});

describe('the explorer', () => {
  it('has its tabs in its page, and no token', async () => {
    const { body } = await get({ url: '/explorer' });
    const [, attribute = ''] = /data-settings="([^"]*)"/.exec(body) ?? [];
    const text = attribute.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
    expect(JSON.parse(text)).toEqual({ graphqlPath: '/graphql', tabs: explorerTabs });
  });

  it('is there without the console', async () => {
    const off = { hasConsole: false };
    const found = ['/', '/chat', '/explorer', '/assets/index-1.js'].map((url) => get({ url }, off));
    expect((await Promise.all(found)).map(({ statusCode }) => statusCode)).toEqual([404, 404, 200, 200]);
  });

  it('is not there where nobody is shown the schema', async () => {
    expect((await get({ url: '/explorer' }, { hasExplorer: false })).statusCode).toBe(404);
  });

  it.each(explorerTabs)('opens with operations of the schema: tab %#', ({ query, variables }) => {
    const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));
    expect(validate(schema, parse(query)).map((error) => error.message)).toEqual([]);
    expect(variables === '' ? {} : JSON.parse(variables)).toEqual(expect.any(Object));
  });
});

describe('a file', () => {
  it.each([
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip', undefined],
    ['', undefined],
  ])('comes compressed to who accepts %j so', async (accepted, encoding) => {
    const { headers, rawPayload } = await get({
      url: '/assets/index-1.js',
      headers: { 'accept-encoding': accepted },
    });
    expect([headers['content-encoding'], headers['content-type']]).toEqual([
      encoding,
      'text/javascript; charset=utf-8',
    ]);
    expect(Number(headers['content-length'])).toBe(rawPayload.length);
  });

  it.each([
    'nothing.js',
    'index-1.js.br',
    '..%2fsecret.js',
    '..%2f..%2fpackage.json',
    '%2e%2e/%2e%2e/package.json',
    '__proto__',
  ])('that is not among those of the pages is not found: %s', async (name) => {
    const { statusCode, body } = await get({ url: `/assets/${name}` });
    expect(statusCode).toBe(404);
    expect(body).not.toContain('palabre');
  });
});
