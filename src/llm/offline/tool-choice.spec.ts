import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../common/json.js';
import { Message, Question } from './message.js';
import { chooseTools } from './tool-choice.js';
import { profileOf } from './tool-profile.js';

const schema = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
const country: JsonObject = { type: 'string', pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' };
const sheet = schema(
  Object.fromEntries(
    Array.from({ length: 9 }, (_, at) => [`Q${at}`, { type: 'boolean', description: `Women in part ${at}` }]),
  ),
);
const profiles = [
  profileOf({
    name: 'find_green_financing',
    description: 'Finds programmes of green finance (subvention, prêt vert).',
    parameters: schema({
      country,
      need: { type: 'string', description: 'What is to be paid for.' },
      amount: {
        type: 'object',
        required: ['value', 'currency'],
        properties: { value: { type: 'number' }, currency: { type: 'string', description: 'ISO 4217' } },
      },
    }),
  }),
  profileOf({
    name: 'update_company_profile',
    description: 'Writes down what the user stated of the company.',
    parameters: { ...schema({ country, city: { type: 'string' } }), minProperties: 1 },
  }),
  profileOf({
    name: 'calculate_score',
    description: 'Works out a score from the answers to a form.',
    parameters: schema({ answers: sheet }),
  }),
  profileOf({
    name: 'generate_report',
    description: 'Writes a report of the score and of financing as a file.',
    parameters: schema({}),
  }),
];
const chosenFor = (text: string) =>
  chooseTools(new Question(new Message(text)), profiles, []).map(({ profile, extraction }) => [
    profile.tool.name,
    extraction.arguments,
  ]);

describe('the tools that a question calls for', () => {
  it('are those of what is wanted, however much more is said', () => {
    expect(
      chosenFor("Nous cherchons une subvention de 20 000 euros pour recycler le plastique en Côte d'Ivoire"),
    ).toEqual([
      [
        'find_green_financing',
        {
          country: 'CI',
          need: "recycler le plastique en Côte d'Ivoire",
          amount: { value: 20_000, currency: 'EUR' },
        },
      ],
    ]);
  });

  it('write nothing down of what is only wanted', () => {
    expect(chosenFor('I need a flat in Madrid')).toEqual([]);
    expect(chosenFor('Nuestra empresa está en Madrid')).toEqual([
      ['update_company_profile', { city: 'Madrid' }],
    ]);
  });

  it.each([
    'Génère le rapport',
    'Please write a report of our score',
    'Quiero un informe en PDF',
    '請產生報告',
  ])('make files on an order: %s', (text) => {
    expect(chosenFor(text).map(([name]) => name)).toContain('generate_report');
  });

  it.each(['Que contient un rapport ?', 'Le rapport de la banque est arrivé', '報告是什麼？'])(
    'make no files without one: %s',
    (text) => {
      expect(chosenFor(text).map(([name]) => name)).not.toContain('generate_report');
    },
  );

  it('fill in no form because of a word that stands in it', () => {
    expect(chosenFor('Nous avons des femmes ici')).toEqual([]);
  });
});
