import { describe, expect, it } from '@jest/globals';
import { questionOf } from './follow-up.js';
import type { Question } from './message.js';
import { type Choice, chooseTools } from './tool-choice.js';
import { profileOf } from './tool-profile.js';

const footprint = profileOf({
  name: 'calculate_footprint',
  description: 'Calculates the carbon footprint of electricity and fuels.',
  parameters: {
    type: 'object',
    required: ['items'],
    properties: {
      country: { type: 'string', description: 'ISO 3166-1 alpha-2' },
      items: {
        type: 'array',
        items: {
          type: 'object',
          required: ['kind', 'quantity', 'unit'],
          properties: {
            kind: { type: 'string', enum: ['electricity', 'diesel'] },
            quantity: { type: 'number' },
            unit: { type: 'string', enum: ['kWh', 'litre'] },
          },
        },
      },
    },
  },
});
const choose = (question: Question): readonly Choice[] => chooseTools(question, [footprint], []);
const textAfter = (earlier: [question: string, answer: string][], message: string): string =>
  questionOf(
    earlier.map(([question, answer]) => ({ question, answer })),
    message,
    choose,
  ).text;

const asked: [string, string] = ['Empreinte de 12 kWh au Sénégal ?', '6 kgCO2e.'];

describe('questionOf', () => {
  it.each<[string, [string, string][], string, string]>([
    [
      'an addition',
      [asked],
      'et avec 3 litres de gazole ?',
      'Empreinte de 12 kWh au Sénégal ?\net avec 3 litres de gazole ?',
    ],
    ['another country', [asked], 'et au Mali ?', 'Empreinte de 12 kWh au Mali ?\net au Mali ?'],
    [
      'a question that begins like a Spanish «and»',
      [asked],
      'Y a-t-il un bilan pour le Bénin ?',
      'Y a-t-il un bilan pour le Bénin ?',
    ],
    ['another country, in Chinese', [asked], '那在肯亞呢？', 'Empreinte de 12 kWh au 肯亞 ?\n那在肯亞呢？'],
    ['a new question', [asked], 'Empreinte de 5 litres de gazole ?', 'Empreinte de 5 litres de gazole ?'],
    [
      'a follow-up past thanks',
      [asked, ['Merci', 'Avec plaisir.']],
      'et au Mali ?',
      'Empreinte de 12 kWh au Mali ?\net au Mali ?',
    ],
    ['an answer', [['Mon empreinte ?', 'Combien de kWh ?']], '12 kWh', 'Mon empreinte ?\n12 kWh'],
    ['thanks instead of an answer', [['Mon empreinte ?', 'Combien de kWh ?']], 'Merci', 'Merci'],
    [
      'a question instead of an answer',
      [['Mon empreinte ?', 'Combien de kWh ?']],
      'Quel gazole ?',
      'Quel gazole ?',
    ],
    ['amounts given anew', [['Empreinte de 12 kWh ?', 'Quel pays ?']], '15 kWh au Mali', '15 kWh au Mali'],
    ['nothing before', [], 'et au Mali ?', 'et au Mali ?'],
  ])('takes %s for what it is', (_, earlier, message, expected) => {
    expect(textAfter(earlier, message)).toBe(expected);
  });

  it('puts an amount right that was asked about before', () => {
    const before: [string, string] = ['Empreinte de 12 000 litres de gazole et 40 kWh au Mali', '32 tCO2e.'];
    expect(textAfter([before], 'Non, c’est 8 000 litres de gazole, pas 12 000. Recalcule.')).toBe(
      'Empreinte de 8 000 litres de gazole et 40 kWh au Mali',
    );
  });
});
