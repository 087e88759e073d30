import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import fastify from 'fastify';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { buildSchema, parse, validate } from 'graphql';
import { explorerClient } from './explorer-client.js';
import { explorerTabs } from './explorer-examples.js';
import { registerExplorer } from './explorer.js';

const token = 'a"token<&>';

let app: FastifyInstance;

beforeAll(async () => {
  app = fastify();
  registerExplorer(app, { graphqlPath: '/graphql', token });
  await app.ready();
});

afterAll(() => app.close());

const page = async (options: InjectOptions = {}) =>
  app.inject({ url: '/explorer', ...options, headers: { host: 'localhost:3000', ...options.headers } });

const settingsIn = (html: string): { token: string | null; graphqlPath: string } => {
  const attribute = /data-settings="([^"]*)"/.exec(html)?.[1] ?? '';
  const text = attribute.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  return JSON.parse(text) as { token: string | null; graphqlPath: string };
};

const addressesIn = (html: string): string[] =>
  [...html.matchAll(/\b(?:src|href)="([^"]*)"/g)]
    .map((match) => match[1] ?? '')
    .filter((path) => path !== 'data:,');

describe('the page', () => {
  it('is made of this server’s files alone', async () => {
    const { statusCode, headers, body } = await page();
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).not.toMatch(/https?:|<script>|\son\w+=/);
    const addresses = addressesIn(body);
    expect(addresses).toHaveLength(7);
    for (const address of addresses) {
      const asset = await app.inject({ url: address });
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
  it('is given to a visitor of the same machine', async () => {
    const { body } = await page();
    expect(settingsIn(body)).toMatchObject({ token, graphqlPath: '/graphql' });
  });

  it.each<[string, InjectOptions]>([
    ['another machine', { remoteAddress: '192.0.2.7' }],
    ['a foreign name that points here', { headers: { host: 'rebound.example:3000' } }],
    ['a proxy', { headers: { 'x-forwarded-for': '192.0.2.7' } }],
  ])('is not given to %s', async (_who, options) => {
    const { body } = await page(options);
    expect(settingsIn(body).token).toBeNull();
  });
});

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
