import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../common/json.js';
import { read } from '../reading/read.js';
import { answersIn, refusedIn, unreadIn } from './answer-sheet.js';
import { extractArguments } from './argument-extraction.js';
import { propertiesOf } from './values/property.js';

const level = (description: string): JsonObject => ({ type: 'integer', minimum: 0, maximum: 3, description });
const share = (title: string): JsonObject => ({
  type: 'number',
  minimum: 0,
  maximum: 100,
  description: `${title}, %`,
});
const questions: JsonObject = {
  E10: share('Waste sorted and recovered (Déchets triés et valorisés)'),
  E11: level('Hazardous waste (Déchets dangereux): 0 No or unknown, 1 Partly, 2 Yes'),
  S01: share('Written contracts and social security (Contrats écrits et sécurité sociale)'),
  S02: { type: 'boolean', description: 'Minimum wage (Salaire minimum): Do all employees earn it?' },
  S03: level('Work accident register (Registre des accidents du travail): 1 Partial, 2 Kept'),
  S04: {
    type: 'integer',
    minimum: 0,
    maximum: 1000,
    description: 'Work-related fatalities (Décès liés au travail), count',
  },
  S06: {
    type: 'number',
    minimum: 0,
    maximum: 1000,
    description: 'Training hours (Heures de formation), h per employee and year',
  },
  S08: share('Women in the workforce (Femmes dans l’effectif)'),
  S09: share('Gender pay gap (Écart de salaire femmes-hommes)'),
  G01: level('Sustainability policy (Politique RSE): 1 Spoken, 2 Written, 3 Public'),
  G03: level('Anti-corruption rules (Règles anticorruption): 1 Spoken, 2 Written, 3 Trained'),
  G04: {
    type: 'boolean',
    description: 'Convictions for corruption (Condamnations pour corruption): Was there any?',
  },
  G05: share('Women in management (Femmes à la direction)'),
};
const parameters: JsonObject = {
  type: 'object',
  additionalProperties: false,
  properties: {
    answers: { type: 'object', additionalProperties: false, properties: questions },
    notApplicable: { type: 'array', items: { type: 'string', enum: ['E11', 'S04'] } },
  },
};
const argumentsFor = (text: string): JsonObject => extractArguments(parameters, read(text)).arguments;
const answersFor = (text: string) => argumentsFor(text)['answers'] ?? {};

describe('what a text answers to the questions of a form', () => {
  it.each([
    ['nous avons 40 % de femmes', { S08: 40 }],
    ['nous n’avons eu aucun accident du travail', {}],
    ['nous n’avons pas de registre des accidents du travail', { S03: 0 }],
    ['40% women in the workforce', { S08: 40 }],
    ['30 % de femmes à la direction', { G05: 30 }],
    ['un écart de salaire femmes-hommes de 8 %', { S09: 8 }],
    ['nous trions 60 % de nos déchets', { E10: 60 }],
    ['pas de politique anticorruption', { G03: 0 }],
    ["nous n'avons pas de politique RSE", { G01: 0 }],
    ['aucune condamnation pour corruption', { G04: false }],
    ['tous nos salariés ont le salaire minimum', { S02: true }],
    ['aucun décès lié au travail', { S04: 0 }],
    ['2 décès liés au travail, 12 heures de formation par employé', { S04: 2, S06: 12 }],
    ['E10 : 60, G01 = 2, G04: non, S02 : oui', { E10: 60, G01: 2, G04: false, S02: true }],
    ['40 % de femmes puis, corrigé : S08 : 35', { S08: 35 }],
    ['S01 : 65 %, non pardon S01 : 95 %', { S01: 95 }],
    ['G01=2; G01=3', { G01: 3 }],
    ['G03 : 2, et S01 passe à 60 %', { G03: 2, S01: 60 }],
    ['G04 : c’est non en fait', { G04: false }],
    ['S08 quarante pour cent', { S08: 40 }],
    ['S06 : 1 000 h', { S06: 1000 }],
    ['S01 : 45,5 % et S08 = 30', { S01: 45.5, S08: 30 }],
    ['nous n’avons pas 40 % de femmes mais 25 %', { S08: 25 }],
    ['nous n’avons pas 40 % mais 25 % de femmes', { S08: 25 }],
    ['40 % de femmes, pardon 25 %', { S08: 25 }],
    ['We do not have 40% women in the workforce but 25%', { S08: 25 }],
  ])('%s', (text, answers) => {
    expect(answersFor(text)).toEqual(answers);
  });

  it.each([
    'Calcule mon score ESG',
    'nous trions nos déchets',
    '40 %',
    'Avons-nous 40 % de femmes ?',
    'pas de déchets dangereux',
    'nous avons une politique RSE',
    'G01 : 7',
    'G04 : 3',
    'S01 : 1 200 %',
    'S01 : 10-20 %',
    'S01 : de 10 à 20 %',
    'S01 : 10 ou 20',
    'G01 : 2/3',
    'G01 : 2 %',
    'G04 : oui ou non',
    'G04 : non renseigné',
    'G01 : sans objet',
    'nous n’avons pas 40 % de femmes',
    'Nous sommes 25 salariés au Sénégal',
  ])('is nothing where it is not plain: %s', (text) => {
    expect(answersFor(text)).toEqual({});
  });

  it('sets aside what is said not to apply, and that alone', () => {
    expect(argumentsFor('E11 : sans objet, E10 : 60')).toEqual({
      answers: { E10: 60 },
      notApplicable: ['E11'],
    });
    expect(argumentsFor('E11 : 1, non, E11 est sans objet')).toEqual({ notApplicable: ['E11'] });
    expect(argumentsFor('E11 : sans objet. Finalement E11 : 1')).toEqual({ answers: { E11: 1 } });
    expect(argumentsFor('E11 : 2')).toEqual({ answers: { E11: 2 } });
  });
});

describe('answers that a form does not take', () => {
  const all = propertiesOf(parameters);
  const [sheet] = all;
  const refused = (text: string) => (sheet ? refusedIn(sheet, text, all) : []);
  const percent = { kind: 'number', least: 0, most: 100 };

  it('are told apart from those that it takes', () => {
    const text = 'G01 : 2 et S01 : 150 %';
    expect(answersFor(text)).toEqual({ G01: 2 });
    expect(refused(text)).toEqual([{ key: 'S01', given: '150 %', expected: percent }]);
  });

  it.each<[string, object[]]>([
    ['G01 = 9', [{ key: 'G01', given: '9', expected: { kind: 'whole', least: 0, most: 3 } }]],
    ['G01: 1.5.', [{ key: 'G01', given: '1.5', expected: { kind: 'whole', least: 0, most: 3 } }]],
    ['S02 : 3', [{ key: 'S02', given: '3', expected: { kind: 'yes-no', least: 0, most: null } }]],
    ['S01 : beaucoup', [{ key: 'S01', given: 'beaucoup', expected: percent }]],
    ['E99 : 2', [{ key: 'E99', given: '2', expected: null }]],
    ['S01 : -5 %', [{ key: 'S01', given: '-5 %', expected: percent }]],
    ['S01 : 1 200 %', [{ key: 'S01', given: '1 200 %', expected: percent }]],
    ['S01 : 10-20 %', [{ key: 'S01', given: '10-20 %', expected: percent }]],
    ['S08 120 %', [{ key: 'S08', given: '120 %', expected: percent }]],
    [
      'G01 : sans objet',
      [{ key: 'G01', given: 'sans objet', expected: { kind: 'whole', least: 0, most: 3 } }],
    ],
  ])('are told with what would be taken: %s', (text, expected) => {
    expect(refused(text)).toEqual(expected);
  });

  it.each(['G01 : 2', 'S02 = oui, S01 : 45,5 %', 'E11 : sans objet', 'R22 et 12 kg', 'Bonjour'])(
    'are none in «%s»',
    (text) => {
      expect(refused(text)).toEqual([]);
    },
  );
});

it('names what is said of a question and not plain enough to answer it', () => {
  const [sheet] = propertiesOf(parameters);
  if (!sheet) throw new Error('no sheet');
  const said = 'Nous avons une politique anti-corruption écrite. Nous avons 40 % de femmes. Bonjour.';
  expect(unreadIn(sheet, said)).toEqual([
    { clause: 'Nous avons une politique anti-corruption écrite', key: 'G03' },
  ]);
  const denied = 'Nous n’avons pas 40 % de femmes';
  expect(unreadIn(sheet, denied)).toEqual([{ clause: "Nous n'avons pas 40 % de femmes", key: 'S08' }]);
  expect(unreadIn(sheet, `${denied} mais 25 %`)).toEqual([]);
});

it('reads long and hostile text in time', () => {
  const [sheet] = propertiesOf(parameters);
  if (!sheet) throw new Error('no sheet');
  for (const text of ['S01 : ', 'S01 ', '1-', 'a'.repeat(50), 'pas 4 % ', 'non pardon ', ' '])
    expect(answersIn(sheet, text.repeat(40_000 / text.length))).toBeDefined();
});
