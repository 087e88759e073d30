import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '@palabre/json';

import type { ForeignTextPolicy } from './company-input.js';

/** A tenant. Its id is the `company_id` of every other row. */
@Entity()
@Index('company_slug', ['slug'], { unique: true })
@Check('company_headcount', '"headcount" >= 0')
export class Company {
  @PrimaryColumn('uuid')
  id!: string;

  /** The name of the company in tokens. */
  @Column('text')
  slug!: string;

  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  sector!: string | null;

  /** ISO 3166-1 alpha-2. */
  @Column('text', { nullable: true })
  country!: string | null;

  @Column('text', { nullable: true })
  city!: string | null;

  @Column('integer', { nullable: true })
  headcount!: number | null;

  @Column('double precision', { nullable: true })
  revenueAmount!: number | null;

  /** ISO 4217; null exactly when there is no amount. */
  @Column('text', { nullable: true })
  revenueCurrency!: string | null;

  @Column('text', { array: true, default: '{}' })
  environmentalPractices!: string[];

  @Column('text', { array: true, default: '{}' })
  declaredGoals!: string[];

  @Column('jsonb', { default: {} })
  attributes!: JsonObject;

  /** BCP 47. */
  @Column('text', { default: 'fr' })
  language!: string;

  @Column('text', { default: 'ASK' })
  foreignTextPolicy!: ForeignTextPolicy;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
