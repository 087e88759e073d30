import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { lastOf, readRequest, resultIn } from './provider-request.js';
import { barrier } from './script-book.js';
import type { StoredPage } from './stored-documents.js';
import type { WireEvent } from './test-client.js';

/** What a model notes of a piece. */
export function findings(more: object = {}): ProviderReply {
  return [
    toolCall('note_findings', { summary: 'Un extrait.', figures: [], esg: [], ...more } as JsonObject),
    finish(),
  ];
}

/** What a scripted provider says of one document, to the assistant and to those who read it. */
export class AnalysisModel {
  /** The pieces that it was asked to read, by number. */
  readonly asked: number[] = [];
  /** How often it was asked to sum up. */
  digests = 0;
  /** What the skill gave the assistant. */
  readonly told: unknown[] = [];
  /** What the assistant calls the skill with. */
  input: JsonObject = { document: 'rapport.pdf' };

  find: (number: number) => ProviderReply = () => findings();
  digest: () => ProviderReply = () => [toolCall('note_summary', { summary: 'Le tout.' }), finish()];

  /** Waits with each of the first pieces until it is opened. */
  holdBack(count: number): { reached: Promise<unknown>; open: () => void } {
    const barriers = Array.from({ length: count }, barrier);
    const steps = barriers.map(({ step }) => step);
    this.find = (number) => [...steps.slice(number - 1, number), ...findings()];
    return {
      reached: Promise.all(barriers.map(({ reached }) => reached)),
      open: () => barriers.forEach(({ open }) => open()),
    };
  }

  reply(body: JsonObject): ProviderReply {
    const task = readRequest(body).tool_choice?.function?.name;
    const last = lastOf(body);
    if (task === 'note_findings') {
      const number = Number(/\(extrait (\d+) sur \d+\)/.exec(last.content)?.[1]);
      this.asked.push(number);
      return this.find(number);
    }
    if (task === 'note_summary') {
      this.digests += 1;
      return this.digest();
    }
    if (last.role === 'tool') {
      this.told.push(resultIn(last.content));
      return [text('Voilà.'), finish()];
    }
    return [toolCall('analyze_document', this.input), finish()];
  }
}

/** How the skill ended in a turn. */
export function skillResultIn(events: readonly WireEvent[]): WireEvent | undefined {
  return events.find(({ __typename }) => __typename === 'SkillFinished');
}

/** So many pages, each of which is a piece. */
export function longPages(count: number): StoredPage[] {
  return Array.from({ length: count }, (_, index) => ({
    page: index + 1,
    text: `Page ${index + 1} : le site a consommé ${index + 1}00 kWh.`,
    tokens: 5_000,
  }));
}

/** A document of two pages in one piece, and what a model may find in it. */
export const report: StoredPage[] = [
  { page: 1, text: '# Rapport RSE 2024\n\nNous avons consommé **12 400 kWh** d’électricité en 2024.' },
  { page: 2, text: 'Les femmes sont 52 % de l’effectif. Le prélèvement d’eau est relevé chaque mois.' },
];
export const energy = {
  label: 'Électricité 2024',
  value: '12 400',
  unit: 'kWh',
  page: 1,
  quote: 'Nous avons consommé 12 400 kWh d’électricité en 2024.',
};
export const women = { code: 'S08', page: 2, quote: 'Les femmes sont 52 % de l’effectif.' };
export const water = { code: 'E08', page: 2, quote: 'Le prélèvement d’eau est relevé chaque mois.' };
