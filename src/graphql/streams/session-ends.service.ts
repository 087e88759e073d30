import { Injectable } from '@nestjs/common';

import type { Viewer } from '../../companies/auth/viewer.js';
import { MemberAccessWatcher } from '../../companies/members/member-access.service.js';

/** Watches for the end of a session: its token expires, or its member loses access. */
@Injectable()
export class SessionEnds {
  constructor(private readonly gone: MemberAccessWatcher) {}

  /** Calls `act` at the end of the session, unless the returned function is called before. */
  watch(viewer: Viewer, act: () => void): () => void {
    const { companyId, spokenForBy } = viewer;
    const stops = [atExpiry(viewer.expiresAt, act), this.gone.watch(viewer, act)];
    if (spokenForBy !== undefined) stops.push(this.gone.watch({ id: spokenForBy, companyId }, act));
    return () => {
      for (const stop of stops) stop();
    };
  }
}

/** The maximum delay of Node's timers. Longer ones are set again. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Calls `act` when a token expires, unless the returned function is called before. Null: it does not expire. */
export function atExpiry(expiresAt: Date | null, act: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const arm = (end: number): void => {
    const left = end - Date.now();
    if (left <= 0) act();
    else timer = setTimeout(() => arm(end), Math.min(left, LONGEST_TIMER_MS));
  };
  if (expiresAt) arm(expiresAt.getTime());
  return () => clearTimeout(timer);
}
