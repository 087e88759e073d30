import type { Viewer } from '../../../companies/auth/viewer.js';
import { attribute } from '../../../platform/tracing/semantic-names.js';
import { inSpan } from '../../../platform/tracing/span.js';
import type { Turn } from '../turn.entity.js';

/** The span that all runs of the turn belong below. */
export function tracedStart<Outcome extends { type: string; turn?: Turn }>(
  { companyId, id }: Viewer,
  start: () => Promise<Outcome>,
): Promise<Outcome> {
  const attributes = { [attribute.company]: companyId, [attribute.user]: id };
  return inSpan(
    'startTurn',
    () => ({ kind: 'server', attributes }),
    async (span) => {
      const outcome = await start();
      if (outcome.turn) {
        const { id: turnId, conversationId } = outcome.turn;
        span?.set({ [attribute.turn]: turnId, [attribute.conversation]: conversationId });
      } else span?.end(outcome.type);
      return outcome;
    },
  );
}
