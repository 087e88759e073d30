import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { Assistant } from './assistant.repository.js';
import { CompanyRow } from '../../platform/database/rows.js';

/** A base prompt of an assistant. Versions never change: admins publish a new one, or put an old one back in force. */
@Entity()
@ForeignKey(() => Assistant, ['companyId', 'assistantId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class PromptVersion extends CompanyRow {
  @PrimaryColumn('uuid')
  assistantId!: string;

  /** 1, 2, 3 … in the order of publication. */
  @PrimaryColumn('integer')
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

/** A base prompt: a published version, or the one that ships. */
export type Prompt = Pick<PromptVersion, 'version' | 'template' | 'publishedAt' | 'publishedBy' | 'note'>;
