import type { SkillRow } from './skill.entity.js';
import type { SkillEffect } from './skill.js';

/** Who is asked before a skill is carried out, as a company has it. */
export interface ApprovalSetting {
  /** Whether somebody is, as an admin has decided; null: none has. */
  required: boolean | null;
  /** Whether whoever asked the question may answer, and not only admins. */
  askerMayApprove: boolean;
}

/**
 * Who may answer is an admin's to say together with that somebody is asked. Where it is the product that asks, it wants
 * to know whether the asker means it.
 */
export function approvalSettingOf({
  requiresApproval: required,
  askerMayApprove,
}: Pick<SkillRow, 'requiresApproval' | 'askerMayApprove'>): ApprovalSetting {
  return {
    required,
    askerMayApprove: required === null || askerMayApprove,
  };
}

/** Whether a person is asked before each call: as an admin has decided, or else where it may change something elsewhere. */
export function isApprovalRequired(
  required: boolean | null,
  { changes }: Pick<SkillEffect, 'changes'>,
): boolean {
  return required ?? changes === 'ELSEWHERE';
}
