import type { NewFile, SkillContext } from '@palabre/plugin';

import { Calendar } from '../common/calendar.js';
import type { Clock } from '../common/clock.js';
import type { CompaniesService } from '../companies/companies.service.js';
import type { StoredFilesService } from '../companies/files/stored-files.service.js';
import { PluginPlatform } from './plugin-platform.service.js';
import type { SkillRecords } from './records/skill-records.service.js';

const context = { companyId: 'c', memberId: 'm', turnId: 't' } as SkillContext;
function fileOf(name: string): NewFile {
  return { name, mediaType: 'text/plain', content: Buffer.from(name) };
}

/** The platform on a storage with room for so many files. */
function start(room = 10) {
  const stored: object[] = [];
  const removed: string[] = [];
  const files = {
    create: async (companyId: string, memberId: string, file: NewFile) => {
      if (stored.length === room) throw new Error('There is no room.');
      stored.push(file);
      const { name, content } = file;
      return { companyId, memberId, id: String(stored.length), name, bytes: content.byteLength };
    },
    remove: async (owner: object, id: string) => void removed.push(`${JSON.stringify(owner)} ${id}`),
  } as unknown as StoredFilesService;
  const platform = new PluginPlatform(
    {} as CompaniesService,
    {} as SkillRecords,
    files,
    {} as Clock,
    new Calendar('Pacific/Kiritimati'),
  );
  return { platform, stored, removed };
}

describe('files of a skill that a package brings', () => {
  it('are stored as the turn’s', async () => {
    const { platform, stored } = start();
    await platform.storeFiles(context, [fileOf('a.txt'), fileOf('bc.txt')]);
    expect(stored).toMatchObject([{ kind: 'REPORT', turnId: 't' }, { kind: 'REPORT' }]);
  });

  it('are stored together, or none of them', async () => {
    const { platform, removed } = start(1);
    await expect(platform.storeFiles(context, [fileOf('a'), fileOf('b')])).rejects.toThrow(
      'There is no room.',
    );
    expect(removed).toEqual(['{"companyId":"c","id":"m"} 1']);
  });
});

it('shows moments as clocks of the installation do', () => {
  const shown = start().platform.shown(new Date('2026-11-22T12:00:00Z'));
  expect(shown).toEqual(new Date('2026-11-23T02:00:00Z'));
});
