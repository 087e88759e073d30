import type { JsonObject } from '@palabre/plugin';

import { itemParameters } from '../carbon/footprint-parameters.js';
import { formatChoices } from '../report/report-writer.js';

function words(maxLength: number, description?: string): JsonObject {
  return { type: 'string', minLength: 1, maxLength, ...(description !== undefined && { description }) };
}

function list(maxItems: number, items: JsonObject, description?: string): JsonObject {
  return { type: 'array', maxItems, items, ...(description !== undefined && { description }) };
}

function object(required: string[], properties: JsonObject): JsonObject {
  return { type: 'object', additionalProperties: false, required, properties };
}

const amount = { type: 'number', exclusiveMinimum: 0 };

/** The skill's arguments. JSON Schema, draft 2020-12. */
export const applicationParameters: JsonObject = object([], {
  programme: words(200, 'As find_green_financing names it'),
  title: words(200, 'Of the project'),
  description: words(5_000, 'What the project is, in full sentences; only figures that are known'),
  place: words(200),
  results: list(20, words(300), 'Expected results'),
  currency: { type: 'string', pattern: '^[A-Z]{3}$', description: 'Of all amounts, ISO 4217, as XOF' },
  budget: list(50, object(['item', 'amount'], { item: words(200), amount })),
  plan: list(
    20,
    object(['source', 'amount'], {
      source: words(200),
      amount,
      isRequested: { type: 'boolean', description: 'What is applied for' },
    }),
    'Who pays; adds up to the budget',
  ),
  schedule: list(30, object(['step', 'when'], { step: words(300), when: words(60) })),
  effects: words(3_000, 'What it does for the environment, beside what is calculated'),
  after: list(
    100,
    itemParameters,
    'The quantities of the company’s footprint that it changes, as they are after it; 0: none',
  ),
  annexes: list(30, words(200), 'Documents that the user has'),
  write: { type: 'boolean', description: 'Also while something is missing: only if the user wants a draft' },
  format: { type: 'string', enum: [...formatChoices], description: 'Left out: both.' },
});
