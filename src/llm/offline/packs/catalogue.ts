/** Instructions that a prompt names, to be loaded. */
export interface ToldPack {
  key: string;
  /** Empty where there are so many that the prompt has room for their keys alone. */
  description: string;
  category: string | null;
}

/** Instructions that were loaded since the question: the prompt holds them. */
export interface LoadedPack {
  key: string;
  body: string;
  files: readonly string[];
}

export interface Catalogue {
  packs: readonly ToldPack[];
  /** Categories whose keys are not told either, each with how many it has. */
  groups: readonly string[];
  loaded: readonly LoadedPack[];
}

/** Headings that the agent's loop puts over its catalogue, in the languages it has: known by their whole wording. */
const heading =
  /^### (?:Modes opératoires|Skills to be loaded|Habilidades que se cargan|作業指引)$[^]*?(?=^#{1,3} |(?![^]))/mu;
const block = /^<skill_content name="([^"\n]*)">\n([^]*?)^<\/skill_content>$/gmu;
const resources = /\n<skill_resources>\n([^]*?)\n<\/skill_resources>\s*$/u;
const described = /^- \*\*([^*\n]+)\*\*: (.*)$/u;
const listed = /^- (.+?) \((\d+)\)(?:: (.+))?$/u;

/** A prompt without what it says of instructions, loaded or to be loaded. */
export const withoutPacks = (prompt: string): string => prompt.replaceAll(block, '').replace(heading, '');

export function catalogueIn(prompt: string): Catalogue {
  const loaded = Array.from(prompt.matchAll(block), ([, key = '', text = '']): LoadedPack => {
    const files = (resources.exec(text)?.[1] ?? '').split('\n').map((line) => line.replace(/^- /, ''));
    return { key, body: text.replace(resources, ''), files: files.filter((path) => path !== '') };
  });
  const packs: ToldPack[] = [];
  const groups: string[] = [];
  let category: string | null = null;
  for (const line of (heading.exec(prompt.replaceAll(block, ''))?.[0] ?? '').split('\n')) {
    category = /^#### (.+)$/u.exec(line)?.[1] ?? category;
    const [, key, description = ''] = described.exec(line) ?? [];
    const [, name = '', count = '', keys] = (key === undefined && listed.exec(line)) || [];
    if (key !== undefined) packs.push({ key, description, category });
    else if (keys !== undefined)
      packs.push(...keys.split(', ').map((each) => ({ key: each, description: '', category: name })));
    else if (name !== '') groups.push(`${name} (${count})`);
  }
  return { packs, groups, loaded };
}
