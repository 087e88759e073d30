import { isJsonObject, type JsonObject } from '@palabre/json';

import type { Turn } from '../conversations/turns/turn.entity.js';

/** Far above startTurn's limit, which decides. */
export const MAX_TOOLS = 128;

/** In the history that a front end sends with each question. */
export const MAX_MESSAGES = 10_000;

/** A front end's tool, in the form of protocols. */
interface ClientTool {
  name: string;
  description?: string | null | undefined;
  /** JSON Schema. */
  parameters?: JsonObject | null | undefined;
}

/** The skill for startTurn. */
export function clientSkill(key: string, { name, description, parameters }: ClientTool) {
  return {
    key,
    description: description?.trim() || name,
    parameters: parameters ?? { type: 'object', properties: {} },
  };
}

/** A front end's tools as client skills. Skill keys are stricter than most tool names. */
export class ClientTools {
  private readonly names = new Map<string, string>();
  readonly skills: ReturnType<typeof clientSkill>[];

  constructor(tools: readonly ClientTool[]) {
    this.skills = tools.map((tool) => clientSkill(this.keyFor(tool.name), tool));
  }

  /** The tools' own names by key, stored with the turn for responses that are resumed later. */
  get namesByKey(): JsonObject {
    return Object.fromEntries(this.names);
  }

  private keyFor(name: string): string {
    const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
    const plain = words.replaceAll(/[^a-z\d_]+/g, '_').slice(0, 60);
    const base = /^[a-z].+$/.test(plain) ? plain : `tool_${plain}`.slice(0, 60);
    let key = base;
    for (let n = 2; this.names.has(key); n += 1) key = `${base}_${n}`;
    this.names.set(key, name);
    return key;
  }
}

/** The client's name for its own tool. Null: not a skill of the client. */
export function toolNameOf({ client, clientSkills }: Turn, key: string): string | null {
  if (!clientSkills?.some((skill) => skill.key === key)) return null;
  const names = client?.echo['toolNames'];
  const name = isJsonObject(names) ? names[key] : undefined;
  return typeof name === 'string' ? name : key;
}
