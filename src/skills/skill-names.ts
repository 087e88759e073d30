import type { PackRemark } from '@palabre/skill-pack';

import { fill, wordingIn } from '../common/wording/wording.js';
import type { DescribedSkill, NamedSkill } from './skill.js';

/** A skill's name in a language (BCP 47), else in English or as given. */
export function nameIn({ key, kind, name, skill }: NamedSkill, language: string): string {
  return ownWords(kind, key, wordingIn(language).skillNames) ?? broughtWords(skill?.names, language) ?? name;
}

/** A skill's description in a language, else in English, else the one for models. */
export function descriptionIn({ key, kind, description, skill }: DescribedSkill, language: string): string {
  const own = ownWords(kind, key, wordingIn(language).skillDescriptions);
  const words = skill?.descriptions;
  return own ?? broughtWords(words, language) ?? broughtWords(words, 'en') ?? description;
}

/** A warning about a pack for its author, in a language. */
export function packRemarkIn({ code, values }: PackRemark, language: string): string {
  return fill(wordingIn(language).packRemarks[code], values);
}

/** The texts of a function of the product. */
function ownWords(
  kind: NamedSkill['kind'],
  key: string,
  words: Readonly<Record<string, string>>,
): string | undefined {
  return kind === 'FUNCTION' && Object.hasOwn(words, key) ? words[key] : undefined;
}

function broughtWords(
  words: Readonly<Record<string, string>> | undefined,
  language: string,
): string | undefined {
  const [subtag = ''] = language.toLowerCase().split(/[-_]/, 1);
  return new Map(Object.entries(words ?? {})).get(subtag);
}
