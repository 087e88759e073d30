import type { JsonObject } from '../../../common/json.js';
import { instruments, purposes } from './financing-data.js';
import { regions } from './places.js';

const amount: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['value', 'currency'],
  description: 'How much is needed (montant, importe), only as the user said it',
  properties: {
    value: { type: 'number', exclusiveMinimum: 0, maximum: 1e15 },
    currency: { type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 4217: XOF for FCFA, EUR, USD …' },
  },
};

/** The skill's arguments. JSON Schema, draft 2020-12. */
export const financingParameters: JsonObject = {
  type: 'object',
  additionalProperties: false,
  properties: {
    country: {
      type: 'string',
      pattern: '^[A-Z]{2}$',
      description:
        'ISO 3166-1 alpha-2 code of the country (pays, país); leave it out for the company’s own country',
    },
    region: {
      type: 'string',
      enum: [...regions],
      description: 'Instead of a country, when the user asks about a group of countries',
    },
    sector: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description: 'What the company works in, in words (secteur); leave it out for the company’s own sector',
    },
    need: {
      type: 'string',
      minLength: 1,
      maxLength: 300,
      description: `What is to be paid for, in the user’s words (besoin, necesidad), or one of: ${purposes.join(', ')}`,
    },
    amount,
    instrument: {
      type: 'string',
      enum: [...instruments],
      description: 'Only when the user asks for one kind (subvention, prêt, garantie, préstamo)',
    },
  },
};
