import type { JsonObject } from '@palabre/plugin';

import { unitNames } from './unit.js';

const country = { type: 'string', minLength: 2, maxLength: 100 };

/** Describes one quantity. */
const item: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['activity', 'quantity'],
  properties: {
    activity: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description:
        'In a word or two: electricity, diesel, refrigerant R410A, long-haul flight, lorry freight … One that is not ' +
        'known is answered with the nearest that are',
    },
    quantity: { anyOf: [{ type: 'number' }, { type: 'string', maxLength: 100 }] },
    unit: { type: 'string', maxLength: 50, description: unitNames.join(', ') },
    country: { ...country, description: 'Only when it is another' },
  },
};

/** The skill's arguments. JSON Schema, draft 2020-12. */
export const footprintParameters: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['items'],
  properties: {
    country: {
      ...country,
      description: 'Where the electricity is used; left out: the company’s own',
    },
    period: {
      type: 'string',
      minLength: 1,
      maxLength: 60,
      description: 'What the quantities cover, as the user said it',
    },
    upstream: {
      type: 'boolean',
      description: 'Only when the user asks for well-to-tank emissions (WTT) too',
    },
    items: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      description: 'One for each quantity that the user stated',
      items: item,
    },
  },
};
