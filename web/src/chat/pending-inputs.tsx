import type { TurnInput, TurnState } from '@palabre/client';

import { ApprovalCard } from './approval-card.js';

/** What the turn asks of people, in its place. */
export function PendingInputs({ inputs }: { inputs: TurnState['inputs'] }) {
  return inputs.filter(isWaitingApproval).map((input) => <ApprovalCard key={input.id} approval={input} />);
}

function isWaitingApproval(input: TurnInput): input is Extract<TurnInput, { kind: 'APPROVAL' }> {
  return input.kind === 'APPROVAL' && input.status === 'PENDING';
}
