import { describe, expect, it } from '@jest/globals';
import { completionRequest } from '../server/protocol.js';
import { think } from '../think.js';

const system = {
  role: 'system',
  content: "Langue : fr. Tu n'enregistres sur l'entreprise que ce que la personne a dit elle-même.",
};
const money = {
  type: 'object',
  required: ['amount', 'currency'],
  properties: { amount: { type: 'number' }, currency: { type: 'string', description: 'ISO 4217' } },
};
const update = {
  name: 'update_company_profile',
  description: "Stores facts about the user's company that the user has just stated.",
  parameters: {
    type: 'object',
    minProperties: 1,
    properties: {
      city: { type: 'string', description: 'Its city (ville, ciudad).' },
      headcount: { type: 'integer', description: 'How many people work there (salariés, effectif, 員工).' },
      revenue: { ...money, description: 'Revenue of one year (chiffre d’affaires, facturación).' },
    },
  },
};

/** What is written down of the last of these messages. */
const written = (...messages: string[]): unknown[] => {
  const reply = think(
    completionRequest.parse({
      model: 'x',
      tools: [{ type: 'function', function: update }],
      messages: [
        system,
        ...messages.flatMap((content, at) => [
          ...(at > 0 ? [{ role: 'assistant', content: "C'est noté." }] : []),
          { role: 'user', content },
        ]),
      ],
    }),
  );
  return 'text' in reply ? [] : reply.toolCalls.map(({ arguments: given }) => JSON.parse(given) as unknown);
};

describe('a number of the company', () => {
  it.each([
    ['Notre effectif est de 45 personnes', 'non, 54 personnes', { headcount: 54 }],
    ['Notre effectif est de 45 personnes', 'Pardon, 54', { headcount: 54 }],
    ['We have 45 employees', 'sorry, I meant 54', { headcount: 54 }],
    ['Tenemos 45 empleados', 'no, 54 empleados', { headcount: 54 }],
    ['我們有45名員工', '不對，54名員工', { headcount: 54 }],
    [
      "Notre chiffre d'affaires est de 120 millions FCFA",
      'non, 130 millions',
      { revenue: { amount: 130_000_000, currency: 'XOF' } },
    ],
  ])('is put right: «%s», «%s»', (stated, correction, expected) => {
    expect(written(stated, correction)).toEqual([expected]);
  });

  it('is put right again', () => {
    expect(written('Notre effectif est de 45 personnes', 'non, 54', 'non, 55')).toEqual([{ headcount: 55 }]);
  });

  it.each([
    ['Notre effectif est de 45 personnes', 'non merci'],
    ['Notre effectif est de 45 personnes', 'non, 54 kWh'],
    ['Notre effectif est de 45 personnes', '54 ?'],
    ['Calcule 12 fois 3', 'non, 54'],
  ])('is left as it is: «%s», «%s»', (stated, correction) => {
    expect(written(stated, correction)).toEqual([]);
  });

  it.each([
    ["nous étions 60 employés l'an dernier et nous sommes 45 aujourd'hui", []],
    ['notre effectif passera à 80 personnes', []],
    ['nous avons 12 employés à Thiès et 30 à Dakar', []],
    ['nous sommes entre 40 et 50 employés', []],
    ['En 2022 notre CA était de 80 millions FCFA', []],
    ['Notre effectif est passé de 60 à 45 personnes', [{ headcount: 45 }]],
  ])('is of now, and one: «%s»', (statement, expected) => {
    expect(written(statement)).toEqual(expected);
  });
});
