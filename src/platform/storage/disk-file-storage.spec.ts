import { mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';

import { HOUR_MS } from '../../common/clock.js';
import { createLogger } from '../../common/process/logger.js';
import { DiskFileStorage } from './disk-file-storage.js';
import { openStorage } from './open-storage.js';
import { S3FileStorage } from './s3-file-storage.js';
import { BucketServer } from './bucket-server.double.js';

const silent = createLogger({ level: 'silent', pretty: false });

const options = { mediaType: 'text/plain', maxBytes: 100 };

describe('DiskFileStorage', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'palabre-files-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('clears away what an ended process left half written, and nothing else', async () => {
    const storage = new DiskFileStorage(root);
    await storage.write('a/b', Buffer.from('kept'), options);
    const drafts = join(root, '~drafts');
    for (const name of ['old', 'new']) await writeFile(join(drafts, name), 'half');
    const longAgo = new Date(Date.now() - 2 * HOUR_MS);
    await utimes(join(drafts, 'old'), longAgo, longAgo);
    await utimes(join(root, 'a', 'b'), longAgo, longAgo);
    await storage.removeAbandoned();
    expect(await readdir(drafts)).toEqual(['new']);
    expect(await storage.list('a/', 10)).toMatchObject([{ key: 'a/b', bytes: 4 }]);
    expect((await stat(join(root, 'a', 'b'))).mtime).toEqual(longAgo);
    await rm(drafts, { recursive: true });
    await storage.removeAbandoned();
  });

  it.each(['ENOSPC', 'EROFS', 'EACCES'])('says UNAVAILABLE where the disk says %s', async (code) => {
    const storage = new DiskFileStorage(root);
    const refused = Object.assign(new Error(`${code}: as the system words it`), { code });
    const content = new Readable({
      read() {
        this.destroy(refused);
      },
    });
    const failure = await storage.write('a/b', content, options).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'DomainError', code: 'UNAVAILABLE', cause: refused });
    expect(await storage.list('a/', 10)).toEqual([]);
    expect(await readdir(join(root, '~drafts'))).toEqual([]);
  });

  it('is the owner’s alone', async () => {
    const storage = new DiskFileStorage(join(root, 'files'));
    await storage.write('a/b', Buffer.from('mine'), options);
    expect((await stat(join(root, 'files'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(root, 'files', 'a', 'b'))).mode & 0o777).toBe(0o600);
  });

  it('does not follow a link out of its folder when it lists', async () => {
    const storage = new DiskFileStorage(root);
    await storage.write('a/b', Buffer.from('mine'), options);
    await symlink('/etc', join(root, 'a', 'etc'));
    expect((await storage.list('a/', 100)).map(({ key }) => key)).toEqual(['a/b']);
  });

  it('leaves out what people have put there under a name that is no key', async () => {
    const storage = new DiskFileStorage(root);
    await storage.write('a/b', Buffer.from('mine'), options);
    await writeFile(join(root, 'a', 'my file.txt'), 'theirs');
    expect((await storage.list('a/', 100)).map(({ key }) => key)).toEqual(['a/b']);
  });

  it('lets many write in the same place, and keeps one of them whole', async () => {
    const storage = new DiskFileStorage(root);
    const contents = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(index + 1));
    const written = await Promise.all(
      contents.map((content) => storage.write('deep/er/a', Buffer.from(content), options)),
    );
    const [found] = await storage.list('deep/er/', 1);
    expect(written.map(({ bytes }) => bytes)).toContain(found?.bytes);
    expect(await readdir(join(root, '~drafts'))).toEqual([]);
  });
});

describe('openStorage', () => {
  it('takes the bucket that is named, or else a folder in the data folder', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'palabre-data-'));
    await using bucket = await BucketServer.start();
    const inBucket = await openStorage({ s3: bucket.config() }, dataDir, silent);
    expect(inBucket.storage).toBeInstanceOf(S3FileStorage);
    expect(await readdir(dataDir)).toEqual([]);
    await inBucket.close();
    const onDisk = await openStorage({ s3: null }, dataDir, silent);
    await onDisk.storage.write('a', Buffer.from('kept'), options);
    expect((await readdir(join(dataDir, 'files'))).toSorted()).toEqual(['a', '~drafts']);
    await onDisk.close();
    await rm(dataDir, { recursive: true });
  });

  it('says in the log that files cannot be stored, and opens all the same', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'palabre-data-'));
    // Nobody can make a folder in a file, not even root.
    await writeFile(join(dataDir, 'files'), '');
    const destination = new PassThrough();
    const logger = createLogger({ level: 'warn', pretty: false, destination });
    const { close } = await openStorage({ s3: null }, dataDir, logger);
    const line: unknown = JSON.parse(String(destination.read()));
    expect(line).toMatchObject({ folder: join(dataDir, 'files'), msg: 'files cannot be stored' });
    await close();
    await rm(dataDir, { recursive: true });
  });
});
