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
    description: 'Works out the score of a company from the answers to a form; not of its finance.',
    parameters: schema({
      answers: sheet,
      sector: { type: 'string', enum: ['agro', 'energy'], description: 'agro (agroalimentaire), energy' },
    }),
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

  it.each<[string, JsonObject]>([
    [
      'Quels financements pour une PME agroalimentaire au Mali qui veut 100 000 euros ?',
      { country: 'ML', amount: { value: 100_000, currency: 'EUR' } },
    ],
    ['Quels financements pour un concurrent à Cotonou avec 30 employés ?', { country: 'BJ' }],
    [
      'Financement de 500 millions FCFA pour une usine de recyclage au Cameroun',
      {
        country: 'CM',
        need: 'usine de recyclage au Cameroun',
        amount: { value: 500_000_000, currency: 'XAF' },
      },
    ],
    ['Financement pour une usine à Bamako', { country: 'ML', need: 'usine à Bamako' }],
    ['Je cherche une subvention pour des panneaux solaires', { need: 'panneaux solaires' }],
    ['Subvention pour notre petite entreprise', {}],
    ['Financement pour le Mali', { country: 'ML' }],
    ['Financiación para paneles solares en Senegal', { country: 'SN', need: 'paneles solares en Senegal' }],
    ['Green financing for solar panels in Mali', { country: 'ML', need: 'solar panels in Mali' }],
    ['太陽能板的融資', { need: '太陽能板' }],
  ])('are those that a sentence is headed by, with what it is for: %s', (text, input) => {
    expect(chosenFor(text)).toEqual([['find_green_financing', input]]);
  });

  it.each(['Le financement est important pour nous', "Quel est le taux d'intérêt d'un prêt pour le Mali ?"])(
    'are none of what is only spoken of: %s',
    (text) => {
      expect(chosenFor(text)).toEqual([]);
    },
  );

  it.each([
    'Trouve le meilleur prix au Canada pour la TV Samsung 80" QN80C.',
    'Cherche un restaurant à Dakar pour 10 personnes',
    'Trouve une banque au Togo pour ouvrir un compte',
    'Find the best hotel in Accra for Monday',
  ])('are none whose matter is not looked for: %s', (text) => {
    expect(chosenFor(text)).toEqual([]);
  });

  it.each(['Trouve des aides pour un four solaire au Mali', 'Cherche de l’argent pour un puits au Mali'])(
    'are those whose matter is called otherwise: %s',
    (text) => {
      expect(chosenFor(text)).toMatchObject([['find_green_financing', { country: 'ML' }]]);
    },
  );

  it('write nothing down of what is only wanted', () => {
    expect(chosenFor('I need a flat in Madrid')).toEqual([]);
    expect(chosenFor('Nuestra empresa está en Madrid')).toEqual([
      ['update_company_profile', { country: 'ES', city: 'Madrid' }],
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
