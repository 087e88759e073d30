import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';

import fc from 'fast-check';

import { BucketServer } from './bucket-server.double.js';
import { DiskFileStorage } from './disk-file-storage.js';
import type { FileStorage } from './file-storage.js';
import { MemoryFileStorage } from './memory-file-storage.double.js';
import { S3FileStorage } from './s3-file-storage.js';

interface Opened extends AsyncDisposable {
  storage: FileStorage;
  /** The remains of incomplete files. */
  listHalves(): Promise<unknown[]>;
}

async function inMemory(): Promise<Opened> {
  return {
    storage: new MemoryFileStorage(),
    listHalves: async () => [],
    [Symbol.asyncDispose]: async () => undefined,
  };
}

async function onDisk(): Promise<Opened> {
  const root = await mkdtemp(join(tmpdir(), 'palabre-files-'));
  return {
    storage: new DiskFileStorage(root),
    listHalves: () => readdir(join(root, '~drafts')).catch(() => []),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  };
}

async function inBucket(): Promise<Opened> {
  const bucket = await BucketServer.start();
  const storage = new S3FileStorage(bucket.config('palabre/files'));
  return {
    storage,
    listHalves: async () => [...bucket.uploads.values()],
    [Symbol.asyncDispose]: async () => {
      storage.close();
      await bucket[Symbol.asyncDispose]();
    },
  };
}

const options = { mediaType: 'text/plain', maxBytes: 100 };
function mebibytes(count: number): number {
  return count * 1024 * 1024;
}
function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

describe.each([
  ['in memory', inMemory],
  ['on a disk', onDisk],
  ['in a bucket', inBucket],
])('FileStorage %s', (_where, open) => {
  let opened: Opened;
  let storage: FileStorage;

  beforeEach(async () => {
    opened = await open();
    ({ storage } = opened);
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  const put = (key: string, content = key): Promise<unknown> =>
    storage.write(key, Buffer.from(content), options);
  const contentOf = async (key: string): Promise<string> => text(await storage.read(key));
  const expectAbsent = (key: string): Promise<void> =>
    expect(storage.read(key)).rejects.toMatchObject({ name: 'FileNotFound' });
  const keysIn = async (folder: string, limit = 100): Promise<string[]> =>
    (await storage.list(folder, limit)).map(({ key }) => key);

  it('gives back what was written, and says what it was', async () => {
    const content = Buffer.from('Empreinte carbone : 12 t');
    expect(await storage.write('reports/a.pdf', content, options)).toEqual({
      bytes: content.byteLength,
      sha256: sha256(content),
    });
    expect(await contentOf('reports/a.pdf')).toBe('Empreinte carbone : 12 t');
    expect(await storage.list('reports/', 2)).toEqual([
      { key: 'reports/a.pdf', bytes: content.byteLength, etag: expect.stringMatching(/./) },
    ]);
  });

  it('keeps a file without bytes', async () => {
    expect(await storage.write('an/empty', Readable.from([]), options)).toMatchObject({ bytes: 0 });
    expect(await contentOf('an/empty')).toBe('');
    expect(await storage.list('an/', 2)).toMatchObject([{ key: 'an/empty', bytes: 0 }]);
  });

  it('keeps a stream of many pieces of any size', async () => {
    const content = randomBytes(mebibytes(20) + 7);
    const pieces = [
      content.subarray(0, 1),
      content.subarray(1, mebibytes(18)),
      content.subarray(mebibytes(18)),
    ];
    const written = await storage.write('large', Readable.from(pieces), {
      mediaType: 'application/zip',
      maxBytes: content.byteLength,
    });
    expect(written).toEqual({ bytes: content.byteLength, sha256: sha256(content) });
    expect(sha256(await buffer(await storage.read('large')))).toBe(sha256(content));
  });

  it('replaces a file, which has another etag then', async () => {
    await put('a/b', 'first');
    const [before] = await storage.list('a/', 1);
    await put('a/b', 'other');
    expect(await contentOf('a/b')).toBe('other');
    const [after] = await storage.list('a/', 1);
    expect(after?.etag).not.toBe(before?.etag);
  });

  it('shows the old one while the new one is written', async () => {
    await put('a', 'old');
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const content = async function* () {
      yield 'ne';
      begun.resolve();
      await goOn.promise;
      yield 'w';
    };
    const writing = storage.write('a', Readable.from(content()), options);
    await begun.promise;
    expect(await contentOf('a')).toBe('old');
    goOn.resolve();
    await writing;
    expect(await contentOf('a')).toBe('new');
  });

  it.each([
    ['bytes', () => Buffer.alloc(101)],
    ['a stream', () => Readable.from([Buffer.alloc(60), Buffer.alloc(60)])],
  ])('refuses too many of %s, and keeps what was there', async (_what, content) => {
    await put('a', 'old');
    await expect(storage.write('a', content(), options)).rejects.toMatchObject({ name: 'FileTooLarge' });
    await expect(storage.write('b', content(), options)).rejects.toMatchObject({ name: 'FileTooLarge' });
    expect(await contentOf('a')).toBe('old');
    expect(await keysIn('b/')).toEqual([]);
    await expectAbsent('b');
    expect(await opened.listHalves()).toEqual([]);
  });

  it('stops reading an endless stream where it gets too long, and destroys it', async () => {
    let pieces = 0;
    const endless = async function* () {
      for (;;) {
        pieces += 1;
        yield Buffer.alloc(mebibytes(1));
      }
    };
    const source = Readable.from(endless());
    const limits = { mediaType: 'text/plain', maxBytes: mebibytes(18) };
    await expect(storage.write('a', source, limits)).rejects.toMatchObject({ name: 'FileTooLarge' });
    // The stream reads some ahead.
    expect(pieces).toBeLessThan(18 + 20);
    expect(source.destroyed).toBe(true);
    await expectAbsent('a');
    expect(await opened.listHalves()).toEqual([]);
  });

  it('leaves nothing of a stream that breaks off', async () => {
    await put('a', 'old');
    const broken = async function* () {
      yield randomBytes(mebibytes(17));
      throw new Error('The client is gone.');
    };
    const limits = { mediaType: 'text/plain', maxBytes: mebibytes(50) };
    await expect(storage.write('a', Readable.from(broken()), limits)).rejects.toThrow('The client is gone.');
    expect(await contentOf('a')).toBe('old');
    expect(await opened.listHalves()).toEqual([]);
  });

  it('is told to stop while it waits for the next piece', async () => {
    const abort = new AbortController();
    const begun = Promise.withResolvers<void>();
    const source = new Readable({
      read() {
        begun.resolve();
      },
    });
    source.push('something');
    const writing = storage.write('a', source, { ...options, signal: abort.signal });
    await begun.promise;
    abort.abort(new Error('Enough.'));
    await expect(writing).rejects.toThrow('Enough.');
    expect(source.destroyed).toBe(true);
    await expectAbsent('a');
    expect(await opened.listHalves()).toEqual([]);
  });

  it('does not begin when it has been told to stop', async () => {
    await put('a', 'old');
    const signal = AbortSignal.abort(new Error('Enough.'));
    await expect(storage.write('a', Buffer.from('new'), { ...options, signal })).rejects.toThrow('Enough.');
    await expect(storage.read('a', signal)).rejects.toThrow('Enough.');
    expect(await contentOf('a')).toBe('old');
  });

  it('stops giving when it is told to', async () => {
    await storage.write('a', randomBytes(mebibytes(10)), { ...options, maxBytes: mebibytes(10) });
    const abort = new AbortController();
    const content = await storage.read('a', abort.signal);
    abort.abort();
    await expect(buffer(content)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('says that there is no such file', async () => {
    await put('folder/a');
    for (const key of ['b', 'folder', 'folder/a/b']) {
      await expectAbsent(key);
      await storage.remove(key);
    }
    expect(await contentOf('folder/a')).toBe('folder/a');
  });

  it('lists what is below a folder, by key, and no more than asked for', async () => {
    for (const key of ['skills/b/SKILL.md', 'skills/a', 'skills/b-c', 'skills/b.md', 'skillset', 'x/y']) {
      await put(key);
    }
    const all = ['skills/a', 'skills/b-c', 'skills/b.md', 'skills/b/SKILL.md'];
    expect(await keysIn('skills/')).toEqual(all);
    expect(await keysIn('skills/', 2)).toEqual(all.slice(0, 2));
    expect(await keysIn('skills/', 0)).toEqual([]);
    expect(await keysIn('skills/b/')).toEqual(['skills/b/SKILL.md']);
    expect(await keysIn('nothing/')).toEqual([]);
    expect((await storage.list('x/', 1))[0]).toMatchObject({ key: 'x/y', bytes: 3 });
  });

  it('lists in one order, whatever the names', async () => {
    const segment = fc.string({
      unit: fc.constantFrom('a', 'b', '-', '.', '_', 'B', '0'),
      minLength: 1,
      maxLength: 3,
    });
    // Names ending in `f` are files, others folders.
    const key = fc
      .tuple(fc.array(segment, { maxLength: 2 }), segment)
      .map(([folders, name]) => ['all', ...folders.map((each) => `${each}d`), `${name}f`].join('/'));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(key, { maxLength: 8 }), async (keys) => {
        await storage.removeAll('all/');
        for (const each of keys) await put(each);
        expect(await keysIn('all/')).toEqual(keys.toSorted());
      }),
      { numRuns: 20 },
    );
  });

  it('removes a file, a folder, and what is not there', async () => {
    for (const key of ['a/1', 'a/2', 'a/b/3', 'ab', 'c/4']) await put(key);
    await storage.remove('a/1');
    await storage.remove('a/1');
    expect(await keysIn('a/')).toEqual(['a/2', 'a/b/3']);
    await storage.removeAll('a/');
    await storage.removeAll('a/');
    expect(await keysIn('a/')).toEqual([]);
    expect(await contentOf('ab')).toBe('ab');
    expect(await contentOf('c/4')).toBe('c/4');
  });

  it.each([
    '',
    '.',
    '..',
    '../a',
    'a/../b',
    'a/./b',
    '/a',
    'a/',
    'a//b',
    'a\\b',
    'é',
    'a b',
    'a\0',
    'a:b',
    '~drafts/a',
    'x'.repeat(201),
    'a/'.repeat(250) + 'b',
  ])('takes %j for no key', async (key) => {
    const refusal = 'not a key';
    await expect(storage.write(key, Buffer.from('x'), options)).rejects.toThrow(refusal);
    await expect(storage.read(key)).rejects.toThrow(refusal);
    await expect(storage.remove(key)).rejects.toThrow(refusal);
    await expect(storage.list(`${key}/`, 1)).rejects.toThrow(refusal);
    await expect(storage.removeAll(`${key}/`)).rejects.toThrow(refusal);
  });

  it('takes a key for no folder', async () => {
    await put('a/b');
    await expect(storage.list('a', 1)).rejects.toThrow('ends with a slash');
    await expect(storage.removeAll('a')).rejects.toThrow('ends with a slash');
  });
});
