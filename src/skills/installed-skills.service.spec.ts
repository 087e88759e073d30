import { describe, expect, it } from '@jest/globals';
import type { DiscoveryService } from '@nestjs/core';
import { pino } from 'pino';

import { readConfig } from '../config/config.js';
import { InstalledSkills } from './installed-skills.service.js';
import type { InstalledMcpServers } from './mcp/installed/installed-mcp-servers.service.js';
import type { InstalledPacks } from './packs/installed-packs.service.js';
import type { PackListing } from './packs/pack-listing.js';
import type { Pack, Skill } from './skill.js';

const skillOf = (key: string, description = 'Code.'): Skill => ({
  key,
  name: key,
  description,
  parameters: { type: 'object' },
  idempotent: true,
  timeoutMs: 1000,
  run: () => Promise.resolve(null),
});

const packOf = (key: string): Pack => ({
  version: '1',
  key,
  name: key,
  category: key.split('/').slice(0, -1).join('/') || null,
  description: 'A pack.',
  assistants: ['solven'],
  warnings: [],
  files: [],
  readBody: () => Promise.resolve(''),
  readFile: () => Promise.resolve(Buffer.alloc(0)),
});

interface Setting {
  functions?: Skill[];
  packs?: Pack[];
  tools?: Skill[];
  off?: string;
}

/** What is installed, and how it changes. */
const start = async ({ functions = [], packs = [], tools = [], off = '' }: Setting = {}) => {
  const listing = { packs, refused: [], revision: 1 };
  const servers = {
    list: () => tools.map((skill) => ({ skill, server: 'files' })),
    servers: () => [{ key: 'files' }, { key: 'Far-away' }],
    revision: 1,
  };
  const lines: string[] = [];
  const installed = new InstalledSkills(
    { getProviders: () => functions.map((instance) => ({ instance })) } as unknown as DiscoveryService,
    { current: async (): Promise<PackListing> => listing } as InstalledPacks,
    servers as unknown as InstalledMcpServers,
    readConfig({ SKILLS_OFF: off }),
    pino({}, { write: (line) => void lines.push(line) }),
  );
  await installed.onModuleInit();
  return { installed, listing, servers, lines };
};

const kindsOf = async (installed: InstalledSkills): Promise<Record<string, string>> =>
  Object.fromEntries([...(await installed.current()).values()].map(({ key, kind }) => [key, kind]));

describe('the skills of the installation', () => {
  it('are code, packs and tools of servers, each with what it says of itself', async () => {
    const { installed } = await start({
      functions: [skillOf('look')],
      packs: [packOf('deeds/sale')],
      tools: [skillOf('files__read', 'A tool.')],
    });
    const all = await installed.current();
    expect([...all.keys()].toSorted()).toEqual(['deeds/sale', 'files__read', 'look']);
    expect(all.get('look')).toMatchObject({ kind: 'FUNCTION', category: null, assistants: null, pack: null });
    expect(all.get('deeds/sale')).toMatchObject({
      kind: 'INSTRUCTIONS',
      category: 'deeds',
      assistants: ['solven'],
      skill: null,
    });
    expect(all.get('files__read')).toMatchObject({ kind: 'MCP', category: 'files', description: 'A tool.' });
    expect(installed.findFunction('look')?.key).toBe('look');
    expect(installed.findFunction('files__read')).toBeNull();
  });

  it('of one key are the code before all others, and never have a name of the loop’s own', async () => {
    const { installed } = await start({
      functions: [skillOf('look')],
      packs: [packOf('look'), packOf('load_skill'), packOf('find')],
      tools: [skillOf('look'), skillOf('find'), skillOf('search_skills')],
    });
    expect(await kindsOf(installed)).toEqual({ look: 'FUNCTION', find: 'MCP' });
  });

  it.each([
    ['two with one key', [skillOf('look'), skillOf('look')]],
    ['one named as the loop’s own', [skillOf('load_skill')]],
  ])('stop the start where the code has %s', async (_, functions) => {
    await expect(start({ functions })).rejects.toThrow(/has the key \w+ already/);
  });

  it('are put together anew when folders or servers have changed, and only then', async () => {
    const { installed, listing, servers } = await start({ packs: [packOf('one')] });
    const first = await installed.current();
    expect(await installed.current()).toBe(first);
    Object.assign(listing, { packs: [packOf('two')], revision: 2 });
    // Known is what somebody has looked up.
    expect([...installed.known.keys()]).toEqual(['one']);
    expect([...(await installed.current()).keys()]).toEqual(['two']);
    expect([...installed.known.keys()]).toEqual(['two']);
    Object.assign(servers, { list: () => [{ skill: skillOf('files__read'), server: 'files' }], revision: 2 });
    expect([...(await installed.current()).keys()].toSorted()).toEqual(['files__read', 'two']);
  });
});

describe('what companies have to begin with', () => {
  const keys = ['look', 'deeds/sale', 'deeds/old/gift', 'deedsandmore/x', 'files__read'];
  const isOn = async (off: string): Promise<string[]> => {
    const { installed } = await start({
      functions: [skillOf('look')],
      packs: keys.filter((key) => key.includes('/')).map(packOf),
      tools: [skillOf('files__read')],
      off,
    });
    const all = [...(await installed.current()).values()];
    return all.filter((skill) => installed.isOnAtFirst(skill)).map(({ key }) => key);
  };
  const without = (...off: string[]): string[] => keys.filter((key) => !off.includes(key)).toSorted();

  it.each<[string, string[]]>([
    ['', without()],
    ['look', without('look')],
    ['deeds/sale', without('deeds/sale')],
    ['deeds/*', without('deeds/sale', 'deeds/old/gift')],
    ['Deeds/Old/*', without('deeds/old/gift')],
    ['files/*, look', without('files__read', 'look')],
    ['deeds', without()],
    ['*', []],
  ])('is on but for SKILLS_OFF=%j', async (off, expected) => {
    expect((await isOn(off)).toSorted()).toEqual(expected);
  });

  it.each<[string, string[]]>([
    ['look, deeds/*, deeds/old/*, files__read, *', []],
    ['loook, deeds, look/*, deeds/*', ['loook', 'deeds', 'look/*']],
    ['files/*, files__later, far-away/*, far-away__tool', []],
    ['nowhere__tool, nowhere/*', ['nowhere__tool', 'nowhere/*']],
  ])('warns once of names that no skill has: SKILLS_OFF=%j', async (off, expected) => {
    const { installed, lines } = await start({
      functions: [skillOf('look')],
      packs: [packOf('deeds/old/gift')],
      tools: [skillOf('files__read')],
      off,
    });
    await installed.onApplicationBootstrap();
    expect(lines.map((line) => (JSON.parse(line) as { names: string[] }).names)).toEqual(
      expected.length > 0 ? [expected] : [],
    );
  });
});
