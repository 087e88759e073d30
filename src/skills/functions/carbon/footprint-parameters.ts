import type { JsonObject } from '../../../common/json.js';
import type { EmissionData } from './emission-data.js';
import { maximumQuantity } from './footprint.js';
import { unitNames } from './unit.js';

const country = { type: 'string', pattern: '^[A-Z]{2}$' };

const unitGlossary =
  'kWh, MWh, litre (L, litro), m3 (mètre cube, metro cúbico), kg (kilo), tonne (t, tonelada), km, ' +
  'passenger_km (passager-km, pasajero-km), tonne_km (t.km, tonelada-km), night (nuitée, noche)';

/** Describes one quantity. */
function itemSchema(data: EmissionData): JsonObject {
  const activities = [...data.activities.values()];
  return {
    type: 'object',
    additionalProperties: false,
    required: ['activity', 'quantity', 'unit'],
    properties: {
      activity: {
        type: 'string',
        enum: activities.map(({ key }) => key),
        description: activities
          .flatMap(({ key, glossary }) => (glossary ? [`${key} (${glossary})`] : []))
          .join(', '),
      },
      quantity: { type: 'number', exclusiveMinimum: 0, maximum: maximumQuantity },
      unit: { type: 'string', enum: unitNames, description: unitGlossary },
      country: { ...country, description: 'Only when it differs from the country above' },
    },
  };
}

/** Describes the skill's arguments from the activities in the data. JSON Schema, draft 2020-12. */
export const footprintParameters = (data: EmissionData): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  required: ['items'],
  properties: {
    country: {
      ...country,
      description:
        'ISO 3166-1 alpha-2 code of the country where the electricity is used, e.g. SN for Sénégal; ' +
        'the company’s own when left out',
    },
    period: {
      type: 'string',
      minLength: 1,
      maxLength: 60,
      description: 'What the quantities cover, as the user said it, e.g. "2025" or "par an"',
    },
    upstream: {
      type: 'boolean',
      description: 'True only when the user asks for well-to-tank emissions of fuels (amont, WTT) too',
    },
    items: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      description: 'One for each quantity the user stated; never a guessed quantity',
      items: itemSchema(data),
    },
  },
});
