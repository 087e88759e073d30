import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The record that a company was erased. It outlives the company; only operators see it. */
@Entity()
@Index('company_erasure_slug', ['slug'], { unique: true })
export class CompanyErasure {
  /** The company's id. */
  @PrimaryColumn('uuid')
  id!: string;

  /** The company's name in tokens. Never given to another company: old tokens may still be valid. */
  @Column('text')
  slug!: string;

  /** The operator's member id, or `command`. */
  @Column('text')
  requestedBy!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  requestedAt!: Date;

  /** Null: not all data are deleted yet. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null;
}
