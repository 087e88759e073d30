import { createHash } from 'node:crypto';

import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { Conversation } from './conversation.entity.js';
import type { StoredPart } from './message-part.js';
import { CreatedRow } from '../platform/database/rows.entity.js';

export const messageRoles = ['USER', 'ASSISTANT'] as const;
export type MessageRole = (typeof messageRoles)[number];

const messageStatuses = ['COMPLETE', 'INTERRUPTED', 'FAILED'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** A source of an answer: `marker` is the n of its [n] in the text. `score` is 0 to 1. */
export interface Citation {
  marker: number;
  documentId: string;
  documentName: string;
  page: number | null;
  quote: string;
  score: number;
}

/** By which an answer is found that a client sends back, with or without the blanks around it. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text.trim()).digest('base64url');
}

/** Ids are assigned when the turn is created: their order holds also when a question came before an earlier answer. */
@Entity()
@Index('message_order', ['companyId', 'conversationId', 'id'])
@Index('message_branch', ['companyId', 'branchId', 'id'])
// Every turn of a conversation with attachments looks for those of its path.
@Index('message_attached', ['companyId', 'branchId', 'id'], { where: `"attachment_ids" IS NOT NULL` })
@Index('message_digest', ['companyId', 'textDigest'], { where: `"text_digest" IS NOT NULL` })
@ForeignKey(() => Conversation, ['companyId', 'conversationId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class Message extends CreatedRow {
  @Column('uuid')
  conversationId!: string;

  /** See ConversationBranch; the conversation's id in the first branch. */
  @Column('uuid')
  branchId!: string;

  /** Null for imported history. No foreign key, as the turn's row refers to its messages; both go with the conversation. */
  @Column('uuid', { nullable: true })
  turnId!: string | null;

  @Column('text')
  role!: MessageRole;

  @Column('text')
  status!: MessageStatus;

  @Column('text')
  text!: string;

  /** Of an answer: see `digestOf`. Null for questions, and for answers of earlier versions. */
  @Column('text', { nullable: true, select: false })
  textDigest?: string | null;

  /** What it consists of; null: the text alone. */
  @Column('jsonb', { nullable: true })
  parts!: StoredPart[] | null;

  /** What a question was asked with, in order; null: nothing. Some may be deleted by now. */
  @Column('uuid', { array: true, nullable: true })
  attachmentIds!: string[] | null;

  @Column('jsonb', { default: [] })
  citations!: Citation[];

  /** The author's name in the system that it was imported from; null: it was said here. */
  @Column('text', { nullable: true })
  author!: string | null;

  /** As it is off the record, what was learned from it was forgotten, or its turn was cancelled. */
  @Column('boolean', { default: false })
  withheld!: boolean;

  /** What was said was taken out of it, as it is another member's: see hiddenMessage. Not stored. */
  hidden?: true;
}
