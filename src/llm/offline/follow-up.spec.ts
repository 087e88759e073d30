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
const financing = profileOf({
  name: 'find_financing',
  description: 'Finds programmes of green finance: grants, loans (financement vert).',
  parameters: {
    type: 'object',
    properties: {
      country: { type: 'string', description: 'ISO 3166-1 alpha-2' },
      instrument: { type: 'string', enum: ['loan', 'grant', 'guarantee'] },
      amount: {
        type: 'object',
        required: ['value', 'currency'],
        properties: { value: { type: 'number' }, currency: { type: 'string', description: 'ISO 4217' } },
      },
    },
  },
});
const report = profileOf({
  name: 'generate_report',
  description: 'Makes a report (rapport) of the carbon footprint as a PDF file.',
  parameters: { type: 'object', properties: { kind: { type: 'string', enum: ['carbon'] } } },
});
const score = profileOf({
  name: 'calculate_esg_score',
  description: 'Scores an ESG self-assessment (score ESG).',
  parameters: {
    type: 'object',
    properties: {
      answers: {
        type: 'object',
        properties: Object.fromEntries(
          ['E01', 'E02', 'E03', 'E04', 'S01', 'S02', 'G01', 'G02'].map((key) => [
            key,
            { type: 'number', maximum: 100, description: `Question ${key}, %` },
          ]),
        ),
      },
    },
  },
});
const choose = (question: Question): readonly Choice[] =>
  chooseTools(question, [footprint, financing, report, score], []);
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
    [
      'an amount for a range',
      [['Empreinte de 12 à 15 kWh au Mali', 'Quelle valeur ?']],
      '13 kWh',
      'Empreinte de 12 à 15 kWh au Mali\n13 kWh',
    ],
    [
      'another country for a search',
      [['Quels financements verts au Togo ?', 'Voici.']],
      'au Ghana ?',
      'Quels financements verts au Ghana ?\nau Ghana ?',
    ],
    [
      'more to count, past a search',
      [asked, ['Quels financements verts au Togo ?', 'Voici.']],
      'et avec 3 litres de gazole ?',
      'Empreinte de 12 kWh au Sénégal ?\net avec 3 litres de gazole ?',
    ],
    [
      'another country, past a report',
      [asked, ['Fais-moi un rapport PDF', 'Voici.']],
      'et pour le Mali ?',
      'Empreinte de 12 kWh au Mali ?\net pour le Mali ?',
    ],
    [
      'an answer put right by its key',
      [['Calcule mon score ESG : E02 : 50', 'Score : 50.']],
      'S01: 95 %, et E02 passe à 60 %',
      'Calcule mon score ESG : E02 : 50\nS01: 95 %, et E02 passe à 60 %',
    ],
    [
      'an answer put right by its key, past a search',
      [
        ['Calcule mon score ESG : E02 : 50', 'Score : 50.'],
        ['Quels financements verts au Togo ?', 'Voici.'],
      ],
      'E02 : 60, recalcule',
      'Calcule mon score ESG : E02 : 50\nE02 : 60, recalcule',
    ],
    [
      'a question about a key',
      [['Calcule mon score ESG : E02 : 50', 'Score : 50.']],
      'Que demande E02',
      'Que demande E02',
    ],
    [
      'another matter after a search that asked back',
      [['Quels financements verts au Togo ?', 'Et le montant ?']],
      'Parle-moi du gazole',
      'Parle-moi du gazole',
    ],
  ])('takes %s for what it is', (_, earlier, message, expected) => {
    expect(textAfter(earlier, message)).toBe(expected);
  });

  it.each<[string, string, unknown]>([
    ['Quels financements verts au Togo ?', 'et pour 10 millions FCFA ?', ['TG', 10_000_000]],
    [
      'Quels financements verts au Togo pour 5 millions FCFA ?',
      'et pour 10 millions FCFA ?',
      ['TG', 10_000_000],
    ],
    ['Quels financements verts au Mali ou au Niger ?', 'et au Ghana ?', ['GH', undefined]],
    ['Find green financing in Mali', 'what about Ghana?', ['GH', undefined]],
  ])('searches anew with what is said last: %s %s', (before, now, expected) => {
    const question = questionOf([{ question: before, answer: 'Voici.' }], now, choose);
    const given = choose(question).map(({ extraction }) => extraction.arguments);
    expect(
      given.map(({ country, amount }) => [country, (amount as { value: number } | undefined)?.value]),
    ).toEqual([expected]);
  });

  it.each([
    ['Quels financements verts au Togo ?', 'et plutôt une subvention stp'],
    ['Quels prêts verts au Togo ?', 'Plutôt des subventions'],
    ['Cherche un financement vert au Togo', 'Et une subvention ?'],
  ])('searches on with what is said more: %s %s', (before, now) => {
    const question = questionOf([{ question: before, answer: 'Voici.' }], now, choose);
    expect(choose(question).map(({ extraction }) => extraction.arguments)).toMatchObject([
      { country: 'TG', instrument: 'grant' },
    ]);
  });

  it.each([
    'Empreinte de 12 000 kWh au Sénégal ? Quels financements verts au Mali ?',
    'Calcule l’empreinte de 12 000 kWh au Sénégal puis cherche des financements verts au Mali',
  ])('fills each tool from the sentence that asks for it: %s', (message) => {
    const found = choose(questionOf([], message, choose));
    expect(found.map(({ extraction }) => extraction.arguments)).toMatchObject([{}, { country: 'ML' }]);
  });

  it('puts an amount right that was asked about before', () => {
    const before: [string, string] = ['Empreinte de 12 000 litres de gazole et 40 kWh au Mali', '32 tCO2e.'];
    expect(textAfter([before], 'Non, c’est 8 000 litres de gazole, pas 12 000. Recalcule.')).toBe(
      'Empreinte de 8 000 litres de gazole et 40 kWh au Mali',
    );
  });
});
