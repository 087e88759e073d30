import type { JsonObject } from '@palabre/plugin';

import type { Grid } from './grid.js';

/** Describes the skill's arguments from the criteria. JSON Schema, draft 2020-12. */
export function scoreParameters(grid: Grid): JsonObject {
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      answers: {
        type: 'object',
        additionalProperties: {
          anyOf: [{ type: 'number' }, { type: 'boolean' }, { type: 'string', maxLength: 100 }],
        },
        description:
          'Only what the user said or a document shows, never guessed. By the id of an indicator, or what it is about in a ' +
          'few words, such as "renewable electricity"; one that is not known is answered with the nearest',
      },
      notApplicable: {
        type: 'array',
        uniqueItems: true,
        maxItems: 100,
        items: { type: 'string', maxLength: 100 },
        description: 'Indicators that the user said cannot apply',
      },
      sector: {
        type: 'string',
        minLength: 1,
        maxLength: 200,
        description: 'In a word; left out: as the company’s profile says',
      },
      questions: {
        type: 'string',
        enum: grid.pillars.map(({ id }) => id),
        description:
          'Gives all open questions of a pillar, with what each level means: ask before rating levels',
      },
    },
  };
}
