import type { JsonObject } from '@palabre/plugin';

import type { Grid } from './grid.js';

/** What a call does with the assessment that the company keeps; left out: its answers are added to it. */
export const scoreChanges = ['variant', 'restart'] as const;

/** Describes the skill's arguments from the criteria. JSON Schema, draft 2020-12. */
export function scoreParameters(grid: Grid): JsonObject {
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      answers: {
        type: 'object',
        additionalProperties: {
          anyOf: [
            { type: 'number' },
            { type: 'boolean' },
            { type: 'string', maxLength: 100 },
            { type: 'null' },
          ],
        },
        description:
          'New or changed ones; null withdraws one. Only what the user said or a document shows, never guessed. By the id of ' +
          'an indicator, or what it is about; one that is not known is answered with the nearest',
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
      change: {
        type: 'string',
        enum: [...scoreChanges],
        description: 'variant: a what-if, not kept; restart: without earlier answers',
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
