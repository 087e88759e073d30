import { Column, PrimaryColumn } from 'typeorm';

/** What every company's row begins with. */
export abstract class CompanyRow {
  @PrimaryColumn('uuid')
  companyId!: string;
}

/** A row with an id of its own, which is unique in the whole installation. Later rows have larger ids. */
export abstract class IdentifiedRow extends CompanyRow {
  @PrimaryColumn('uuid')
  id!: string;
}

export abstract class CreatedRow extends IdentifiedRow {
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
