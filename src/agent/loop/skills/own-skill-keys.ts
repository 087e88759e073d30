import type { ReservedKey } from '../../../skills/definitions/reserved-keys.js';

/** What the loop carries out itself, so that a model finds skills and loads instructions. */
export const LOAD_SKILL = 'load_skill' satisfies ReservedKey;
export const READ_SKILL_FILE = 'read_skill_file' satisfies ReservedKey;
export const SEARCH_SKILLS = 'search_skills' satisfies ReservedKey;

/** What the instructions themselves are read as, in parts, where they are too long to be loaded whole. */
export const INSTRUCTIONS_FILE = 'SKILL.md';
