import { Column, Entity, PrimaryColumn } from 'typeorm';

import type { ModelCallPurpose } from '../turn-event.js';
import type { StoredMessage } from './stored-messages.js';

/**
 * One call of a model: what it was sent, and what it used up. In partitions by the turn's day, like events, and kept as
 * long as they are.
 */
@Entity()
export class ModelCall {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'model_call_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'model_call_pkey' })
  turnId!: string;

  /** A turn's own sort as they were begun; those made beside it lie between them. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'model_call_pkey' })
  id!: string;

  @Column('text')
  purpose!: ModelCallPurpose;

  @Column('text')
  model!: string;

  /**
   * How many messages at the beginning are those of the turn's own call before this one, which are not stored again: none
   * for a call that was made beside the turn, nor for the first of an attempt.
   */
  @Column('integer')
  kept!: number;

  @Column('jsonb')
  messages!: StoredMessage[];

  /** The digest of their text; empty when there were none. */
  @Column('text')
  tools!: string;

  @Column('integer')
  inputTokens!: number;

  /** With those of its reasoning. */
  @Column('integer')
  outputTokens!: number;

  @Column('integer')
  cachedInputTokens!: number;

  @Column('integer')
  reasoningTokens!: number;

  /** Who counted. */
  @Column('text')
  source!: 'PROVIDER' | 'ESTIMATED';

  /** Null: the model has no price in the table. */
  @Column('double precision', { nullable: true })
  costUsd!: number | null;

  /** The model's reason to stop, or the code of what went wrong. */
  @Column('text')
  outcome!: string;

  @Column('integer')
  durationMs!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  at!: Date;
}
