import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import type { Viewer } from '../../auth/viewer.js';
import { Calendar } from '../../common/calendar.js';
import { ManualClock } from '../../common/manual-clock.js';
import type { Database } from '../../database/database.js';
import type { StoredFilesService } from '../../files/stored-files.service.js';
import { type ExportPage, MemberData } from './member-data.js';
import { MemberExport } from './member-export.service.js';

const ada = { companyId: 'acme', id: 'ada' } as Viewer;
const bob = { companyId: 'acme', id: 'bob' } as Viewer;

const database = { read: (_companyId: string, work: (tx: null) => unknown) => work(null) };
const files = {
  create: async (
    _companyId: string,
    memberId: string,
    { name, content }: { name: string; content: Readable },
  ) => {
    await buffer(content);
    return { memberId, name };
  },
  removeOthersOf: async () => undefined,
};

const exportsOf = (data: MemberData): MemberExport =>
  new MemberExport(
    database as unknown as Database,
    data,
    files as unknown as StoredFilesService,
    new ManualClock(new Date('2026-11-22T16:00:00Z')),
    new Calendar('Asia/Taipei'),
  );

it('gives a member one export at a time, and others theirs meanwhile', async () => {
  const data = new MemberData();
  const reading = Promise.withResolvers<ExportPage>();
  data.onExport('notes', (_tx, memberId) =>
    memberId === 'ada' ? reading.promise : Promise.resolve({ items: [], next: null }),
  );
  const exports = exportsOf(data);
  const first = exports.create(ada);
  await expect(exports.create(ada)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    extensions: { limit: 1, retryAfter: expect.any(Number) },
  });
  expect(await exports.create(bob)).toMatchObject({ memberId: 'bob' });
  reading.resolve({ items: [], next: null });
  expect(await first).toMatchObject({ memberId: 'ada' });
  expect(await exports.create(ada)).toMatchObject({ memberId: 'ada' });
});

it('does not hold a failed export against the member', async () => {
  const data = new MemberData();
  data.onExport('notes', () => Promise.reject(new Error('the database is away')));
  const exports = exportsOf(data);
  await expect(exports.create(ada)).rejects.toThrow('the database is away');
  await expect(exports.create(ada)).rejects.toThrow('the database is away');
});

it('calls an export by the day that it is where it is asked for', async () => {
  expect(await exportsOf(new MemberData()).create(ada)).toMatchObject({ name: 'palabre-2026-11-23.zip' });
});
