import { initialTurn, type Palabre, reduceTurn, type TurnState } from '@palabre/client';
import { useEffect, useReducer, useState } from 'react';

/** What a screen shows of a turn, from its beginning to its end; null: of none. */
export function useTurn(palabre: Palabre, turnId: string | null): { state: TurnState; error: unknown } {
  const [state, take] = useReducer(reduceTurn, initialTurn);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    if (turnId === null) return undefined;
    const leaving = new AbortController();
    const { signal } = leaving;
    async function follow(turnId: string): Promise<void> {
      for await (const event of palabre.follow(turnId, 0, { signal })) take(event);
    }
    follow(turnId).catch((error: unknown) => signal.aborted || setError(error));
    return () => leaving.abort();
  }, [palabre, turnId]);
  return { state, error };
}
