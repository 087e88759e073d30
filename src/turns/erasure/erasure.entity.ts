import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Texts that were forgotten and are being erased from what turns keep. It holds them itself, and goes when they are. */
@Entity()
@Index('erasure_owner', ['companyId', 'ownerId'])
@ForeignKey('Member', ['companyId', 'ownerId'], ['companyId', 'id'], {
  name: 'erasure_owner_fkey',
  onDelete: 'CASCADE',
})
export class Erasure {
  @ForeignKey('Company', { name: 'erasure_company_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'erasure_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'erasure_pkey' })
  id!: string;

  /** Whose turns may have been told of them; null: all of the company's. */
  @Column('uuid', { nullable: true })
  ownerId!: string | null;

  /** What is erased wherever it stands. */
  @Column('text', { array: true })
  texts!: string[];

  /** What is erased only where memories stand. */
  @Column('text', { array: true })
  shortTexts!: string[];

  /** Turns that had ended by then knew nothing of them. */
  @Column({ type: 'timestamptz', precision: 3 })
  since!: Date;

  /** The last conversation whose turns are done with; null: none is. */
  @Column('uuid', { nullable: true })
  cursor!: string | null;

  /** The turns that were under way, which are looked at again once they have ended; null: nobody has looked yet. */
  @Column('uuid', { array: true, nullable: true })
  late!: string[] | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
