/** What the agent's loop carries out itself: to load instructions, to read their files and to search for skills. */
export const LOAD_SKILL = 'load_skill';
export const READ_SKILL_FILE = 'read_skill_file';
export const SEARCH_SKILLS = 'search_skills';

const own: ReadonlySet<string> = new Set([LOAD_SKILL, READ_SKILL_FILE, SEARCH_SKILLS]);

export const isOwnTool = (name: string): boolean => own.has(name);
