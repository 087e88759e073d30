import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../common/json.js';
import { completionRequest } from './server/protocol.js';
import { think } from './think.js';

const activities = 'electricity diesel butane charcoal flight_km'.split(' ');
const footprint = {
  name: 'calculate_carbon_footprint',
  description: "Calculates a company's greenhouse gas emissions from its energy, fuels and transport.",
  parameters: {
    type: 'object',
    additionalProperties: false,
    required: ['items'],
    properties: {
      country: { type: 'string', pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' },
      items: {
        type: 'array',
        items: {
          type: 'object',
          required: ['activity', 'quantity', 'unit'],
          properties: {
            activity: {
              type: 'string',
              enum: activities,
              description: 'electricity (électricité), diesel (gazole), butane (gaz de cuisine)',
            },
            quantity: { type: 'number', exclusiveMinimum: 0 },
            unit: { type: 'string', enum: ['kWh', 'MWh', 'litre', 'kg', 'tonne', 'km'] },
          },
        },
      },
    },
  },
};
const tools = [{ type: 'function', function: footprint }];

/** The items that a question is counted by, and the words of the answer to it. */
function answered(question: string): { items: unknown; text: string } {
  const messages: JsonObject[] = [{ role: 'user', content: question }];
  const reply = think(completionRequest.parse({ model: 'x', messages, tools }));
  if ('text' in reply) return { items: null, text: reply.text };
  const [call] = reply.toolCalls;
  const { items } = JSON.parse(call?.arguments ?? '{}') as JsonObject;
  const calls = reply.toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: given },
  }));
  const done = think(
    completionRequest.parse({
      model: 'x',
      tools,
      messages: [
        ...messages,
        { role: 'assistant', content: null, tool_calls: calls },
        { role: 'tool', tool_call_id: call?.id, content: '{"total":1}' },
      ],
    }),
  );
  return { items, text: 'text' in done ? done.text : '' };
}
const item = (activity: string, quantity: number, unit: string): JsonObject => ({ activity, quantity, unit });

describe('the amounts of a question', () => {
  it.each<[string, JsonObject, string]>([
    [
      'Empreinte de 10 000 kWh au Mali, hors 500 litres de gazole',
      item('electricity', 10_000, 'kWh'),
      "Non compté, d'après votre message : « 500 litres ».",
    ],
    [
      'Footprint of 300 kWh instead of 3,000 kWh in Mali',
      item('electricity', 300, 'kWh'),
      'Not counted, going by your message: “3,000 kWh”.',
    ],
    [
      '¿Cuál es la huella de carbono de 3000 litros de gasóleo en Malí, perdón, 300 litros?',
      item('diesel', 300, 'litre'),
      'No contado, según su mensaje: «3000 litros».',
    ],
    [
      '馬利用電15000度，其中5000度是工廠，碳足跡多少？',
      item('electricity', 15_000, 'kWh'),
      '未計入「5000度」',
    ],
  ])('that are not to be counted are left out and told: %s', (question, only, told) => {
    const { items, text } = answered(question);
    expect(items).toEqual([only]);
    expect(text).toContain(told);
  });

  it.each<[string, JsonObject[] | null, string]>([
    ['Empreinte de 1/2 tonne de butane', [item('butane', 0.5, 'tonne')], ''],
    ['Empreinte de 2 tonnes et demie de butane', [item('butane', 2.5, 'tonne')], ''],
    ['Empreinte de 2 millions et demi de kWh', [item('electricity', 2_500_000, 'kWh')], ''],
    [
      'Empreinte de 3 x 500 L de gazole et 2x1000 kWh',
      [item('diesel', 1500, 'litre'), item('electricity', 2000, 'kWh')],
      '',
    ],
    ['Empreinte : 3 camions consomment 2 000 L de gazole chacun', [item('diesel', 6000, 'litre')], ''],
    ['Empreinte de 10 bouteilles de gaz de cuisine de 12,5 kg', [item('butane', 125, 'kg')], ''],
    ['Empreinte de 12 000 à 15 000 kWh au Mali', null, 'Je ne peux pas compter une fourchette'],
    [
      'Empreinte de 10-12 MWh au Mali et 500 litres de gazole',
      [item('diesel', 500, 'litre')],
      'fourchette (« 10-12 MWh »)',
    ],
    [
      'Empreinte de la moitié de 10 000 kWh',
      [item('electricity', 10_000, 'kWh')],
      'pas appliqué « la moitié »',
    ],
    ['Empreinte d’un vol de 5 300 km pour 3 personnes', [item('flight_km', 5300, 'km')], '« 3 personnes »'],
    ['Empreinte de 500 litres de gazoil', [item('diesel', 500, 'litre')], ''],
    ['120 MWh d’élec au togo', [item('electricity', 120, 'MWh')], ''],
  ])('are multiplied and written: %s', (question, expected, told) => {
    const { items, text } = answered(question);
    expect(items).toEqual(expected);
    expect(text).toContain(told);
  });

  it('may all be set aside', () => {
    const { items, text } = answered('Mon empreinte carbone, mais nous n’avons pas consommé 3 000 kWh');
    expect(items).toBeNull();
    expect(text).toContain('il me manque');
  });
});
