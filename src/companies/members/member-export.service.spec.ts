import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';

import { Calendar } from '../../common/calendar.js';
import { ManualClock } from '../../common/manual-clock.double.js';
import type { Database } from '../../platform/database/database.js';
import type { Viewer } from '../auth/viewer.js';
import type { StoredFilesService } from '../files/stored-files.service.js';
import { type ExportPage, MemberData } from './member-data.js';
import { MemberExport, zipStream } from './member-export.service.js';
import type { MembersService } from './members.service.js';

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
  listAfter: async () => [],
};

function exportsOf(data: MemberData): MemberExport {
  return new MemberExport(
    database as unknown as Database,
    data,
    files as unknown as StoredFilesService,
    new ManualClock(new Date('2026-11-22T16:00:00Z')),
    new Calendar('Asia/Taipei'),
    { get: async () => ada } as unknown as MembersService,
  );
}

it('makes one export of a member at a time, and those of others in parallel', async () => {
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

it('names an export after the local day', async () => {
  expect(await exportsOf(new MemberData()).create(ada)).toMatchObject({ name: 'palabre-2026-11-23.zip' });
});

const pieces = async function* (texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
};

async function bytesOf(files: Record<string, readonly string[]>): Promise<Uint8Array> {
  const named = Object.entries(files).map(([name, texts]) => ({ name, pieces: pieces(texts) }));
  return Buffer.concat(await Array.fromAsync(zipStream(named)));
}

it('zips any pieces so that they unzip to the same text', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 2_000 });
  await fc.assert(
    fc.asyncProperty(fc.array(text), fc.array(text), async (a, b) => {
      const files = unzipSync(await bytesOf({ 'a.ndjson': a, 'b.ndjson': b }));
      expect(strFromU8(files['a.ndjson']!)).toBe(a.join(''));
      expect(strFromU8(files['b.ndjson']!)).toBe(b.join(''));
    }),
    { numRuns: 30 },
  );
});

it('fails when a source fails', async () => {
  const broken = async function* (): AsyncGenerator<string> {
    yield 'one';
    throw new Error('the database is away');
  };
  await expect(Array.fromAsync(zipStream([{ name: 'a', pieces: broken() }]))).rejects.toThrow(
    'the database is away',
  );
});

it('yields to the event loop while it compresses a large piece', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await bytesOf({ a: ['x'.repeat(1024 * 1024)] });
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(15);
});
