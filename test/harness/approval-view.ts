import type { JsonObject } from '@palabre/json';

import type { TestClient } from './test-client.js';

const FIELDS = 'id turnId skill arguments reason status expiresAt';
export const RESOLVE = `mutation ($input: ResolveApprovalInput!) { resolveApproval(input: $input) { ${FIELDS} } }`;

export interface ApprovalView {
  id: string;
  turnId: string;
  skill: string;
  arguments: JsonObject;
  reason: string | null;
  status: string;
  expiresAt: string;
}

export interface Answer {
  approvalId: string;
  approve: boolean;
  arguments?: JsonObject;
  comment?: string;
}

export function allowed(approval: ApprovalView | undefined, approve: boolean): Answer {
  return {
    approvalId: approval?.id ?? '',
    approve,
  };
}

export async function resolve(client: TestClient, input: Answer): Promise<ApprovalView> {
  return (await client.get<{ resolveApproval: ApprovalView }>(RESOLVE, { input })).resolveApproval;
}

export async function pendingOf(client: TestClient): Promise<ApprovalView[]> {
  return (await client.get<{ pendingApprovals: ApprovalView[] }>(`{ pendingApprovals { ${FIELDS} } }`))
    .pendingApprovals;
}

export async function approvalsOf(client: TestClient, turnId: string): Promise<ApprovalView[]> {
  return (
    await client.get<{ turn: { approvals: ApprovalView[] } }>(
      `query ($turnId: ID!) { turn(id: $turnId) { approvals { ${FIELDS} } } }`,
      { turnId },
    )
  ).turn.approvals;
}

/** Follows a turn until it waits for people, and gives what they are asked. */
export async function untilWaiting(client: TestClient, turnId: string): Promise<ApprovalView[]> {
  const asked: ApprovalView[] = [];
  for await (const { approval, status } of client.turnEvents(turnId)) {
    if (approval) asked.push(approval as ApprovalView);
    if (status === 'WAITING_FOR_APPROVAL') return asked;
  }
  throw new Error('The turn has ended without waiting for anybody.');
}
