/** What the agent's loop offers a model under these names is its own: no skill can have one of them as its key. */
export const reservedSkillKeys = [
  'load_skill',
  'read_skill_file',
  'search_skills',
  'synthesize_answer',
  'continue_in_background',
] as const;

export type ReservedKey = (typeof reservedSkillKeys)[number];

const reserved: ReadonlySet<string> = new Set(reservedSkillKeys);

export const isReservedSkillKey = (key: string): boolean => reserved.has(key);
