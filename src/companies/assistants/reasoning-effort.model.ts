import { registerEnumType } from '@nestjs/graphql';
import type { ReasoningEffort as Effort } from '@palabre/llm-client';

/** GraphQL shows the names in capitals; the values are those of the protocol. */
export const ReasoningEffort = {
  NONE: 'none',
  MINIMAL: 'minimal',
  LOW: 'low',
  MEDIUM: 'medium',
  HIGH: 'high',
  XHIGH: 'xhigh',
  MAX: 'max',
} as const satisfies Record<Uppercase<Effort>, Effort>;

registerEnumType(ReasoningEffort, {
  name: 'ReasoningEffort',
  description:
    'How much a model is to think before it speaks. No model knows all of these: the nearest that it knows and that is not more is used.',
  valuesMap: {
    NONE: { description: 'Not at all.' },
    MINIMAL: { description: 'Hardly.' },
    LOW: { description: 'A little: quick and cheap.' },
    MEDIUM: { description: 'As most models do by themselves.' },
    HIGH: { description: 'Much: slower and dearer.' },
    XHIGH: { description: 'Very much.' },
    MAX: { description: 'As much as it can.' },
  },
});
