import { readFileSync } from 'node:fs';
import { Injectable } from '@nestjs/common';

import type { AssistantDefinition } from '../assistant-definition.js';
import { Plugins } from '../../../common/plugins.js';
import type { Prompt } from '../prompt-version.entity.js';

/** The base prompt in `<key>.prompt.txt`. It may end in `{skill}`: a loaded skill then changes nothing before it. */
function promptOf(key: string): string {
  return readFileSync(new URL(`./${key}.prompt.txt`, import.meta.url), 'utf8').trimEnd();
}

/** The product's own assistants. Packages bring others. */
export const assistantDefinitions: readonly AssistantDefinition[] = [
  {
    key: 'therese',
    skills: ['remember', 'recall', 'forget_memory', 'search_web', 'read_webpage'],
    name: 'Thérèse',
    language: 'fr',
    strategy: 'REACTIVE',
    budget: { maxSteps: 10, maxSeconds: 120, maxOutputTokens: 4096 },
    remembers: { recallsConversations: true, extractsMemories: true },
    template: promptOf('therese'),
    example: "Retenez que j'envoie les factures le premier lundi du mois.",
  },
  {
    key: 'explorateur',
    skills: ['search_web', 'read_webpage', 'recall'],
    name: 'Explorateur',
    language: 'fr',
    strategy: 'PLANNED',
    budget: { maxSteps: 5, maxSeconds: 45, maxOutputTokens: 4096 },
    template: promptOf('explorateur'),
  },
  {
    key: 'solven',
    skills: [],
    name: 'Solven',
    language: 'es',
    strategy: 'REACTIVE',
    budget: { maxSteps: 10, maxSeconds: 120, maxOutputTokens: 4096 },
    template: promptOf('solven'),
  },
  {
    key: 'bibliotheque',
    skills: [],
    name: '文庫',
    language: 'zh-Hant',
    strategy: 'GROUNDED',
    budget: { maxSteps: 10, maxSeconds: 120, maxOutputTokens: 4096 },
    template: promptOf('bibliotheque'),
  },
];

/** The assistants that every company starts with: the product's and those of plugins. */
@Injectable()
export class ShippedAssistants {
  readonly all: readonly AssistantDefinition[];

  constructor(plugins: Plugins) {
    this.all = [...plugins.assistants, ...assistantDefinitions];
  }

  has(key: string): boolean {
    return this.all.some((assistant) => assistant.key === key);
  }

  /** The keys of the function skills that it is offered at first. Null: all. */
  skillsOf(key: string): ReadonlySet<string> | null {
    const skills = this.all.find((assistant) => assistant.key === key)?.skills;
    return skills ? new Set(skills) : null;
  }

  /**
   * Version 0 is in the code, so that updates reach every company without a published one. Null: not shipped, or no
   * longer.
   */
  promptOf({ key }: { key: string }): Prompt | null {
    const definition = this.all.find((assistant) => assistant.key === key);
    if (!definition) return null;
    return { version: 0, template: definition.template, publishedAt: null, publishedBy: null, note: null };
  }
}
