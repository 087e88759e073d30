import type { Database } from '../../database/database.js';
import type { OwnSkill, SkillDefinitions } from '../skill-definitions.service.js';
import type { McpTool, ToolListing } from './client/mcp-tools.js';
import type { InstalledMcpServers } from './installed-mcp-servers.service.js';
import type { McpServer } from './mcp-server.entity.js';
import type { McpServerRepository } from './mcp-server.repository.js';
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

const listingOf = (...names: string[]): ToolListing => ({
  tools: names.map((name): McpTool => ({
    name,
    title: name,
    description: name,
    parameters: { type: 'object' },
    outputSchema: null,
    saysIdempotent: false,
  })),
  notes: [],
  ttlMs: null,
});

/** A store of a company that has these skills of the server, which is as `held` says by now. */
const storeWith = (held: McpServer | null, ...existing: string[]) => {
  const done: string[] = [];
  const definitions = {
    listOfServer: async () => existing.map((key) => ({ row: { key }, definition: { name: 'Old' } })),
    put: async (_: unknown, { key }: OwnSkill) => void done.push(`put ${key}`),
    remove: async (_: unknown, key: string) => void done.push(`remove ${key}`),
  };
  const servers = {
    lock: async () => held,
    noteListing: async () => void done.push('listed'),
    noteFailure: async () => void done.push('failed'),
  };
  const database = { transaction: (_: string, work: (tx: unknown) => Promise<unknown>) => work({}) };
  const store = new McpToolStore(
    database as unknown as Database,
    servers as unknown as McpServerRepository,
    definitions as unknown as SkillDefinitions,
    {} as InstalledMcpServers,
  );
  return { store, done };
};

describe('what a server can do', () => {
  it('is stored in the order of keys, what is gone among the rest', async () => {
    const { store, done } = storeWith(server, 'rates__d', 'rates__b');
    expect(await store.keep(server, listingOf('e', 'c', 'a', 'd'))).toBe(true);
    expect(done).toEqual([
      'put rates__a',
      'remove rates__b',
      'put rates__c',
      'put rates__d',
      'put rates__e',
      'listed',
    ]);
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
