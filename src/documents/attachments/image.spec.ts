import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

import sharp, { type Sharp } from 'sharp';

import { ImageRefused, readImage } from './image.js';

function plain(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: { r: 10, g: 120, b: 60 } } });
}

describe('an image', () => {
  it('is scaled to what models see, and stands upright without what its camera wrote', async () => {
    const exif = { IFD0: { Artist: 'Awa Diop' }, IFD3: { GPSLatitude: '14/1 41/1 0/1' } };
    const sent = await plain(4000, 2000).withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(sent.includes('Exif')).toBe(true);
    const { bytes, mediaType } = await readImage('a company', sent);
    const read = await sharp(bytes).metadata();
    expect(mediaType).toBe('image/jpeg');
    expect([read.width, read.height]).toEqual([784, 1568]);
    expect([read.exif, read.icc, read.orientation]).toEqual([undefined, undefined, undefined]);
    expect(bytes.includes('Awa')).toBe(false);
  });

  it.each(['png', 'webp', 'gif'] as const)('of a small %s keeps its size', async (format) => {
    const { bytes, mediaType } = await readImage(
      'a company',
      await plain(30, 20).toFormat(format).toBuffer(),
    );
    expect(mediaType).toBe('image/png');
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 30, height: 20 });
  });

  it('that would be too large as a PNG becomes a JPEG', async () => {
    const raw = { width: 1500, height: 1500, channels: 3 } as const;
    const noise = await sharp(randomBytes(1500 * 1500 * 3), { raw })
      .png({ compressionLevel: 0 })
      .toBuffer();
    expect((await readImage('a company', noise)).mediaType).toBe('image/jpeg');
  });
});

describe('is refused', () => {
  it.each([
    ['text', Buffer.from('no image')],
    ['nothing', Buffer.alloc(0)],
    ['another format', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ])('%s', async (_what, bytes) => {
    await expect(readImage('a company', bytes)).rejects.toThrow(ImageRefused);
  });

  it('a part of an image', async () => {
    const whole = await plain(300, 300).jpeg().toBuffer();
    await expect(readImage('a company', whole.subarray(0, whole.byteLength / 2))).rejects.toThrow(
      ImageRefused,
    );
  });

  it('an image of few bytes and too many pixels', async () => {
    const bomb = pngOf(40_000, 40_000);
    expect(bomb.byteLength).toBeLessThan(1_000);
    await expect(readImage('a company', bomb)).rejects.toThrow(ImageRefused);
  });
});

it('is read while another company has more of them read than there are places and room to wait', async () => {
  const [theirs, ours] = [await plain(4_000, 4_000).png().toBuffer(), await plain(30, 20).png().toBuffer()];
  let ended = 0;
  const all = Array.from({ length: 30 }, () =>
    readImage('another company', theirs).finally(() => (ended += 1)),
  );
  const settled = Promise.allSettled(all);
  expect(await readImage('our company', ours)).toMatchObject({ mediaType: 'image/png' });
  // Refused images have ended too.
  expect(ended).toBeLessThan(all.length / 2);
  const refused = (await settled).filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  for (const one of refused) expect(one).toMatchObject({ reason: { code: 'UNAVAILABLE' } });
}, 60_000);

it('is read while giant ones of several companies are', async () => {
  const giant = await plain(7_000, 7_000).png().toBuffer();
  const small = await plain(30, 20).png().toBuffer();
  let ended = 0;
  const giants = ['a company', 'another company'].map((company) =>
    readImage(company, giant).finally(() => (ended += 1)),
  );
  expect(await readImage('our company', small)).toMatchObject({ mediaType: 'image/png' });
  expect(ended).toBe(0);
  for (const { mediaType } of await Promise.all(giants)) expect(mediaType).toBe('image/png');
}, 60_000);

/** The beginning of a PNG, which says how large it is. */
function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const data = deflateSync(Buffer.alloc(10_000));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.byteLength);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
