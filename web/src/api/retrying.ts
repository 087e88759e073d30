import type { CombinedError } from '@urql/core';
import { useEffect } from 'react';

import { codeOf } from './failure.js';

const PAUSE_MS = 3_000;
const AWAY: ReadonlySet<string> = new Set(['OFFLINE', 'UNAVAILABLE']);

/** Asks again by itself while the server cannot be reached: a page left open is right again when it is back. */
export function useRetrying(error: CombinedError | undefined, again: (() => void) | undefined): void {
  useEffect(() => {
    if (!error || !again || !AWAY.has(codeOf(error))) return undefined;
    const timer = setTimeout(again, PAUSE_MS);
    addEventListener('online', again);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', again);
    };
  }, [error, again]);
}
