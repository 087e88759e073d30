import { initialTurn, type Palabre, PalabreError, reduceTurn, type TurnState } from '@palabre/client';
import { useEffect, useState } from 'react';

import { usePalabre } from '../api/client.js';
import { expire } from '../app/session.js';

/** A turn as far as it has come, followed from its first event on: after a reload too, and in any number of tabs. */
export function useTurn(turnId: string): TurnState {
  const palabre = usePalabre();
  const [state, setState] = useState(initialTurn);
  useEffect(() => {
    const leaving = new AbortController();
    void follow(palabre, turnId, setState, leaving.signal);
    return () => leaving.abort();
  }, [palabre, turnId]);
  return state;
}

/** Tells what has come at most once a frame, and of the end at once. */
async function follow(
  palabre: Palabre,
  turnId: string,
  tell: (state: TurnState) => void,
  signal: AbortSignal,
): Promise<void> {
  let state = initialTurn;
  let frame = 0;
  try {
    for await (const event of palabre.follow(turnId, 0, { signal })) {
      state = reduceTurn(state, event);
      if (state.end) break;
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        if (!signal.aborted) tell(state);
      });
    }
  } catch (error) {
    if (error instanceof PalabreError && error.code === 'UNAUTHENTICATED') expire();
  }
  cancelAnimationFrame(frame);
  if (!signal.aborted) tell(state);
}
