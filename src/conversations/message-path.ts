import { LAST_ID } from '../common/ids.js';

/** SQL: `path (branch_id, until)`, from its end to its beginning, after WITH RECURSIVE. `$1` is the company. */
export function pathFrom(end: string): string {
  return `path (branch_id, until) AS (
    ${end}
    UNION ALL
    SELECT branch.parent_id, branch.fork_id
    FROM path JOIN conversation_branch AS branch ON branch.company_id = $1 AND branch.id = path.branch_id
    WHERE branch.parent_id IS NOT NULL)`;
}

/** SQL: the path that ends with a message. `branchId`: the branch of one that is not stored yet, or NULL. */
export function pathTo(messageId: string, branchId = 'NULL'): string {
  const stored = `(SELECT branch_id FROM message WHERE company_id = $1 AND id = ${messageId})`;
  return pathFrom(`SELECT coalesce(${branchId}::uuid, ${stored}), ${messageId}::uuid`);
}

/** SQL: the path that a conversation shows, with what will follow at its end. */
export function shownPathOf(conversationId: string): string {
  return pathFrom(
    `SELECT shown_branch_id, CAST('${LAST_ID}' AS uuid) FROM conversation WHERE company_id = $1 AND id = ${conversationId}`,
  );
}

/** SQL: the ids of the first or the last `limit` messages of a path that meet a condition. */
export function saidOn(path: string, order: 'ASC' | 'DESC', limit: string, condition = 'true'): string {
  return `WITH RECURSIVE ${path}
    SELECT said.id FROM path CROSS JOIN LATERAL (
      SELECT id FROM message
      WHERE company_id = $1 AND branch_id = path.branch_id AND id <= path.until AND ${condition}
      ORDER BY id ${order} LIMIT ${limit}) AS said
    ORDER BY said.id ${order} LIMIT ${limit}`;
}

/** `messageId`: an SQL expression that may be null. */
export function isShownOrGone(messageId: string): string {
  return `NOT EXISTS (SELECT FROM message WHERE message.company_id = $1 AND message.id = ${messageId} AND NOT ${isShown})`;
}

/** SQL condition: the message `message` is on the path that its conversation shows. */
export const isShown = `NOT EXISTS (
  SELECT FROM conversation_branch AS branch
  WHERE branch.company_id = message.company_id AND branch.id = message.branch_id
    AND (branch.shown_until IS NULL OR branch.shown_until < message.id))`;

/** Messages of a path that come before one of its messages, or up to it. */
export interface PathRequest {
  /** The last message of the path. */
  leaf: string;
  /** The branch that it stands in, or will when it is stored. Left out: it is stored. */
  branchId?: string;
  limit: number;
}
