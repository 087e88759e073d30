import type { JsonObject } from '../common/json.js';

/** A tool of a front end, as protocols describe it. */
export interface ClientTool {
  name: string;
  description: string;
  /** JSON Schema. */
  parameters: JsonObject;
}

/** A front end's tools as client skills, whose keys are stricter than most tools' names. */
export class ClientTools {
  private readonly names = new Map<string, string>();
  private readonly tools: (ClientTool & { key: string })[];

  constructor(tools: readonly ClientTool[]) {
    this.tools = tools.map((tool) => ({ ...tool, key: this.keyFor(tool.name) }));
  }

  /** For startTurn. */
  get skills(): { key: string; description: string; parameters: JsonObject }[] {
    return this.tools.map(({ key, name, description, parameters }) => ({
      key,
      description: description.trim() || name,
      parameters,
    }));
  }

  isTool(key: string): boolean {
    return this.names.has(key);
  }

  /** The tool's own name; that of any other skill is its key. */
  nameOf(key: string): string {
    return this.names.get(key) ?? key;
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
