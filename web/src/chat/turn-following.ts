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

/** Drawing that takes longer, in milliseconds, is done less often: twice as long goes into other things. */
const QUICK_MS = 50;

/** Tells what has come as often as it can be drawn, and of the end at once. */
async function follow(
  palabre: Palabre,
  turnId: string,
  tell: (state: TurnState) => void,
  signal: AbortSignal,
): Promise<void> {
  let state = initialTurn;
  let drawn = state;
  let isDrawing = false;
  const draw = async (): Promise<void> => {
    if (isDrawing) return;
    isDrawing = true;
    while (drawn !== state && !signal.aborted) {
      await frame();
      const began = performance.now();
      drawn = state;
      tell(drawn);
      await frame();
      const took = performance.now() - began;
      if (took > QUICK_MS) await new Promise((resolve) => setTimeout(resolve, 2 * took));
    }
    isDrawing = false;
  };
  try {
    for await (const event of palabre.follow(turnId, 0, { signal })) {
      state = reduceTurn(state, event);
      if (state.end) break;
      void draw();
    }
  } catch (error) {
    if (error instanceof PalabreError && error.code === 'UNAUTHENTICATED') expire();
  }
  if (!signal.aborted) tell(state);
}

function frame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve()));
}
