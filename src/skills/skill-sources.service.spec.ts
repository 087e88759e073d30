import type { DiscoveryService } from '@nestjs/core';
import { pino } from 'pino';
import type { Plugin } from '@palabre/plugin';

import { readConfig } from '../common/config/read-config.js';
import { ConfigError } from '../common/config/environment.js';
import { Plugins } from '../common/plugins.js';
import { FunctionSkills } from './function-skills.service.js';
import { InstalledSkills } from './skill-sources.service.js';
import type { PluginPlatform } from './plugin-platform.service.js';
import { callableOf, type CatalogueSkill, instructionsOf, type Pack, readsOwn, type Skill } from './skill.js';

function skillOf(key: string, description = 'Code.'): Skill {
  return {
    key,
    name: key,
    description,
    parameters: { type: 'object' },
    idempotent: true,
    timeoutMs: 1000,
    effect: readsOwn,
    run: () => Promise.resolve(null),
  };
}

function packOf(key: string): Pack {
  return {
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
  };
}

interface Setting {
  functions?: Skill[];
  packs?: Pack[];
  tools?: Skill[];
  off?: string;
  plugins?: Plugin[];
}

/** What is installed, and how it changes. */
async function start({ functions = [], packs = [], tools = [], off = '', plugins = [] }: Setting = {}) {
  const listing = { packs, revision: 1 };
  const servers = { tools, revision: 1 };
  const lines: string[] = [];
  const installed = new InstalledSkills(readConfig({ SKILLS_OFF: off }).skills.off);
  const code = new FunctionSkills(
    { getProviders: () => functions.map((instance) => ({ instance })) } as unknown as DiscoveryService,
    new Plugins(plugins),
    {} as PluginPlatform,
    installed,
    pino({}, { write: (line) => void lines.push(line) }),
  );
  const toolOf = (skill: Skill): CatalogueSkill => callableOf('MCP', skill, 'files');
  // The order does not matter.
  installed.register('MCP', {
    current: async () => ({ revision: servers.revision, list: () => servers.tools.map(toolOf) }),
    mayHaveLater: (name) => name.startsWith('files') || name.startsWith('far-away'),
  });
  installed.register('INSTRUCTIONS', {
    current: async () => ({ revision: listing.revision, list: () => listing.packs.map(instructionsOf) }),
  });
  code.onModuleInit();
  await installed.current();
  return { installed, code, listing, servers, lines };
}

async function kindsOf(installed: InstalledSkills): Promise<Record<string, string>> {
  return Object.fromEntries([...(await installed.current()).values()].map(({ key, kind }) => [key, kind]));
}

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

  it('are those of packages as well, in the order of their keys', async () => {
    const plugins = [{ name: '@acme/x', skills: () => [skillOf('zoom'), skillOf('ask')] }];
    const { installed } = await start({ functions: [skillOf('look')], plugins });
    expect(await kindsOf(installed)).toEqual({ ask: 'FUNCTION', look: 'FUNCTION', zoom: 'FUNCTION' });
    expect([...(await installed.current()).keys()]).toEqual(['ask', 'look', 'zoom']);
  });

  it.each([
    ['a key that is taken', { key: 'look' }, 'another skill has the key look already'],
    ['a key of the loop’s own', { key: 'load_skill' }, 'another skill has the key load_skill already'],
    ['a key that no model can write', { key: 'Look here' }, 'key: lowercase letters'],
    ['no schema', { parameters: { type: 'object', required: 3 } }, 'parameters: no JSON Schema'],
    ['nothing to run', { run: undefined }, 'run: a function'],
    ['a description that is no text', { descriptions: { en: 'Looks.', fr: 3 } }, 'descriptions.fr'],
    ['a description without end', { descriptions: { fr: 'x'.repeat(1_001) } }, 'descriptions.fr'],
    ['an effect of another kind', { effect: { changes: 'ALL', isForeign: false } }, 'effect.changes'],
  ])('stop the start where a package has a skill with %s', async (_, fault, words) => {
    const skill = { ...skillOf('own'), ...fault } as unknown as Skill;
    const started = start({
      functions: [skillOf('look')],
      plugins: [{ name: '@acme/x', skills: () => [skill] }],
    });
    await expect(started).rejects.toBeInstanceOf(ConfigError);
    await expect(started).rejects.toThrow(`@acme/x: ${words}`);
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
    Object.assign(servers, { tools: [skillOf('files__read')], revision: 2 });
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
    return all.filter((skill) => installed.isOnByDefault(skill)).map(({ key }) => key);
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
    const { code, lines } = await start({
      functions: [skillOf('look')],
      packs: [packOf('deeds/old/gift')],
      tools: [skillOf('files__read')],
      off,
    });
    await code.onApplicationBootstrap();
    expect(lines.map((line) => (JSON.parse(line) as { names: string[] }).names)).toEqual(
      expected.length > 0 ? [expected] : [],
    );
  });
});
