import type { SkillKind } from './skill.entity.js';
import type { Pack, Skill } from './skill.js';

/** What a skill is, whatever its kind and without any company's switches: a model calls it, or it loads it. */
export type CatalogueSkill = {
  key: string;
  kind: SkillKind;
  name: string;
  description: string;
  category: string | null;
  /** Whom it was made for, by the assistants' keys; null: for all. Admins may decide otherwise. */
  assistants: readonly string[] | null;
} & ({ skill: Skill; pack: null } | { skill: null; pack: Pack });

export const callableOf = (
  kind: Exclude<SkillKind, 'INSTRUCTIONS'>,
  skill: Skill,
  category: string | null = null,
): CatalogueSkill => {
  const { key, name, description, assistants = null } = skill;
  return { key, kind, name, description, category, assistants, skill, pack: null };
};

export const instructionsOf = (pack: Pack): CatalogueSkill => {
  const { key, name, description, category, assistants } = pack;
  return { key, kind: 'INSTRUCTIONS', name, description, category, assistants, skill: null, pack };
};

/** What keeps everybody from using a skill, in words for people; null: nothing. */
export const missingFor = (found: CatalogueSkill | null): string | null => {
  if (!found) return 'It is not there any more: no code, folder or server of this installation has this key.';
  return found.skill?.unavailableReason?.() ?? null;
};
