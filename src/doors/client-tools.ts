import { isJsonObject, type JsonObject } from '@palabre/json';

import type { Turn } from '../conversations/turns/turn.entity.js';

/** Far more than a turn may have: of these, startTurn says how many. */
export const MAX_TOOLS = 128;

/** A tool of a front end, as protocols describe it. */
export interface ClientTool {
  name: string;
  description?: string | null | undefined;
  /** JSON Schema. */
  parameters?: JsonObject | null | undefined;
}

/** For startTurn. */
export function clientSkill(key: string, { name, description, parameters }: ClientTool) {
  return {
    key,
    description: description?.trim() || name,
    parameters: parameters ?? { type: 'object', properties: {} },
  };
}

/** A front end's tools as client skills, whose keys are stricter than most tools' names. */
export class ClientTools {
  private readonly names = new Map<string, string>();
  readonly skills: ReturnType<typeof clientSkill>[];

  constructor(tools: readonly ClientTool[]) {
    this.skills = tools.map((tool) => clientSkill(this.keyFor(tool.name), tool));
  }

  /** The tools' own names by their keys, to be kept with the turn: a response that is resumed later tells them too. */
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

/** The name that the client of a turn has given to a tool of its own; null: the skill is not the client's. */
export function toolNameOf({ client, clientSkills }: Turn, key: string): string | null {
  if (!clientSkills?.some((skill) => skill.key === key)) return null;
  const names = client?.echo['toolNames'];
  const name = isJsonObject(names) ? names[key] : undefined;
  return typeof name === 'string' ? name : key;
}
