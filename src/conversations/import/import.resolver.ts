import { Args, Mutation, Resolver } from '@nestjs/graphql';

import { CurrentViewer } from '../../auth/current-viewer.decorator.js';
import type { Viewer } from '../../auth/viewer.js';
import type { Conversation } from '../conversation.entity.js';
import { ConversationModel } from '../conversation.model.js';
import { ImportConversationInput } from './import.model.js';
import { ConversationImports } from './conversation-imports.service.js';

@Resolver(() => ConversationModel)
export class ImportResolver {
  constructor(private readonly imports: ConversationImports) {}

  @Mutation(() => ConversationModel, {
    description:
      'Stores a conversation that took place in another system as the viewer’s own. It can be gone on with, and is ' +
      'recalled like any other from the moment this answers.',
  })
  importConversation(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The conversation.' }) input: ImportConversationInput,
  ): Promise<Conversation> {
    return this.imports.import(viewer, input);
  }
}
