import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import type { RetrievalChoice, Strategy } from './assistant-definition.js';

/** A configured persona of the agent, as one company has it. */
@Entity()
@Index('assistant_key', ['companyId', 'key'], { unique: true })
export class Assistant {
  @ForeignKey('Company', { name: 'assistant_company_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'assistant_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'assistant_pkey' })
  id!: string;

  @Column('text')
  key!: string;

  @Column('text')
  name!: string;

  /** BCP 47. */
  @Column('text')
  language!: string;

  @Column('text')
  strategy!: Strategy;

  /** Null: the installation's default model. */
  @Column('text', { nullable: true })
  model!: string | null;

  @Column('integer')
  maxSteps!: number;

  @Column('integer')
  maxSeconds!: number;

  @Column('integer')
  maxOutputTokens!: number;

  /** For turns that go on in the background: PLANNED ones. */
  @Column('integer', { default: 30 })
  backgroundMaxSteps!: number;

  @Column('integer', { default: 900 })
  backgroundMaxSeconds!: number;

  /** Earlier messages of the asker's are looked up for every question, and those that bear on it are told to the model. */
  @Column('boolean', { default: false })
  recallsConversations!: boolean;

  /** What a turn tells of lasting use is noted as memories once it has ended. */
  @Column('boolean', { default: false })
  extractsMemories!: boolean;

  /** Of a GROUNDED one: whether the documents are searched before every answer, or when the model asks for it. */
  @Column('text', { default: 'FORCED' })
  retrieval!: RetrievalChoice;

  /** The published version in force; null: the prompt that ships with the product. */
  @Column('integer', { nullable: true })
  promptVersion!: number | null;
}
