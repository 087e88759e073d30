import type { JsonObject } from '@palabre/plugin';

import { unitNames } from './unit.js';

/** What a call does to the footprint that the company keeps; left out: the quantities are a footprint of their own. */
export const footprintChanges = ['correction', 'variant'] as const;

const country = { type: 'string', minLength: 2, maxLength: 100 };

/** Describes one quantity. */
export const itemParameters: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['activity', 'quantity'],
  properties: {
    activity: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description:
        'In a word or two: electricity, diesel, refrigerant R410A, long-haul flight … One that is not ' +
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
  properties: {
    country: {
      ...country,
      description: 'Where the electricity is used; left out: the company’s own',
    },
    period: {
      type: 'string',
      minLength: 1,
      maxLength: 60,
      description: 'What the quantities cover, as 2025',
    },
    upstream: {
      type: 'boolean',
      description: 'Only when the user asks for well-to-tank emissions (WTT) too',
    },
    change: {
      type: 'string',
      enum: [...footprintChanges],
      description:
        'Of the company’s latest footprint, with only the items that change. correction: replaces or completes it, 0 takes ' +
        'out; variant: a what-if that is not kept',
    },
    items: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      description: 'One for each quantity that the user stated; none: tells the kept footprint',
      items: itemParameters,
    },
  },
};
