import DataLoader from 'dataloader';
import { Parent, ResolveField, Resolver } from '@nestjs/graphql';

import { CurrentViewer, OperationLoaders } from '../auth/current-viewer.decorator.js';
import { LoaderKey, type Loaders } from '../auth/graphql-context.js';
import type { Viewer } from '../auth/viewer.js';
import { listCost } from '../common/schema/cost.js';
import { RemovedMeanwhile } from '../common/errors/domain-error.js';
import { loadById } from '../common/schema/load-many.js';
import type { Conversation } from '../conversations/conversation.entity.js';
import { ConversationModel, MessageModel } from '../conversations/conversation.model.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import type { Message } from '../conversations/message.entity.js';
import type { SkillCall } from './skill-calls/skill-call.entity.js';
import type { Turn } from './turn.entity.js';
import { SkillCallModel, TurnModel } from './turn.model.js';
import { TurnsService } from './turns.service.js';

/** What else there is to a turn: each asked for once an operation, however many turns it shows. */
const conversationsOfTurns = new LoaderKey<Conversation | null>();
const messagesOfTurns = new LoaderKey<Message | null>();
const skillCallsByTurn = new LoaderKey<SkillCall[]>();

@Resolver(() => TurnModel)
export class TurnPartsResolver {
  constructor(
    private readonly turns: TurnsService,
    private readonly conversations: ConversationsService,
  ) {}

  @ResolveField(() => ConversationModel, { description: 'The conversation it belongs to.' })
  conversation(
    @CurrentViewer() viewer: Viewer,
    @OperationLoaders() loaders: Loaders,
    @Parent() turn: Turn,
  ): Promise<Conversation> {
    const loader = loaders.of(conversationsOfTurns, () =>
      loadById((ids) => this.conversations.findMany(viewer, ids)),
    );
    return present(loader.load(turn.conversationId));
  }

  @ResolveField(() => MessageModel, { description: 'The member’s message.' })
  question(
    @CurrentViewer() viewer: Viewer,
    @OperationLoaders() loaders: Loaders,
    @Parent() turn: Turn,
  ): Promise<Message> {
    return present(this.message(viewer, loaders, turn.questionId));
  }

  @ResolveField(() => MessageModel, {
    nullable: true,
    description: 'Null until the turn has ended, and when nothing was said.',
  })
  answer(
    @CurrentViewer() viewer: Viewer,
    @OperationLoaders() loaders: Loaders,
    @Parent() turn: Turn,
  ): Promise<Message | null> {
    return this.message(viewer, loaders, turn.answerId);
  }

  @ResolveField(() => [SkillCallModel], {
    complexity: listCost(5),
    description: 'In the order in which they were asked for.',
  })
  skillCalls(
    @CurrentViewer() viewer: Viewer,
    @OperationLoaders() loaders: Loaders,
    @Parent() turn: Turn,
  ): Promise<SkillCall[]> {
    const loader = loaders.of(
      skillCallsByTurn,
      () =>
        new DataLoader(async (ids) => {
          const byTurn = Map.groupBy(await this.turns.listSkillCalls(viewer, ids), ({ turnId }) => turnId);
          return ids.map((id) => byTurn.get(id) ?? []);
        }),
    );
    return loader.load(turn.id);
  }

  private message(viewer: Viewer, loaders: Loaders, id: string): Promise<Message | null> {
    const loader = loaders.of(messagesOfTurns, () =>
      loadById((ids) => this.conversations.findMessages(viewer, ids)),
    );
    return loader.load(id);
  }
}

/** What every turn has; without it, the turn was removed since it was read. */
const present = async <Part>(part: Promise<Part | null>): Promise<Part> => {
  const found = await part;
  if (!found) throw new RemovedMeanwhile('turn');
  return found;
};
