import type { JsonObject } from '@palabre/json';

import type { AuditService } from '../../companies/audit/audit.service.js';
import type { Database } from '../../platform/database/database.js';
import type { OwnSkill, SkillDefinitions } from '../skill-definitions.service.js';
import type { McpTool, ToolListing } from './client/mcp-tools.js';
import type { InstalledMcpServers } from './installed-mcp-servers.service.js';
import type { McpServer, McpServerRepository } from './mcp-server.repository.js';
import { McpToolStore } from './mcp-tool-store.service.js';

const server = {
  companyId: 'c',
  id: 's',
  key: 'rates',
  url: 'https://rates.example/mcp',
  secrets: null,
  timeoutMs: 60_000,
  trustAnnotations: false,
} as McpServer;

function listingOf(...names: string[]): ToolListing {
  return {
    tools: names.map((name): McpTool => ({
      name,
      title: name,
      description: name,
      parameters: { type: 'object' },
      outputSchema: null,
      saysIdempotent: false,
      saysReadOnly: false,
    })),
    notes: [],
    ttlMs: null,
  };
}

const withoutWords = {
  parameters: { type: 'object' },
  category: 'rates',
  idempotent: false,
  timeoutMs: 60_000,
};

/** The stored tools. Gone ones end with `!`. */
function storedAs(tools: readonly string[]) {
  return tools.map((told) => {
    const [tool = ''] = told.split('!');
    const settings: JsonObject = { serverId: 's', tool, outputSchema: null };
    if (told !== tool) settings.gone = true;
    const definition = { ...withoutWords, name: tool, description: tool, settings };
    return { row: { key: `rates__${tool}` }, definition };
  });
}

/** A store for a company with these skills of the server. `held`: the server's current row. */
function storeWith(held: McpServer | null, ...existing: string[]) {
  const done: string[] = [];
  const audited: JsonObject[] = [];
  const definitions = {
    listOfServer: async () => storedAs(existing),
    put: async (_: unknown, { key }: OwnSkill) => void done.push(`put ${key}`),
    withdraw: async (_: unknown, key: string, kind: string, settings: JsonObject) =>
      void done.push(`withdraw ${key}: ${kind} ${JSON.stringify(settings)}`),
  };
  const audit = {
    recordSystemChange: async (_: unknown, action: string, subject: string, details: JsonObject) =>
      void audited.push({ action, subject, ...details }),
  };
  const servers = {
    lock: async () => held,
    noteAnswer: async (_tx: unknown, _id: string, { failure }: { failure: string | null }) =>
      void done.push(failure === null ? 'listed' : 'failed'),
  };
  const database = { transaction: (_: string, work: (tx: unknown) => Promise<unknown>) => work({}) };
  const store = new McpToolStore(
    database as unknown as Database,
    servers as unknown as McpServerRepository,
    definitions as unknown as SkillDefinitions,
    {} as InstalledMcpServers,
    audit as unknown as AuditService,
  );
  return { store, done, audited };
}

describe('what a server can do', () => {
  it('is stored in the order of keys, what is gone among the rest', async () => {
    const { store, done, audited } = storeWith(server, 'd', 'b');
    expect(await store.keep(server, listingOf('e', 'c', 'a', 'd'))).toBe(true);
    expect(done).toEqual([
      'put rates__a',
      'withdraw rates__b: MCP {"serverId":"s","tool":"b","outputSchema":null,"gone":true}',
      'put rates__c',
      'put rates__e',
      'listed',
    ]);
    const added = ['rates__a', 'rates__c', 'rates__e'];
    const action = 'mcp-server.tools-changed';
    expect(audited).toEqual([{ action, subject: 'rates', added, gone: ['rates__b'] }]);
  });

  it('is told apart from what it could do: what is gone still, back, and said in other words', async () => {
    const { store, done, audited } = storeWith(server, 'a!', 'b!', 'c', 'd');
    const listing = listingOf('b', 'c', 'd');
    listing.tools[1]!.description = 'Other words.';
    await store.keep(server, listing);
    expect(done).toEqual([
      expect.stringMatching(/^withdraw rates__a: /),
      'put rates__b',
      'put rates__c',
      'listed',
    ]);
    expect(audited).toMatchObject([{ added: ['rates__b'], changed: ['rates__c'] }]);
    expect(audited[0]).not.toHaveProperty('gone');
  });

  it('is not written down where nothing has changed but how long it may take', async () => {
    const { store, done, audited } = storeWith(server, 'a');
    await store.keep(server, listingOf('a'));
    expect(done).toEqual(['listed']);
    const slower = { ...server, timeoutMs: 90_000 };
    const other = storeWith(slower, 'a');
    await other.store.keep(slower, listingOf('a'));
    expect(other.done).toEqual(['put rates__a', 'listed']);
    expect([...audited, ...other.audited]).toEqual([]);
  });

  it('gives no tool the switches of another one that is hidden', async () => {
    const { store, done } = storeWith(server, 'a_b');
    await store.keep(server, listingOf('a.b'));
    expect(done).toEqual([expect.stringMatching(/^withdraw rates__a_b: /), 'put rates__a_b_2', 'listed']);
  });

  it('is written down in short', async () => {
    const { store, audited } = storeWith(server);
    await store.keep(server, listingOf(...Array.from({ length: 60 }, (_, index) => `t${index + 100}`)));
    expect(audited).toEqual([expect.objectContaining({ added: expect.arrayContaining(['and 10 more']) })]);
    expect(audited[0]?.added).toHaveLength(51);
  });

  it.each<[string, McpServer | null]>([
    ['was removed', null],
    ['was registered anew', { ...server, url: 'https://other.example/mcp' }],
    ['got other headers', { ...server, secrets: 'encrypted' }],
  ])('is not kept of a server that %s meanwhile', async (_, held) => {
    const { store, done } = storeWith(held);
    expect(await store.keep(server, listingOf('a'))).toBe(false);
    expect(await store.keepFailure(server, 'Away.')).toBe(false);
    expect(done).toEqual([]);
  });
});
