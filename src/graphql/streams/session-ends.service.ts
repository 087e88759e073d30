import { Injectable } from '@nestjs/common';

import type { Viewer } from '../../auth/viewer.js';
import { GoneMembers } from '../../companies/member-data/gone-members.service.js';
import { atExpiry } from './token-expiry.js';

/** Tells when a connection is nobody's any more: its token has expired, or its member was erased. */
@Injectable()
export class SessionEnds {
  constructor(private readonly gone: GoneMembers) {}

  /** Calls `act` then, unless the function that it gives is called before. */
  watch(viewer: Viewer, act: () => void): () => void {
    const stops = [atExpiry(viewer.expiresAt, act), this.gone.watch(viewer, act)];
    return () => {
      for (const stop of stops) stop();
    };
  }
}
