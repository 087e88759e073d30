import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { Plugins } from '../../common/plugins.js';
import type { Logger } from '../../common/process/logger.js';
import { ManualClock } from '../../common/manual-clock.double.js';
import { ShippedAssistants } from '../../companies/assistants/definitions/shipped-assistants.service.js';
import type { Config } from '../../common/config/config.js';
import type { FileStorage } from '../../platform/storage/file-storage.js';
import type { InstalledSkills } from '../skill-sources.service.js';
import { InstalledPacks } from './installed-packs.service.js';

let root: string;
let clock: ManualClock;
let told: object[];
let packs: InstalledPacks;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'packs-'));
  clock = new ManualClock();
  told = [];
  packs = new InstalledPacks(
    { skills: { packsDir: root } } as Config,
    { list: async () => [] } as unknown as FileStorage,
    clock,
    { register: () => undefined } as unknown as InstalledSkills,
    new ShippedAssistants(new Plugins([])),
    { warn: (about: object) => void told.push(about) } as unknown as Logger,
  );
});
afterEach(() => rm(root, { recursive: true }));

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}
async function keysIn(seconds: number): Promise<string[]> {
  clock.advance(seconds * 1000);
  const { packs: found } = await packs.current();
  return found.map(({ key }) => key).filter((key) => key.startsWith('of-ours'));
}
function good(name: string): string {
  return `---\nname: ${name}\ndescription: What it is for.\n---\nBody.\n`;
}

it('say in the log what cannot be used, and the same again after an hour at the earliest', async () => {
  await write('of-ours/SKILL.md', 'broken');
  expect(await keysIn(0)).toEqual([]);
  const ours = { path: 'of-ours', reason: expect.stringMatching(/front matter/) };
  expect(told).toEqual([ours]);
  await write('of-ours-too/SKILL.md', good('of-ours-too'));
  expect(await keysIn(30)).toEqual(['of-ours-too']);
  await write('of-ours/SKILL.md', good('of-ours'));
  expect(await keysIn(30)).toEqual(['of-ours', 'of-ours-too']);
  await write('of-ours/SKILL.md', 'broken');
  expect(await keysIn(30)).toEqual(['of-ours-too']);
  expect(told).toEqual([ours]);
  await write('third/SKILL.md', 'broken');
  await keysIn(3600);
  expect(told).toEqual([ours, ours, { ...ours, path: 'third' }]);
});
