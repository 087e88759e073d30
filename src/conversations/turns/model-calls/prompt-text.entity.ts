import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A text that many prompts of a member share, such as a system message or a list of tools: stored once. */
@Entity()
@Index('prompt_text_used', ['usedOn'])
@ForeignKey('Member', ['companyId', 'memberId'], ['companyId', 'id'], {
  name: 'prompt_text_member_fkey',
  onDelete: 'CASCADE',
})
export class PromptText {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'prompt_text_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'prompt_text_pkey' })
  memberId!: string;

  /** SHA-256 of the content, base64url. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'prompt_text_pkey' })
  digest!: string;

  @Column('text')
  content!: string;

  /** The last day (UTC) on which a call used it. */
  @Column('date')
  usedOn!: string;
}
