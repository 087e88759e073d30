import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { CreatedRow } from '../../platform/database/rows.js';

export const providerApis = ['AUTO', 'CHAT', 'RESPONSES'] as const;
export type ProviderApi = (typeof providerApis)[number];

/** A company's own provider of models. */
@Entity()
@Index('provider_key', ['companyId', 'key'], { unique: true })
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class Provider extends CreatedRow {
  /** The prefix of its models' names, before a slash. */
  @Column('text')
  key!: string;

  @Column('text')
  baseUrl!: string;

  /** Encrypted. Null: no key. */
  @Column('text', { nullable: true })
  apiKey!: string | null;

  @Column('text')
  api!: ProviderApi;

  /** The models that assistants may use. Empty: all. */
  @Column('text', { array: true, default: '{}' })
  models!: string[];
}
