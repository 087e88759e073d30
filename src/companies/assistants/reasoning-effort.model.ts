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
    'How much a model reasons before it answers. No model supports all levels. The nearest supported level that is not higher is used.',
  valuesMap: {
    NONE: { description: 'No reasoning.' },
    MINIMAL: { description: 'Almost none.' },
    LOW: { description: 'A little: fast and cheap.' },
    MEDIUM: { description: 'The usual default of most models.' },
    HIGH: { description: 'A lot: slower and more expensive.' },
    XHIGH: { description: 'Very much.' },
    MAX: { description: 'As much as the model can.' },
  },
});
