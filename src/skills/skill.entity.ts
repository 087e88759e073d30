import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

export const skillKinds = ['FUNCTION', 'INSTRUCTIONS', 'HTTP', 'MCP'] as const;
export type SkillKind = (typeof skillKinds)[number];

/** One skill as one company has it: what it is comes from the code or the pack, whether it is used from this row. */
@Entity('skill')
@Index('skill_key', ['companyId', 'key'], { unique: true })
export class SkillRow {
  @ForeignKey('Company', { name: 'skill_company_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'skill_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'skill_pkey' })
  id!: string;

  @Column('text')
  key!: string;

  @Column('text')
  kind!: SkillKind;

  /** The model sees a skill only while it is active. */
  @Column('boolean', { default: true })
  active!: boolean;

  /** The turn waits for a person before the skill is carried out. */
  @Column('boolean', { default: false })
  requiresApproval!: boolean;

  /** Whoever asked the question may answer for it; otherwise an admin has to. */
  @Column('boolean', { default: false })
  askerMayApprove!: boolean;
}
