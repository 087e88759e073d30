import { Parent, ResolveField, Resolver } from '@nestjs/graphql';

import { CurrentViewer } from '../../auth/current-viewer.decorator.js';
import type { Viewer } from '../../auth/viewer.js';
import { MAX_COST } from '../../common/schema/cost.js';
import type { Turn } from '../turn.entity.js';
import { TurnModel } from '../turn.model.js';
import { ModelCallModel } from './model-call.model.js';
import { ModelCalls } from './model-calls.service.js';

/** A turn's prompts are megabytes: those of two dozen turns are all that is shown at once. */
const COST = MAX_COST / 25;

@Resolver(() => TurnModel)
export class TurnPromptsResolver {
  constructor(private readonly calls: ModelCalls) {}

  @ResolveField(() => [ModelCallModel], {
    complexity: COST,
    description:
      'The model calls of the turn with the exact prompts, in their order; empty unless an admin asks, and once they ' +
      'are past the retention of events.',
  })
  async prompts(@CurrentViewer() viewer: Viewer, @Parent() turn: Turn): Promise<ModelCallModel[]> {
    const calls = await this.calls.list(viewer, turn.id);
    return calls.map(({ source, ...call }) => ({ ...call, estimated: source === 'ESTIMATED' }));
  }
}
