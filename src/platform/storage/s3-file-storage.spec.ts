import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import fc from 'fast-check';

import { BucketServer } from './bucket-server.double.js';
import { S3FileStorage, toPieces } from './s3-file-storage.js';

const MEBIBYTE = 1024 * 1024;
const options = { mediaType: 'text/plain', maxBytes: 100 * MEBIBYTE };

describe('S3FileStorage', () => {
  let bucket: BucketServer;
  let storage: S3FileStorage;

  beforeEach(async () => {
    bucket = await BucketServer.start();
    storage = new S3FileStorage(bucket.config('palabre'));
  });
  afterEach(async () => {
    storage.close();
    await bucket[Symbol.asyncDispose]();
  });

  it('keeps to its folder in the bucket, with the type of what it stores', async () => {
    bucket.objects.set('reports/b', {
      content: Buffer.from('others'),
      mediaType: '',
      modifiedAt: new Date(),
    });
    await storage.write('reports/a', Buffer.from('ours'), { ...options, mediaType: 'application/pdf' });
    expect(bucket.objects.get('palabre/reports/a')).toMatchObject({ mediaType: 'application/pdf' });
    expect((await storage.list('reports/', 10)).map(({ key }) => key)).toEqual(['reports/a']);
    await storage.removeAll('reports/');
    expect([...bucket.objects.keys()]).toEqual(['reports/b']);
  });

  it('needs no folder', async () => {
    const atTop = new S3FileStorage(bucket.config());
    await atTop.write('reports/a', Buffer.from('ours'), options);
    expect([...bucket.objects.keys()]).toEqual(['reports/a']);
    atTop.close();
  });

  it('goes on to the next page, and passes by what consoles make for a folder', async () => {
    bucket.maxPage = 2;
    bucket.objects.set('palabre/all/', { content: Buffer.alloc(0), mediaType: '', modifiedAt: new Date() });
    const keys = ['all/a', 'all/b', 'all/c', 'all/d', 'all/e'];
    for (const key of keys) await storage.write(key, Buffer.from(key), options);
    expect((await storage.list('all/', 10)).map(({ key }) => key)).toEqual(keys);
    expect((await storage.list('all/', 3)).map(({ key }) => key)).toEqual(keys.slice(0, 3));
    await storage.removeAll('all/');
    expect([...bucket.objects.keys()]).toEqual(['palabre/all/']);
  });

  it('sends in parts what does not fit into one, and removes the parts of what broke off', async () => {
    const content = randomBytes(17 * MEBIBYTE);
    await storage.write('a', content, options);
    expect(bucket.requests.filter((request) => request === 'PUT palabre/a')).toHaveLength(3);
    bucket.fail = ({ query }) => (query.get('partNumber') === '2' ? 400 : null);
    await expect(storage.write('b', content, options)).rejects.toMatchObject({
      $metadata: { httpStatusCode: 400 },
    });
    expect([...bucket.objects.keys()]).toEqual(['palabre/a']);
    expect(bucket.uploads.size).toBe(0);
  });

  it('tries again, and says UNAVAILABLE when that does not help', async () => {
    const failures = [503];
    bucket.fail = () => failures.pop() ?? null;
    await storage.write('a', Buffer.from('kept'), options);
    expect(await text(await storage.read('a'))).toBe('kept');
    bucket.fail = () => 503;
    const unavailable = { code: 'UNAVAILABLE' };
    await expect(storage.write('b', Buffer.from('lost'), options)).rejects.toMatchObject(unavailable);
    await expect(storage.read('a')).rejects.toMatchObject(unavailable);
    await expect(storage.list('a/', 1)).rejects.toMatchObject(unavailable);
  });

  it('says UNAVAILABLE when nobody answers, without telling where it asked', async () => {
    const gone = await BucketServer.start();
    const config = gone.config();
    await gone[Symbol.asyncDispose]();
    const nowhere = new S3FileStorage(config);
    const failure = await nowhere.read('a').catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'DomainError', code: 'UNAVAILABLE' });
    expect(String(failure)).not.toContain('127.0.0.1');
    nowhere.close();
  });

  it.each([
    ['another bucket', { bucket: 'elsewhere' }, 'NoSuchBucket'],
    ['another’s key', { accessKeyId: 'AKIAOTHER' }, 'AccessDenied'],
  ])('takes %s for no missing file', async (_what, change, name) => {
    const wrong = new S3FileStorage({ ...bucket.config(), ...change });
    await expect(wrong.read('a')).rejects.toMatchObject({ name });
    await expect(wrong.write('a', Buffer.from('x'), options)).rejects.toMatchObject({ name });
    wrong.close();
  });

  it('lets the connection go when it is told to stop', async () => {
    const abort = new AbortController();
    bucket.fail = () => {
      abort.abort(new Error('Enough.'));
      return null;
    };
    await expect(storage.read('a', abort.signal)).rejects.toThrow('Enough.');
  });
});

it('gives the same bytes, in pieces of one size but for the last', async () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 12 }), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(chunks, fc.integer({ min: 1, max: 9 }), async (given, size) => {
      const pieces = await Array.fromAsync(toPieces(Readable.from(given), size));
      const whole = Buffer.concat(given);
      expect(Buffer.concat(pieces).equals(whole)).toBe(true);
      expect(pieces.map(({ byteLength }) => byteLength)).toEqual(
        Array.from({ length: Math.ceil(whole.byteLength / size) }, (_, index) =>
          Math.min(size, whole.byteLength - index * size),
        ),
      );
    }),
  );
});
