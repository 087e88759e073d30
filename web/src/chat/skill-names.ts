import { useQuery } from 'urql';

import { language, t } from '../i18n/catalogue.js';
import { skillNamesQuery } from './conversation-operations.js';

/** Those that every assistant has, by which it finds and loads the others. They are in no list. */
const OWN = ['load_skill', 'read_skill_file', 'search_skills'] as const;

/** What skills are called, by their keys. One that is gone is called as its key. */
export function useSkillNames(): (skill: string) => string {
  const [{ data }] = useQuery({ query: skillNamesQuery, variables: { language: language() } });
  return (skill) => {
    const own = OWN.find((key) => key === skill);
    return own ? t(`steps.${own}`) : (data?.skills.find(({ key }) => key === skill)?.name ?? skill);
  };
}
