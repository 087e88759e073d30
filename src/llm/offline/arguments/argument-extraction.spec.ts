import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../common/json.js';
import { extractArguments } from './argument-extraction.js';
import { synonymsIn } from './values/enum-glossary.js';
import { read } from '../reading/read.js';

const extract = (properties: JsonObject, text: string, required: string[] = []) =>
  extractArguments({ type: 'object', properties, required, additionalProperties: false }, read(text));

describe('extractArguments', () => {
  it.each<[string, JsonObject, string, JsonObject]>([
    ['a unit in the name', { energyKwh: { type: 'number' } }, 'Our energy is 12 MWh', { energyKwh: 12_000 }],
    [
      'a unit in the description',
      { waste: { type: 'number', description: 'Waste a year (kg)' } },
      '5 tonnes de déchets',
      { waste: 5000 },
    ],
    ['no number of another dimension', { headcount: { type: 'integer' } }, 'effectif 45 kWh', {}],
    ['a date', { on: { type: 'string', format: 'date' } }, 'le 12 mars 2025', { on: '2025-03-12' }],
    [
      'an email and a link',
      { mail: { type: 'string', format: 'email' }, link: { type: 'string', format: 'uri' } },
      'awa@example.org, voir https://example.org/a.',
      { mail: 'awa@example.org', link: 'https://example.org/a' },
    ],
    [
      'an enum by its glossary',
      {
        fuel: {
          type: 'string',
          enum: ['diesel', 'petrol'],
          description: '- diesel: gazole\n- petrol: essence, nafta',
        },
      },
      'nuestra nafta',
      { fuel: 'petrol' },
    ],
    [
      'no code that is also a word',
      { language: { type: 'string', enum: ['fr', 'en', 'es'] } },
      'Il es en retard',
      {},
    ],
    [
      'an array of enum values',
      { fuels: { type: 'array', items: { type: 'string', enum: ['diesel', 'petrol', 'lpg'] } } },
      'gazole et GPL',
      { fuels: ['diesel', 'lpg'] },
    ],
    ...[
      'Je cherche une subvention pas un prêt',
      'une subvention, sauf les prêts',
      'pas de prêt, seulement une subvention',
      'une subvention plutôt qu’un prêt',
      'a grant, not a loan',
      'una subvención, no un préstamo',
      '補助，不要貸款',
    ].map((text): [string, JsonObject, string, JsonObject] => [
      'an enum but for what is denied',
      { instrument: { type: 'string', enum: ['loan', 'grant', 'guarantee'] } },
      text,
      { instrument: 'grant' },
    ]),
    [
      'no enum where two are left',
      { instrument: { type: 'string', enum: ['loan', 'grant', 'guarantee'] } },
      'une subvention ou une garantie, pas un prêt',
      {},
    ],
    ['a nullable type', { headcount: { type: ['integer', 'null'] } }, '45 salariés', { headcount: 45 }],
    [
      'a branch of anyOf',
      { headcount: { anyOf: [{ type: 'null' }, { type: 'integer' }] } },
      '45 salariés',
      { headcount: 45 },
    ],
    [
      'a boolean, said and denied',
      { recycling: { type: 'boolean' }, refrigerated: { type: 'boolean' } },
      'recyclage, mais pas frigorifique',
      { recycling: true, refrigerated: false },
    ],
    [
      'a value beyond the limits: left out',
      { headcount: { type: 'integer', maximum: 10 } },
      '45 salariés',
      {},
    ],
    [
      'a nested object',
      { company: { type: 'object', properties: { headcount: { type: 'integer' } } } },
      '45 salariés',
      { company: { headcount: 45 } },
    ],
  ])('reads %s', (_, properties, text, expected) => {
    expect(extract(properties, text).arguments).toEqual(expected);
  });

  it('names what is required and not said', () => {
    const { missing, complete } = extract(
      { headcount: { type: 'integer' }, city: { type: 'string' } },
      'bonjour',
      ['city'],
    );
    expect(missing.map(({ name }) => name)).toEqual(['city']);
    expect(complete).toBe(false);
  });

  it('follows local references and survives those that turn in a circle', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/count' }, b: { $ref: '#/$defs/loop' }, c: { $ref: '#/$defs/tree' } },
      $defs: {
        count: { type: 'integer', description: 'Number of employees' },
        loop: { $ref: '#/$defs/loop' },
        tree: { type: 'object', properties: { tree: { $ref: '#/$defs/tree' } } },
      },
    };
    expect(extractArguments(schema, read('45 salariés')).arguments).toEqual({ a: 45 });
  });

  it('survives a schema that is nothing but itself', () => {
    expect(extractArguments({ $ref: '' }, read('45 salariés'))).toMatchObject({
      arguments: {},
      complete: true,
    });
  });

  it('gives arguments that fit the schema, or says that they are incomplete', () => {
    const leaf = fc.constantFrom<JsonObject>(
      { type: 'integer', minimum: 3 },
      { type: 'number', description: 'in kWh' },
      { type: 'boolean' },
      { type: 'string', minLength: 4 },
      { type: 'string', pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2' },
      { type: 'string', format: 'date' },
      { type: 'string', enum: ['diesel', 'petrol'] },
      { type: 'array', items: { type: 'string' }, maxItems: 1 },
      {
        type: 'object',
        properties: { amount: { type: 'number' }, currency: { type: 'string', pattern: '^[A-Z]{3}$' } },
        required: ['amount', 'currency'],
      },
    );
    const name = fc.constantFrom(
      'headcount',
      'country',
      'revenue',
      'city',
      'goal',
      'query',
      'energy',
      'fuel',
      'date',
    );
    const phrase = fc.constantFrom(
      '45 salariés',
      'au Sénégal',
      'revenue of 3 M€',
      'notre ville est Dakar',
      'objectif : zéro',
      '12 kWh',
      'gazole',
      '2025-03-12',
      'ab',
    );
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    fc.assert(
      fc.property(
        fc.dictionary(name, leaf),
        fc.subarray(['city', 'query', 'revenue']),
        fc.array(phrase),
        (properties, required, phrases) => {
          const schema = { type: 'object', properties, required, additionalProperties: false };
          const found = extractArguments(schema, read(phrases.join(', ')));
          if (found.complete) expect(ajv.validate(schema, found.arguments)).toBe(true);
          else expect(ajv.validate({ ...schema, required: [] }, found.arguments)).toBe(true);
        },
      ),
    );
  });

  it('takes any JSON for a schema', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (schema, text) => {
        expect(extractArguments(schema as JsonObject, read(text)).arguments).toBeDefined();
        const nested = { type: 'object', properties: schema as JsonValue };
        expect(extractArguments(nested, read(text)).arguments).toBeDefined();
      }),
    );
  });
});

it.each([
  ['diesel (gazole, gasoil), petrol (essence)', 'diesel', ['gazole', 'gasoil']],
  ['- diesel: gazole, gasoil\n- petrol: essence', 'petrol', ['essence']],
  ['car_diesel (voiture)', 'diesel', []],
  ['nothing here', 'diesel', []],
])('reads the synonyms in «%s»', (description, value, expected) => {
  expect(synonymsIn(description, value)).toEqual(expected);
});

describe('what is thrown away and bought by the same name', () => {
  const activities =
    'waste_paper_landfill waste_paper_recycling waste_mixed_landfill material_paper material_paper_recycled material_plastics'.split(
      ' ',
    );
  const items: JsonObject = {
    type: 'array',
    items: {
      type: 'object',
      required: ['activity', 'quantity', 'unit'],
      properties: {
        activity: {
          type: 'string',
          enum: activities,
          description:
            'waste_paper_landfill (papier, carton en décharge), waste_paper_recycling (papier recyclé), waste_mixed_landfill (déchets en décharge), material_paper (papier, papel), material_plastics (plastiques)',
        },
        quantity: { type: 'number' },
        unit: { type: 'string', enum: ['kg', 'tonne'] },
      },
    },
  };

  it.each([
    ['2 tonnes de papier acheté', ['material_paper']],
    ['2 toneladas de papel comprado', ['material_paper']],
    ['We bought 2 tonnes of paper', ['material_paper']],
    ['採購2噸紙', ['material_paper']],
    ['2 tonnes de papier', ['material_paper']],
    ['2 tonnes de papier recyclé acheté', ['material_paper_recycled']],
    ['2 tonnes de papier recyclé', ['waste_paper_recycling']],
    ['2 tonnes de papier jeté', ['waste_paper_landfill']],
    ['2 tonnes of paper waste', ['waste_paper_landfill']],
    ['2 toneladas de papel a vertedero', ['waste_paper_landfill']],
    ['廢紙2噸', ['waste_paper_landfill']],
    ['Nous achetons 2 tonnes de papier et 1 tonne de plastique', ['material_paper', 'material_plastics']],
    [
      'Déchets : 2 tonnes de papier, achats : 1 tonne de plastique',
      ['waste_paper_landfill', 'material_plastics'],
    ],
  ])('is told by what is said of it: %s', (text, expected) => {
    const found = extract({ items }, text).arguments['items'] as JsonObject[];
    expect(found.map(({ activity }) => activity)).toEqual(expected);
  });
});
