import { readFileSync } from 'node:fs';
import { runInNewContext, Script } from 'node:vm';
import fastify from 'fastify';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { buildSchema, parse, validate } from 'graphql';
import { explorerClient } from './explorer-client.js';
import { explorerTabs as tabsFor, registerExplorer } from './explorer.js';

const example = { assistantKey: 'mefali', question: 'Quelle est notre empreinte ?' };
const explorerTabs = tabsFor(example);

let app: FastifyInstance;

beforeAll(async () => {
  app = fastify();
  registerExplorer(app, { graphqlPath: '/graphql' }, example);
  await app.ready();
});

afterAll(() => app.close());

async function page(options: InjectOptions = {}) {
  return app.inject({
    url: '/explorer',
    ...options,
    headers: { host: 'localhost:3000', ...options.headers },
  });
}

function settingsIn(html: string): unknown {
  const attribute = /data-settings="([^"]*)"/.exec(html)?.[1] ?? '';
  const text = attribute.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  return JSON.parse(text);
}

function addressesIn(html: string): string[] {
  return [...html.matchAll(/\b(?:src|href)="([^"]*)"/g)]
    .map((match) => match[1] ?? '')
    .filter((path) => path !== 'data:,');
}

describe('the page', () => {
  it('is made of this server’s files alone', async () => {
    const { statusCode, headers, body } = await page();
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).not.toMatch(/https?:|<script>|\son\w+=/);
    const addresses = addressesIn(body);
    expect(addresses).toHaveLength(7);
    for (const address of addresses) {
      const { pathname } = new URL(address, 'http://localhost:3000/explorer');
      const asset = await app.inject({ url: pathname });
      expect([asset.statusCode, asset.headers['content-type']]).toEqual([
        200,
        address.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
      ]);
      expect(asset.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      expect(asset.rawPayload.length).toBeGreaterThan(50);
    }
  });

  it('finds its files and the API below a path that a proxy takes away', async () => {
    const { body } = await page();
    for (const address of addressesIn(body)) {
      const { pathname } = new URL(address, 'https://example.org/palabre/explorer');
      expect(pathname).toMatch(/^\/palabre\/explorer\/assets\/./);
    }
    const tab = new Tab('/palabre/explorer');
    tab.open('#token=a');
    expect(tab.address).toBe('/palabre/explorer');
    expect(tab.asks).toEqual(['ws://localhost:3000/palabre/graphql', '/palabre/graphql']);
  });

  it('loads, runs and connects to nothing but this server, and stands in no frame', async () => {
    const { headers } = await page();
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'");
    expect(policy).toContain("connect-src 'self' ws://localhost:3000 wss://localhost:3000;");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  });

  it('lets no host name write into the policy', async () => {
    const { headers } = await page({ headers: { host: 'evil; script-src *' } });
    expect(headers['content-security-policy']).not.toContain('evil');
  });
});

describe('the token', () => {
  it('is in no page, not even for a visitor of the same machine: a proxy looks like one', async () => {
    const { body } = await page();
    expect(settingsIn(body)).toEqual({ graphqlPath: '/graphql', tabs: explorerTabs });
    expect(body).toMatch(/<p id="sign-in"[^>]* hidden>\s+You are not signed in\. Open the link/);
  });

  it('comes with the link, leaves the address, and is kept by the tab for a reload', () => {
    const tab = new Tab();
    tab.open('#token=a.b-c_d');
    expect(tab).toMatchObject({ bearer: 'Bearer a.b-c_d', address: '/explorer', isToldToSignIn: false });
    tab.open('');
    expect(tab).toMatchObject({ bearer: 'Bearer a.b-c_d', isToldToSignIn: false });
  });

  it('is asked for where there is none, and taken from a link that is opened in that tab', () => {
    const tab = new Tab();
    tab.open('');
    expect(tab).toMatchObject({ bearer: null, isToldToSignIn: true });
    tab.follow('#token=late');
    expect(tab).toMatchObject({ bearer: 'Bearer late', isToldToSignIn: false });
  });
});

/** What a browser's tab is to the page's script. */
class Tab {
  bearer: string | null = null;
  address = '';
  isToldToSignIn = false;
  /** Where operations go, by WebSocket and by HTTP. */
  asks: string[] = [];
  private readonly kept = new Map<string, string>();
  private onHashChange = (): void => undefined;
  private readonly location;

  constructor(pathname = '/explorer') {
    this.location = { hash: '', origin: 'http://localhost:3000', pathname, reload: () => this.open('') };
  }

  open(hash: string): void {
    this.location.hash = hash;
    this.asks = [];
    const notice = { hidden: true };
    const root = { dataset: { settings: JSON.stringify({ graphqlPath: '/graphql', tabs: explorerTabs }) } };
    runInNewContext(explorerClient, {
      URLSearchParams,
      document: { getElementById: (id: string) => (id === 'sign-in' ? notice : root) },
      location: this.location,
      history: { replaceState: (_state: null, _title: string, path: string) => (this.address = path) },
      sessionStorage: this.storage(),
      localStorage: { getItem: () => null },
      addEventListener: (_type: 'hashchange', listener: () => void) => (this.onHashChange = listener),
      graphqlWs: { createClient: ({ url }: { url: string }) => void this.asks.push(url) },
      GraphiQL: { createFetcher: ({ url }: { url: string }) => void this.asks.push(url) },
      React: { createElement: (_type: unknown, given: { defaultHeaders?: string }) => given },
      ReactDOM: {
        createRoot: () => ({
          render: ({ defaultHeaders = '{}' }: { defaultHeaders?: string }) => {
            const { Authorization } = JSON.parse(defaultHeaders) as { Authorization?: string };
            this.bearer = Authorization ?? null;
          },
        }),
      },
    });
    this.isToldToSignIn = !notice.hidden;
  }

  /** As a browser does where only the fragment differs: the page stays. */
  follow(hash: string): void {
    this.location.hash = hash;
    this.onHashChange();
  }

  private storage(): Pick<Storage, 'getItem' | 'setItem'> {
    return {
      getItem: (key) => this.kept.get(key) ?? null,
      setItem: (key, value) => void this.kept.set(key, value),
    };
  }
}

describe('files', () => {
  it.each([
    'nothing.js',
    '..%2f..%2fpackage.json',
    '..%2f..%2f..%2f..%2fpackage.json',
    '%2e%2e/%2e%2e/package.json',
    '__proto__',
  ])('that are not the explorer’s are not found: %s', async (name) => {
    const { statusCode, body } = await app.inject({ url: `/explorer/assets/${name}` });
    expect(statusCode).toBe(404);
    expect(body).not.toContain('palabre');
  });
});

describe('what it opens with', () => {
  it('is a script that can be read', () => {
    expect(() => new Script(explorerClient)).not.toThrow();
  });

  it.each(explorerTabs)('is an operation of the schema: tab %#', ({ query, variables }) => {
    const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));
    expect(validate(schema, parse(query)).map((error) => error.message)).toEqual([]);
    expect(variables === '' ? {} : JSON.parse(variables)).toEqual(expect.any(Object));
  });
});
