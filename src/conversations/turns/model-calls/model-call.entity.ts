import { Column, Entity, PrimaryColumn } from 'typeorm';

import type { ModelCallPurpose } from '../turn-event.js';
import type { StoredMessage } from './stored-prompts.js';
import { CompanyRow } from '../../../platform/database/rows.js';

/** Partitioned by the turn's day and kept as long as events. */
@Entity()
export class ModelCall extends CompanyRow {
  @PrimaryColumn('uuid')
  turnId!: string;

  /** Ordered by start. Calls made beside the turn lie between the turn's own. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  purpose!: ModelCallPurpose;

  @Column('text')
  model!: string;

  /**
   * The number of leading messages shared with the turn's previous call, which are not stored again. 0 for calls
   * beside it and the first of an attempt.
   */
  @Column('integer')
  kept!: number;

  @Column('jsonb')
  messages!: StoredMessage[];

  /** The digest of the tools' text; empty when there were none. */
  @Column('text')
  tools!: string;

  @Column('integer')
  inputTokens!: number;

  /** Includes reasoning tokens. */
  @Column('integer')
  outputTokens!: number;

  @Column('integer')
  cachedInputTokens!: number;

  @Column('integer')
  reasoningTokens!: number;

  /** Who counted the tokens. */
  @Column('text')
  source!: 'PROVIDER' | 'ESTIMATED';

  /** Null: the model has no price in the table. */
  @Column('double precision', { nullable: true })
  costUsd!: number | null;

  /** The model's finish reason, or an error code. */
  @Column('text')
  outcome!: string;

  @Column('integer')
  durationMs!: number;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  at!: Date;
}
