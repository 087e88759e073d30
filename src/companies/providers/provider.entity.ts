import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { CreatedRow } from '../../platform/database/rows.js';

export const providerApis = ['AUTO', 'CHAT', 'RESPONSES'] as const;
export type ProviderApi = (typeof providerApis)[number];

/** A provider of models that a company has brought. */
@Entity()
@Index('provider_key', ['companyId', 'key'], { unique: true })
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class Provider extends CreatedRow {
  /** What the names of its models begin with, before a slash. */
  @Column('text')
  key!: string;

  @Column('text')
  baseUrl!: string;

  /** Encrypted; null: it asks for none. */
  @Column('text', { nullable: true })
  apiKey!: string | null;

  @Column('text')
  api!: ProviderApi;

  /** What assistants may ask it for; empty: whatever it has. */
  @Column('text', { array: true, default: '{}' })
  models!: string[];
}
