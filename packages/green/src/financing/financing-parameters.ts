import type { JsonObject } from '@palabre/plugin';
import { instruments } from './financing-data.js';
import { regions } from './places.js';

const amount: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['value', 'currency'],
  description: 'Only as the user said it',
  properties: {
    value: {
      anyOf: [
        { type: 'number', exclusiveMinimum: 0 },
        { type: 'string', maxLength: 100 },
      ],
    },
    currency: { type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 4217, as XOF' },
  },
};

/** The skill's arguments. JSON Schema, draft 2020-12. */
export const financingParameters: JsonObject = {
  type: 'object',
  additionalProperties: false,
  properties: {
    country: {
      type: 'string',
      minLength: 2,
      maxLength: 100,
      description: 'Left out: the company’s own',
    },
    region: {
      type: 'string',
      enum: [...regions],
      description: 'Instead of a country',
    },
    sector: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description: 'In words; left out: as the company’s profile says',
    },
    need: {
      type: 'string',
      minLength: 1,
      maxLength: 300,
      description: 'What is to be paid for, in the user’s words',
    },
    amount,
    instrument: {
      type: 'string',
      enum: [...instruments],
      description: 'Only when the user asks for one kind',
    },
  },
};
