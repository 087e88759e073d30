import { availableParallelism } from 'node:os';

import { FairSemaphore } from '@palabre/async';

import { DomainError } from '../../common/errors/domain-error.js';

/** The upload limit. Photos of phones have 2 to 12 million bytes. */
export const MAX_IMAGE_BYTES = 20_000_000;

/** A compressed image may be thousands of times larger than its bytes. */
const MAX_PIXELS = 60_000_000;
/** The decoded size: 60 million pixels of 32 bits, or half as many of 64 bits. */
const MAX_UNPACKED_BYTES = 4 * MAX_PIXELS;

/** Anthropic shrinks larger images, and OpenAI sees no more detail. */
const MAX_SIDE = 1_568;

/** A larger PNG becomes a JPEG, because Anthropic refuses more than 5 MB in base64. */
const MAX_PNG_BYTES = 2_000_000;

const JPEG_QUALITY = 85;
const MAX_SECONDS = 15;

/** A decoded image of fewer pixels takes up to 160 MB. */
const GIANT_PIXELS = 16_000_000;
const MAX_WAITING = 20;

/**
 * Decoding takes seconds, threads that files need too, and a processor each: one is left for the server. Companies
 * share them fairly.
 */
const ordinary = gateOf(availableParallelism() > 2 ? 2 : 1);
/** A giant takes up to 550 MB. */
const giants = gateOf(1);

function gateOf(all: number): FairSemaphore {
  const tooMany = (): DomainError =>
    new DomainError('UNAVAILABLE', 'Too many images are being read. Please try again.');
  return new FairSemaphore({ all }, MAX_WAITING, tooMany);
}

/** The bytes are not an image for models. The message is for people. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
}

export interface ReadImage {
  bytes: Buffer;
  mediaType: 'image/png' | 'image/jpeg';
}

/**
 * Prepares an image for models: upright, at most 1,568 pixels wide and high, the first frame of an animation, and
 * only pixels without place, camera or comment. Rejects with ImageRefused, and with UNAVAILABLE if too many of the
 * company wait.
 */
export async function readImage(companyId: string, bytes: Buffer): Promise<ReadImage> {
  const sharp = await load();
  try {
    const { format, width, height, channels, depth } = await ordinary.run(companyId, () =>
      sharp(bytes, OPTIONS).metadata(),
    );
    const pixels = width * height;
    const unpackedBytes = pixels * channels * (depth === 'uchar' ? 1 : 2);
    if (unpackedBytes > MAX_UNPACKED_BYTES) throw new RangeError('The image unpacks to too much.');
    const gate = pixels > GIANT_PIXELS ? giants : ordinary;
    return await gate.run(companyId, () => rewritten(sharp, bytes, format));
  } catch (error) {
    if (error instanceof DomainError) throw error;
    const reason = `This is no image that can be read. Send a PNG, JPEG, WebP or GIF of at most ${MAX_PIXELS / 1_000_000} megapixels.`;
    throw new ImageRefused(reason, { cause: error });
  }
}

type Sharp = (typeof import('sharp'))['default'];

let loading: Promise<Sharp> | null = null;

/** Loaded on first use: the native library takes 20 MB. Loaders of other formats are unreachable. */
function load(): Promise<Sharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({
      operation: ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((format) => `VipsForeignLoad${format}Buffer`),
    });
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  });
  return loading;
}

const OPTIONS = { limitInputPixels: MAX_PIXELS, failOn: 'truncated', sequentialRead: true } as const;

async function rewritten(sharp: Sharp, bytes: Buffer, format: string): Promise<ReadImage> {
  // Decoded once for all output formats.
  const { data, info } = await sharp(bytes, OPTIONS)
    .timeout({ seconds: MAX_SECONDS })
    .autoOrient()
    .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const pixels = sharp(data, { raw: { width, height, channels } });
  if (format !== 'jpeg') {
    const png = await pixels.clone().png().toBuffer();
    if (png.byteLength <= MAX_PNG_BYTES) return { bytes: png, mediaType: 'image/png' };
  }
  const jpeg = await pixels.flatten({ background: 'white' }).jpeg({ quality: JPEG_QUALITY }).toBuffer();
  return { bytes: jpeg, mediaType: 'image/jpeg' };
}
