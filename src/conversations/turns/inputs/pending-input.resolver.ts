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
    description: `The pending approvals, oldest first, at most ${MAX_PENDING}. Admins get those of the whole company, other members those of their own turns.`,
  })
  pendingApprovals(@CurrentViewer() viewer: Viewer): Promise<PendingInput[]> {
    return this.service.listApprovals(viewer);
  }

  @Mutation(() => ApprovalModel, {
    description:
      'Approves or denies a skill call, and the turn continues. For admins, and for the asker if the skill’s current settings allow it. Repeating the answer has no effect. A different answer is a CONFLICT, and so is approving a call that can no longer be made.',
  })
  resolveApproval(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The answer.' }) input: ResolveApprovalInput,
  ): Promise<PendingInput> {
    return this.service.resolve(viewer, input);
  }

  @Query(() => PendingInputConnection, {
    description:
      'The inputs that the viewer may give, oldest first: those of their own turns, and for admins all approvals of the company. An approval of one’s own turn is included if the skill let the asker answer when it was requested.',
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
      'Answers an input of a turn. The turn continues when all its inputs are answered. Admins answer approvals, and so does the asker if the skill allows it. Only the turn’s member answers other inputs. Repeating the same answer has no effect. A different or late answer is a CONFLICT.',
  })
  async answerInput(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The answer.' }) input: AnswerInputInput,
  ): Promise<ShownInput> {
    return shownInput(await this.service.answer(viewer, { ...input }));
  }

  @ResolveField(() => [ApprovalModel], {
    complexity: listCost(2),
    description: 'The approvals that were requested, in order.',
  })
  async approvals(@OperationLoaders() loaders: Loaders, @Parent() turn: Turn): Promise<PendingInput[]> {
    return (await this.inputsOf(loaders, turn)).filter(({ kind }) => kind === 'APPROVAL');
  }

  @ResolveField('pendingInputs', () => [PendingInputModel], {
    complexity: listCost(2),
    description: 'All inputs it has waited for, in order, with their status.',
  })
  async pendingInputsOf(@OperationLoaders() loaders: Loaders, @Parent() turn: Turn): Promise<ShownInput[]> {
    return (await this.inputsOf(loaders, turn)).map(shownInput);
  }

  private async inputsOf(loaders: Loaders, turn: Turn): Promise<PendingInput[]> {
    if (isHiddenFrom(loaders.viewer, turn)) return [];
    return loaders.many(this.service, this.service.listOf, 'turnId', turn.id);
  }
}

/** Fields that all types of the interface share. */
@Resolver(() => PendingInputModel)
export class PendingInputResolver {
  constructor(private readonly service: PendingInputs) {}

  /** Events of earlier versions do not have it. */
  @ResolveField('kind')
  kind(@Parent() { kind = 'APPROVAL' }: { kind?: PendingInputKind }): PendingInputKind {
    return kind;
  }

  @ResolveField(() => String, {
    nullable: true,
    description: 'Who asked the turn’s question. Null for viewers who may not decide.',
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
      'The first 500 characters of that question, as context for the decision. Null for viewers who may not decide.',
  })
  async askedIn(@OperationLoaders() loaders: Loaders, @Parent() { id }: ShownInput): Promise<string | null> {
    return (await this.question(loaders, id))?.question ?? null;
  }

  private question(loaders: Loaders, id: string): Promise<TurnQuestion | null> {
    return loaders.one(this.service, this.service.listQuestions, id);
  }
}
