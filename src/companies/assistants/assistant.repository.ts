import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { ReasoningEffort } from '@palabre/llm-client';
import { Injectable } from '@nestjs/common';

import type { RetrievalChoice, Strategy, AssistantDefinition } from './assistant-definition.js';
import { IdentifiedRow, rowsOf } from '../../platform/database/rows.js';
import { newId } from '../../common/ids.js';
import { awaitAll, type Transaction } from '../../platform/database/transaction.js';

/** A persona of the agent, as one company has configured it. */
@Entity()
@Index('assistant_key', ['companyId', 'key'], { unique: true })
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class Assistant extends IdentifiedRow {
  @Column('text')
  key!: string;

  @Column('text')
  name!: string;

  /** BCP 47. */
  @Column('text')
  language!: string;

  @Column('text')
  strategy!: Strategy;

  /** A model of the installation's provider, or `provider/model` of one of the company's; null: the installation's default. */
  @Column('text', { nullable: true })
  model!: string | null;

  /** The reasoning effort of its model. Null: the model's own. */
  @Column('text', { nullable: true })
  reasoningEffort!: ReasoningEffort | null;

  @Column('integer')
  maxSteps!: number;

  @Column('integer')
  maxSeconds!: number;

  @Column('integer')
  maxOutputTokens!: number;

  /** For turns that continue in the background, which PLANNED ones may do. */
  @Column('integer', { default: 30 })
  backgroundMaxSteps!: number;

  @Column('integer', { default: 900 })
  backgroundMaxSeconds!: number;

  /** The asker's earlier messages are searched for every question, and the relevant ones given to the model. */
  @Column('boolean', { default: false })
  recallsConversations!: boolean;

  /** After each turn, facts of lasting use are stored as memories. */
  @Column('boolean', { default: false })
  extractsMemories!: boolean;

  /** The reasoning that its model reveals is streamed and stored with the answer. */
  @Column('boolean', { default: false })
  showsReasoning!: boolean;

  /** For GROUNDED assistants: search documents before every answer, or when the model asks for it. */
  @Column('text', { default: 'FORCED' })
  retrieval!: RetrievalChoice;

  /** The published version in force; null: the prompt that ships with Palabre. */
  @Column('integer', { nullable: true })
  promptVersion!: number | null;

  /** The keys of the skills that it may use, among those for it. Null: all. */
  @Column('text', { array: true, nullable: true })
  skills!: string[] | null;

  /** An archived assistant begins no more turns. */
  @Column('boolean', { default: false })
  archived!: boolean;

  /** The key of the original, at the end of a chain of copies. Null: not a copy. */
  @Column('text', { nullable: true })
  copiedFrom!: string | null;
}

@Injectable()
export class AssistantRepository extends rowsOf(Assistant) {
  /** Adds the assistants that the company does not have yet. */
  async addMissing(tx: Transaction, definitions: readonly AssistantDefinition[]): Promise<void> {
    await awaitAll(
      definitions.map(({ key, name, language, strategy, budget, remembers }) => {
        const row = { id: newId(), key, name, language, strategy, ...budget, ...remembers };
        return this.insert(tx, row, 'ON CONFLICT DO NOTHING');
      }),
    );
  }

  async isArchived(tx: Transaction, id: string): Promise<boolean> {
    const found = await tx.one<{ archived: boolean }>(
      'SELECT archived FROM assistant WHERE company_id = $1 AND id = $2',
      [tx.companyId, id],
    );
    return found?.archived ?? false;
  }
}
