import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { Assistant } from '../assistant.entity.js';

/** A base prompt of an assistant. Versions are never changed: a new one is published, or an old one put back in force. */
@Entity()
@ForeignKey(() => Assistant, ['companyId', 'assistantId'], ['companyId', 'id'], {
  name: 'prompt_version_assistant_fkey',
  onDelete: 'CASCADE',
})
export class PromptVersion {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'prompt_version_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'prompt_version_pkey' })
  assistantId!: string;

  /** 1, 2, 3 … in the order of publication. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'prompt_version_pkey' })
  version!: number;

  @Column('text')
  template!: string;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  publishedAt!: Date | null;

  @Column('text', { nullable: true })
  publishedBy!: string | null;

  @Column('text', { nullable: true })
  note!: string | null;
}
