import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { CompanyRow } from '../../../platform/database/rows.entity.js';

/** A text that many prompts of a member share, such as a system message or a list of tools: stored once. */
@Entity()
@Index('prompt_text_used', ['usedOn'])
@ForeignKey('Member', ['companyId', 'memberId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class PromptText extends CompanyRow {
  @PrimaryColumn('uuid')
  memberId!: string;

  /** SHA-256 of the content, base64url. */
  @PrimaryColumn('text')
  digest!: string;

  @Column('text')
  content!: string;

  /** The last day (UTC) on which a call used it. */
  @Column('date')
  usedOn!: string;
}
