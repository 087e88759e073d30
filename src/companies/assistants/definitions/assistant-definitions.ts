import { readFileSync } from 'node:fs';

import type { AssistantDefinition } from '../assistant-definition.js';

/** The base prompt in `<key>.prompt.txt`. It may end in `{skill}`: a loaded skill then changes nothing before it. */
function promptOf(key: string): string {
  return readFileSync(new URL(`./${key}.prompt.txt`, import.meta.url), 'utf8').trimEnd();
}

/** The assistants that come with the product itself; packages bring others. */
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
