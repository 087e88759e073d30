import { Parent, ResolveField, Resolver } from '@nestjs/graphql';

import { CurrentViewer, OperationLoaders } from '../auth/current-viewer.decorator.js';
import { LoaderKey, type Loaders } from '../auth/graphql-context.js';
import type { Viewer } from '../auth/viewer.js';
import { loadById } from '../common/schema/load-many.js';
import { MessageModel } from '../conversations/conversation.model.js';
import type { Message } from '../conversations/message.entity.js';
import type { Turn } from './turn.entity.js';
import { TurnModel } from './turn.model.js';
import { TurnsService } from './turns.service.js';

const turnsOfMessages = new LoaderKey<Turn | null>();

@Resolver(() => MessageModel)
export class MessageTurnResolver {
  constructor(private readonly turns: TurnsService) {}

  @ResolveField(() => TurnModel, {
    nullable: true,
    description: 'The turn it belongs to; null for imported history, and when it was just removed.',
  })
  turn(
    @CurrentViewer() viewer: Viewer,
    @OperationLoaders() loaders: Loaders,
    @Parent() { turnId }: Message,
  ): Promise<Turn | null> | null {
    if (turnId === null) return null;
    return loaders
      .of(turnsOfMessages, () => loadById((ids) => this.turns.findMany(viewer, ids)))
      .load(turnId);
  }
}
