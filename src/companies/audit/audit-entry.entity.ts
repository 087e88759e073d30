import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { JsonObject } from '@palabre/json';

import { CreatedRow } from '../../platform/database/rows.entity.js';

/** Who changed what, and when. Rows are never changed but to anonymize an erased member. */
@Entity()
@Index('audit_entry_member', ['companyId', 'memberId', 'id'])
// By what stands before the dot of the action, which no decorator can say.
@Index('audit_entry_noun', { synchronize: false })
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class AuditEntry extends CreatedRow {
  @Column('uuid')
  memberId!: string;

  /** `noun.verb`, such as `skill.activated`. */
  @Column('text')
  action!: string;

  /** What was changed: a skill's key, a company's id. */
  @Column('text')
  subject!: string;

  @Column('jsonb', { default: {} })
  details!: JsonObject;
}
