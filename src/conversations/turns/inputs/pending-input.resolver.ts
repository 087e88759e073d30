import { Args, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';

import { type Connection, toConnection } from '../../../common/schema/page.js';
import { listCost } from '../../../common/schema/cost.js';
import { CurrentViewer, OperationLoaders } from '../../../companies/auth/viewer-decorators.js';
import type { Loaders } from '../../../companies/auth/graphql-context.js';
import type { Viewer } from '../../../companies/auth/viewer.js';
import type { PendingInputKind, ShownInput } from '../turn-event.js';
import { isHiddenFrom } from '../hidden-content.js';
import type { Turn } from '../turn.entity.js';
import { TurnModel } from '../turn.model.js';
import type { PendingInput } from './pending-input.entity.js';
import {
  AnswerInputInput,
  ApprovalModel,
  PendingInputConnection,
  PendingInputModel,
  PendingInputsArguments,
  ResolveApprovalInput,
} from './pending-input.model.js';
import { pendingInputOrder, type TurnQuestion } from './pending-input.repository.js';
import { MAX_PENDING, PendingInputs } from './pending-inputs.service.js';
import { shownInput } from './shown-input.js';

@Resolver(() => TurnModel)
export class TurnInputsResolver {
  constructor(private readonly service: PendingInputs) {}

  @Query(() => [ApprovalModel], {
    complexity: listCost(MAX_PENDING),
    deprecationReason: 'Use pendingInputs.',
    description:
      'What waits for an answer, oldest first, at most 500: of the whole company for admins, of their own turns for everybody else.',
  })
  pendingApprovals(@CurrentViewer() viewer: Viewer): Promise<PendingInput[]> {
    return this.service.listApprovals(viewer);
  }

  @Mutation(() => ApprovalModel, {
    description:
      'Allows or denies a skill call, and the turn goes on. For admins, and for the asker where the skill, as it is set now, allows it. The same answer twice does no harm; another one is a CONFLICT, and so is to allow what can no longer be called.',
  })
  resolveApproval(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The answer.' }) input: ResolveApprovalInput,
  ): Promise<PendingInput> {
    return this.service.resolve(viewer, input);
  }

  @Query(() => PendingInputConnection, {
    description:
      'What waits for an answer of the viewer, oldest first: of their own turns, and for admins also all approvals of the company. An approval of one’s own turn stands here if its skill, as it was set when it was asked for, lets the asker answer.',
  })
  async pendingInputs(
    @CurrentViewer() viewer: Viewer,
    @Args() { turnId, ...page }: PendingInputsArguments,
  ): Promise<Connection<ShownInput>> {
    const found = await this.service.listAnswerable(viewer, turnId ?? null, page);
    return toConnection({ ...found, rows: found.rows.map(shownInput), keyOf: pendingInputOrder.keyOf });
  }

  @Mutation(() => PendingInputModel, {
    description:
      'Answers what a turn waits for, which goes on when all of it is answered. Approvals are for admins, and for the asker where the skill allows it; all else is for the turn’s member alone. The same answer twice does no harm; another one, or one that comes too late, is a CONFLICT.',
  })
  async answerInput(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The answer.' }) input: AnswerInputInput,
  ): Promise<ShownInput> {
    return shownInput(await this.service.answer(viewer, { ...input }));
  }

  @ResolveField(() => [ApprovalModel], {
    complexity: listCost(2),
    description: 'What people were asked to allow in it, in that order.',
  })
  async approvals(@OperationLoaders() loaders: Loaders, @Parent() turn: Turn): Promise<PendingInput[]> {
    return (await this.inputsOf(loaders, turn)).filter(({ kind }) => kind === 'APPROVAL');
  }

  @ResolveField('pendingInputs', () => [PendingInputModel], {
    complexity: listCost(2),
    description: 'All that it has waited for, in that order, with how it stands.',
  })
  async pendingInputsOf(@OperationLoaders() loaders: Loaders, @Parent() turn: Turn): Promise<ShownInput[]> {
    return (await this.inputsOf(loaders, turn)).map(shownInput);
  }

  private async inputsOf(loaders: Loaders, turn: Turn): Promise<PendingInput[]> {
    if (isHiddenFrom(loaders.viewer, turn)) return [];
    return loaders.many(this.service, this.service.listOf, 'turnId', turn.id);
  }
}

/** What an interface's resolver tells of all its types. */
@Resolver(() => PendingInputModel)
export class PendingInputResolver {
  constructor(private readonly service: PendingInputs) {}

  /** Events of earlier versions do not say it. */
  @ResolveField('kind')
  kind(@Parent() { kind = 'APPROVAL' }: { kind?: PendingInputKind }): PendingInputKind {
    return kind;
  }

  @ResolveField(() => String, {
    nullable: true,
    description: 'Who asked the question of the turn; null for those who may not decide.',
  })
  async askedByName(
    @OperationLoaders() loaders: Loaders,
    @Parent() { id }: ShownInput,
  ): Promise<string | null> {
    return (await this.question(loaders, id))?.name ?? null;
  }

  @ResolveField(() => String, {
    nullable: true,
    description:
      'What that question was, its first 500 characters, so that one can judge what is asked for; null for those who may not decide.',
  })
  async askedIn(@OperationLoaders() loaders: Loaders, @Parent() { id }: ShownInput): Promise<string | null> {
    return (await this.question(loaders, id))?.question ?? null;
  }

  private question(loaders: Loaders, id: string): Promise<TurnQuestion | null> {
    return loaders.one(this.service, this.service.listQuestions, id);
  }
}
