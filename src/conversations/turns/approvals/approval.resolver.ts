import { Args, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import { listCost } from '../../../common/schema/cost.js';
import { CurrentViewer, OperationLoaders } from '../../../companies/auth/current-viewer.decorator.js';
import { LoaderKey, type Loaders } from '../../../companies/auth/graphql-context.js';
import type { Viewer } from '../../../companies/auth/viewer.js';
import { isHiddenFrom } from '../hidden-content.js';
import type { Turn } from '../turn.entity.js';
import { TurnModel } from '../turn.model.js';
import type { Approval } from './approval.entity.js';
import { ApprovalModel, ResolveApprovalInput } from './approval.model.js';
import { Approvals, MOST_PENDING } from './approvals.service.js';

const approvalsByTurn = new LoaderKey<Approval[]>();

@Resolver(() => TurnModel)
export class ApprovalResolver {
  constructor(private readonly service: Approvals) {}

  @Query(() => [ApprovalModel], {
    complexity: listCost(MOST_PENDING),
    description:
      'What waits for an answer, oldest first, at most 500: of the whole company for admins, of their own turns for ' +
      'everybody else.',
  })
  pendingApprovals(@CurrentViewer() viewer: Viewer): Promise<Approval[]> {
    return this.service.listPending(viewer);
  }

  @Mutation(() => ApprovalModel, {
    description:
      'Allows or denies a skill call, and the turn goes on. For admins, and for the asker where the skill, as it is set ' +
      'now, allows it. The same answer twice does no harm; another one is a CONFLICT, and so is to allow what can no ' +
      'longer be called.',
  })
  resolveApproval(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The answer.' }) input: ResolveApprovalInput,
  ): Promise<Approval> {
    return this.service.resolve(viewer, input);
  }

  @ResolveField(() => [ApprovalModel], {
    complexity: listCost(2),
    description: 'What people were asked in it, in that order.',
  })
  approvals(
    @CurrentViewer() viewer: Viewer,
    @OperationLoaders() loaders: Loaders,
    @Parent() turn: Turn,
  ): Promise<Approval[]> | Approval[] {
    if (isHiddenFrom(viewer, turn)) return [];
    const loader = loaders.of(approvalsByTurn, async (ids) => {
      const byTurn = Map.groupBy(await this.service.listOf(viewer, ids), ({ turnId }) => turnId);
      return ids.map((id) => byTurn.get(id) ?? []);
    });
    return loader.load(turn.id);
  }
}
