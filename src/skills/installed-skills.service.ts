import { type CatalogueSkill, isReservedSkillKey, type Skill } from './skill.js';

/** Where skills of the installation come from: code, packs in folders, the operator's MCP servers. */
export interface SkillSource {
  /** What it has at this moment. `revision` changes whenever the list does. */
  current(): Promise<{ revision: number; list(): CatalogueSkill[] }>;
  /** Whether a skill of this name, in lower case, may still come: its server is not connected yet. */
  mayHaveLater?(name: string): boolean;
}

/** In order of precedence: of several skills with one key the last kind wins. */
const sourceKinds = ['INSTRUCTIONS', 'MCP', 'FUNCTION'] as const;
type SourceKind = (typeof sourceKinds)[number];

/** The skills of the installation, whatever the company. Sources register here. */
export class InstalledSkills {
  private readonly sources = new Map<SourceKind, SkillSource>();
  private merged = new Map<string, CatalogueSkill>();
  private state = '';

  /** `off` are the names of SKILLS_OFF: keys, `folder/*` or `*`, in lower case. */
  constructor(private readonly off: readonly string[]) {}

  /** Called before the application has started. */
  register(kind: SourceKind, source: SkillSource): void {
    this.sources.set(kind, source);
  }

  /** By key, as folders and servers are at this moment. */
  async current(): Promise<ReadonlyMap<string, CatalogueSkill>> {
    const sources = sourceKinds.flatMap((kind) => this.sources.get(kind) ?? []);
    const found = await Promise.all(sources.map((source) => source.current()));
    const state = found.map(({ revision }) => revision).join(' ');
    if (state !== this.state) {
      const skills = found.flatMap((source) => source.list()).filter(({ key }) => !isReservedSkillKey(key));
      this.merged = new Map(skills.map((skill) => [skill.key, skill]));
      this.state = state;
    }
    return this.merged;
  }

  /** By key, as of the last look. Starts another look in the background. */
  get known(): ReadonlyMap<string, CatalogueSkill> {
    void this.current();
    return this.merged;
  }

  /** A skill that is code, as of the last look. */
  findFunction(key: string): Skill | null {
    const found = this.merged.get(key);
    return found?.kind === 'FUNCTION' ? found.skill : null;
  }

  /** Whether companies have it switched on until they decide otherwise. */
  isOnByDefault(skill: CatalogueSkill): boolean {
    return !this.off.some((name) => isNameOf(name, skill));
  }

  /** Names in SKILLS_OFF that match no skill, such as a typing error. */
  async listUnknownNames(): Promise<string[]> {
    const skills = [...(await this.current()).values()];
    return this.off.filter(
      (name) =>
        !skills.some((skill) => isNameOf(name, skill)) &&
        ![...this.sources.values()].some((source) => source.mayHaveLater?.(name)),
    );
  }
}

/** Whether a name in SKILLS_OFF is the skill's key or a folder around it. */
function isNameOf(name: string, { key, category }: CatalogueSkill): boolean {
  return (
    name === '*' ||
    name === key.toLowerCase() ||
    foldersOf(category).some((folder) => name === `${folder.toLowerCase()}/*`)
  );
}

/** `a` and `a/b` of `a/b`. */
function foldersOf(category: string | null): string[] {
  const folders = category?.split('/') ?? [];
  return folders.map((_, index) => folders.slice(0, index + 1).join('/'));
}
