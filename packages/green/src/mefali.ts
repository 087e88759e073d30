import { readFileSync } from 'node:fs';

import type { AssistantDefinition } from '@palabre/plugin';

const template = readFileSync(new URL('../data/mefali.txt', import.meta.url), 'utf8').trim();

export const mefali: AssistantDefinition = {
  key: 'mefali',
  skills: [
    'calculate_carbon_footprint',
    'calculate_esg_score',
    'find_green_financing',
    'generate_report',
    'update_company_profile',
  ],
  name: 'Mefali',
  language: 'fr',
  strategy: 'REACTIVE',
  budget: { maxSteps: 10, maxSeconds: 120, maxOutputTokens: 4096 },
  template,
  example:
    "Quelle est l'empreinte carbone de 12 000 kWh d'électricité au Sénégal et 3 500 litres de gazole ?",
};
