import { asArray, asObject, asText, parseJson } from '../json-access.js';
import { resultValue, type ToolResult } from '../tool-result.js';
import { LOAD_SKILL, READ_SKILL_FILE, SEARCH_SKILLS } from './own-tools.js';

const inputOf = ({ arguments: given }: ToolResult) => asObject(parseJson(given) ?? {});

/** The keys that were tried to be loaded since the question. */
export const triedLoads = (results: readonly ToolResult[]): ReadonlySet<string> =>
  new Set(
    results.filter(({ name }) => name === LOAD_SKILL).map((result) => asText(inputOf(result)['skill'])),
  );

/** A file of instructions as far as it was read. */
export interface ReadFile {
  skill: string;
  path: string;
  text: string;
  /** How many of its parts were read, whole or in vain, and how many there are. */
  read: number;
  parts: number;
}

/** The files that were read since the question, each once, its parts together. */
export function filesRead(results: readonly ToolResult[]): ReadFile[] {
  const files = new Map<string, ReadFile>();
  for (const result of results.filter(({ name }) => name === READ_SKILL_FILE)) {
    const input = inputOf(result);
    const [skill, path] = [asText(input['skill']), asText(input['path'])];
    const { text, parts } = asObject(resultValue(result));
    const before = files.get(`${skill}\n${path}`) ?? { skill, path, text: '', read: 0, parts: 1 };
    files.set(`${skill}\n${path}`, {
      ...before,
      text: before.text + asText(text),
      read: before.read + 1,
      parts: typeof parts === 'number' ? parts : before.parts,
    });
  }
  return [...files.values()];
}

export interface FoundSkill {
  key: string;
  description: string;
  use: 'call' | 'load';
}

/** What a search for skills found; null: none was searched for since the question. */
export function foundSkills(results: readonly ToolResult[]): FoundSkill[] | null {
  const searches = results.filter(({ name }) => name === SEARCH_SKILLS);
  if (searches.length === 0) return null;
  return searches
    .flatMap((result) => asArray(asObject(resultValue(result))['found']).map(asObject))
    .map(({ key, description, use }) => ({
      key: asText(key),
      description: asText(description),
      use: use === 'load' ? 'load' : 'call',
    }));
}
