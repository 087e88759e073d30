import type { SkillKind } from './skill.entity.js';
import type { Pack, Skill } from './skill.js';

/** A skill of any kind without a company's switches: the model either calls it or loads it. */
export type CatalogueSkill = {
  key: string;
  kind: SkillKind;
  name: string;
  description: string;
  category: string | null;
  /** Whom it was made for, by the assistants' keys; null: for all. Admins may decide otherwise. */
  assistants: readonly string[] | null;
} & ({ skill: Skill; pack: null } | { skill: null; pack: Pack });

export function callableOf(
  kind: Exclude<SkillKind, 'INSTRUCTIONS'>,
  skill: Skill,
  category: string | null = null,
): CatalogueSkill {
  const { key, name, description, assistants = null } = skill;
  return { key, kind, name, description, category, assistants, skill, pack: null };
}

export function instructionsOf(pack: Pack): CatalogueSkill {
  const { key, name, description, category, assistants } = pack;
  return { key, kind: 'INSTRUCTIONS', name, description, category, assistants, skill: null, pack };
}

/** Why nobody can use a skill now, in words for people; null: it can be used. */
export function unavailabilityOf(found: CatalogueSkill | null): string | null {
  if (!found) return 'It is not there any more: no code, folder or server of this installation has this key.';
  return found.skill?.unavailableReason?.() ?? null;
}
