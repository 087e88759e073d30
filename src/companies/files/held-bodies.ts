import { FairSemaphore } from '@palabre/async';

import { DomainError } from '../../common/errors/domain-error.js';

/** Each has up to 20 MB. */
const BODIES = { all: 40, ofOne: 8 };
/** Of one company. They are not read yet. */
const MAX_WAITING = 100;

const places = new FairSemaphore(
  BODIES,
  MAX_WAITING,
  () => new DomainError('UNAVAILABLE', 'Too many files are being sent. Please try again.'),
);

/**
 * Reads a body that is held in memory as a whole: an image, an archive, an import. Whoever sends many of them, however
 * slowly, has so many held and no more.
 */
export function holdingBody<Result>(companyId: string, read: () => Promise<Result>): Promise<Result> {
  return places.run(companyId, read);
}

/** As `holdingBody`, for one that somebody else reads. Resolves with the function that lets go of it. */
export function holdBody(companyId: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    holdingBody(companyId, () => new Promise<void>((letGo) => resolve(letGo))).catch(reject);
  });
}
