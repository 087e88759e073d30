import { Injectable } from '@nestjs/common';
import type { DayRange } from '@palabre/dates';

import { NIL_ID } from '../../common/ids.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { Message } from '../message.repository.js';
import { isShown } from '../message-path.repository.js';

/** A hit or a neighbour of one, without its text. */
export interface NearMessage {
  /** The hit. */
  foundId: string;
  id: string;
  conversationId: string;
  createdAt: Date;
  /** The author's name. */
  speaker: string;
}

type OwnText = Pick<Message, 'id' | 'conversationId' | 'author' | 'text'>;

/** Longer messages are ranked by their beginning. */
const MAX_CHARACTERS = 8_000;

const selectTexts = `SELECT said.id, said.conversation_id AS "conversationId", said.author,
  left(said.text, ${MAX_CHARACTERS}) AS text`;

/** A member's messages on shown paths, if the assistant recalls them. Neither failed, withheld nor withdrawn ones. */
@Injectable()
export class RecallRepository {
  /** Lateral joins with OFFSET 0 force the planner to work step by step. It would read whole tables otherwise. */
  listNear(tx: Transaction, memberId: string, ids: readonly string[], reach: number): Promise<NearMessage[]> {
    return tx.query(
      `SELECT found.id AS "foundId", near.id, near.conversation_id AS "conversationId",
         near.created_at AS "createdAt",
         COALESCE(near.author, CASE near.role WHEN 'USER' THEN talk.member_name ELSE talk.assistant_name END) AS speaker
       FROM unnest($3::uuid[]) AS wanted (id)
       CROSS JOIN LATERAL (
         SELECT id, conversation_id FROM message WHERE company_id = $1 AND id = wanted.id AND ${isShown} OFFSET 0) AS found
       CROSS JOIN LATERAL (
         SELECT member.name AS member_name, assistant.name AS assistant_name
         FROM conversation
         JOIN member ON member.company_id = $1 AND member.id = conversation.member_id
         JOIN assistant ON assistant.company_id = $1 AND assistant.id = conversation.assistant_id
           AND assistant.recalls_conversations
         WHERE conversation.company_id = $1 AND conversation.id = found.conversation_id
           AND conversation.member_id = $2 OFFSET 0) AS talk
       CROSS JOIN LATERAL (
         (SELECT id, conversation_id, created_at, author, role FROM message
          WHERE company_id = $1 AND conversation_id = found.conversation_id AND id <= found.id
            AND NOT withheld AND NOT withdrawn AND status <> 'FAILED' AND ${isShown}
          ORDER BY id DESC LIMIT $4 + 1)
         UNION ALL
         (SELECT id, conversation_id, created_at, author, role FROM message
          WHERE company_id = $1 AND conversation_id = found.conversation_id AND id > found.id
            AND NOT withheld AND NOT withdrawn AND status <> 'FAILED' AND ${isShown}
          ORDER BY id LIMIT $4)) AS near
       ORDER BY found.id, near.id`,
      [tx.companyId, memberId, ids, reach],
    );
  }

  /** Ids of messages in these ranges, latest first, at most `limit` per range. */
  async listOfDays(
    tx: Transaction,
    memberId: string,
    days: readonly DayRange[],
    limit: number,
  ): Promise<string[]> {
    return tx.ids(
      `SELECT said.id FROM unnest($3::timestamptz[], $4::timestamptz[]) AS range (first, last)
       CROSS JOIN LATERAL (
         SELECT message.id FROM conversation JOIN message
           ON message.company_id = $1 AND message.conversation_id = conversation.id
         WHERE conversation.company_id = $1 AND conversation.member_id = $2
           AND conversation.updated_at >= range.first AND conversation.created_at < range.last
           AND message.created_at >= range.first AND message.created_at < range.last AND ${isShown}
         ORDER BY message.id DESC LIMIT $5) AS said`,
      [
        tx.companyId,
        memberId,
        days.map(({ from }) => from.toISOString()),
        days.map(({ to }) => to.toISOString()),
        limit,
      ],
    );
  }

  /** A member's newest `limit` messages without an index entry, because no assistant recalls them, or not yet. */
  listUnindexed(tx: Transaction, memberId: string, limit: number): Promise<OwnText[]> {
    return tx.query(
      `${selectTexts} FROM conversation JOIN message AS said
         ON said.company_id = $1 AND said.conversation_id = conversation.id
         AND said.id > coalesce(conversation.indexed_until, '${NIL_ID}')
       WHERE conversation.company_id = $1 AND conversation.member_id = $2
         AND NOT said.withheld AND NOT said.withdrawn AND said.status <> 'FAILED'
       ORDER BY said.id DESC LIMIT $3`,
      [tx.companyId, memberId, limit],
    );
  }

  listOwnTexts(tx: Transaction, memberId: string, ids: readonly string[]): Promise<OwnText[]> {
    return tx.query(
      `${selectTexts} FROM message AS said JOIN conversation
         ON conversation.company_id = $1 AND conversation.id = said.conversation_id AND conversation.member_id = $2
       WHERE said.company_id = $1 AND said.id = ANY ($3)`,
      [tx.companyId, memberId, ids],
    );
  }

  /** The caller has checked access. */
  listTexts(tx: Transaction, ids: readonly string[]): Promise<OwnText[]> {
    const sql = `${selectTexts} FROM message AS said WHERE company_id = $1 AND id = ANY ($2)`;
    return tx.query(sql, [tx.companyId, ids]);
  }
}
