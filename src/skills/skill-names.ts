import { wordingIn } from '../common/wording/wording.js';
import type { NamedSkill } from './skill.js';

/** What people call a skill in a language, BCP 47; English, or as it came, where that has no name for it. */
export function nameIn({ key, kind, name, skill }: NamedSkill, language: string): string {
  const own: Readonly<Record<string, string>> = wordingIn(language).skillNames;
  if (kind === 'FUNCTION' && Object.hasOwn(own, key)) return own[key] ?? name;
  const [subtag = ''] = language.toLowerCase().split(/[-_]/, 1);
  return new Map(Object.entries(skill?.names ?? {})).get(subtag) ?? name;
}
