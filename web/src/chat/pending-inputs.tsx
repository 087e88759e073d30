import type { TurnInput } from '@palabre/client';
import { lazy, Suspense } from 'react';

import { Loading } from '../parts/states.js';

const InputCard = lazy(async () => ({ default: (await import('./input-card.js')).InputCard }));

/** What the turn asks of people, in its place. */
export function PendingInputs({ inputs }: { inputs: readonly TurnInput[] }) {
  const waiting = inputs.filter(({ status }) => status === 'PENDING');
  if (waiting.length === 0) return null;
  return (
    <Suspense fallback={<Loading />}>
      {waiting.map((input) => (
        <InputCard key={input.id} input={input} />
      ))}
    </Suspense>
  );
}
