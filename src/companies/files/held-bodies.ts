import type { Readable } from 'node:stream';

import { FairSemaphore } from '@palabre/async';

import { DomainError } from '../../common/errors/domain-error.js';
import { bytesOf } from '../../platform/storage/file-storage.js';

/** Each has up to 20 MB. */
const BODIES = { all: 40, ofOne: 8 };
/** The most waiting requests of a company, with unread bodies. */
const MAX_WAITING = 100;

/** The time limit for a body, so that a few slow clients cannot block all others. */
export const MAX_ARRIVAL_MS = 60_000;

const places = new FairSemaphore(
  BODIES,
  MAX_WAITING,
  () => new DomainError('UNAVAILABLE', 'Too many files are being sent. Please try again.'),
);

/**
 * Reads a body that is held in memory as a whole, such as an image or an archive. Limits how many a company may have
 * at once. `content` fails if it takes longer than MAX_ARRIVAL_MS.
 */
export function holdingBody<Result>(
  companyId: string,
  content: Readable,
  read: (bytes: Buffer) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const readInTime = async (): Promise<Result> => {
    const timer = setTimeout(() => content.destroy(tooSlow()), MAX_ARRIVAL_MS);
    content.once('end', () => clearTimeout(timer));
    try {
      return await read(await bytesOf(content));
    } finally {
      clearTimeout(timer);
    }
  };
  return places.run(companyId, readInTime, signal);
}

function tooSlow(): DomainError {
  const message = `The file took longer than ${MAX_ARRIVAL_MS / 1_000} seconds to come in. Please try again.`;
  return new DomainError('UNAVAILABLE', message, { isLate: true });
}

/** Like `holdingBody`, for an import, whose reader limits the time. Resolves with a function that releases it. */
export function holdBody(companyId: string, signal?: AbortSignal): Promise<() => void> {
  return new Promise((resolve, reject) => {
    places.run(companyId, () => new Promise<void>((letGo) => resolve(letGo)), signal).catch(reject);
  });
}
