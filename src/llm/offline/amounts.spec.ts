import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../common/json.js';
import { completionRequest } from './protocol.js';
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

describe('amounts that a question says are not to be counted', () => {
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
  ])('are left out and told: %s', (question, only, told) => {
    const { items, text } = answered(question);
    expect(items).toEqual([only]);
    expect(text).toContain(told);
  });

  it('leave a question without amounts', () => {
    const { items, text } = answered('Mon empreinte carbone, mais nous n’avons pas consommé 3 000 kWh');
    expect(items).toBeNull();
    expect(text).toContain('il me manque');
  });
});
