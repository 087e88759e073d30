import type { Readable } from 'node:stream';

import { FairSemaphore } from '@palabre/async';

import { DomainError } from '../../common/errors/domain-error.js';

/** Each has up to 20 MB. */
const BODIES = { all: 40, ofOne: 8 };
/** Of one company. They are not read yet. */
const MAX_WAITING = 100;

/** A body that is held has so long to come in, or a few slow clients would keep everybody else out. */
export const MAX_ARRIVAL_MS = 60_000;

const places = new FairSemaphore(
  BODIES,
  MAX_WAITING,
  () => new DomainError('UNAVAILABLE', 'Too many files are being sent. Please try again.'),
);

/**
 * Reads a body that is held in memory as a whole: an image, an archive. Whoever sends many of them, however slowly, has so
 * many held and no more. `content` fails when it has not come in after MAX_ARRIVAL_MS.
 */
export function holdingBody<Result>(
  companyId: string,
  content: Readable,
  read: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const readInTime = async (): Promise<Result> => {
    const timer = setTimeout(() => content.destroy(tooSlow()), MAX_ARRIVAL_MS);
    content.once('end', () => clearTimeout(timer));
    try {
      return await read();
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

/**
 * As `holdingBody`, for an import, which somebody else reads within the time of any request. Resolves with the function
 * that lets go of it.
 */
export function holdBody(companyId: string, signal?: AbortSignal): Promise<() => void> {
  return new Promise((resolve, reject) => {
    places.run(companyId, () => new Promise<void>((letGo) => resolve(letGo)), signal).catch(reject);
  });
}
