import { Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { JsonValue } from '@palabre/json';

import { RemovedMeanwhile } from '../../common/errors/domain-error.js';
import { listCost, HEAVY_COST } from '../../common/schema/cost.js';
import { Json } from '../../common/schema/fields.js';
import type { Assistant } from '../../companies/assistants/assistant.repository.js';
import { AssistantModel } from '../../companies/assistants/assistant.model.js';
import { AssistantsService } from '../../companies/assistants/assistants.service.js';
import { CurrentViewer, OperationLoaders } from '../../companies/auth/viewer-decorators.js';
import type { Loaders } from '../../companies/auth/graphql-context.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { FileModel } from '../../companies/files/file.model.js';
import type { StoredFile } from '../../companies/files/stored-file.entity.js';
import { MAX_FILES_OF_TURN, StoredFilesService } from '../../companies/files/stored-files.service.js';
import type { Conversation } from '../conversation.repository.js';
import { ConversationModel } from '../conversation.model.js';
import { ConversationsService } from '../conversations.service.js';
import type { Message } from '../message.repository.js';
import { hiddenCall, hiddenMessage, isHiddenFrom } from './hidden-content.js';
import { ModelCalls } from './model-calls/model-calls.service.js';
import { SkillCallResults } from './skill-call-results.service.js';
import type { SkillCall } from './skill-call.entity.js';
import type { Turn } from './turn.entity.js';
import type { TurnError as StoredError } from './turn-event.js';
import { ModelCallModel, SkillCallModel, TurnError, TurnErrorCode, TurnModel } from './turn.model.js';
import { TurnsService } from './turns.service.js';
import { MessageModel } from '../message.model.js';

@Resolver(() => TurnModel)
export class TurnPartsResolver {
  constructor(
    private readonly turns: TurnsService,
    private readonly conversations: ConversationsService,
    private readonly assistants: AssistantsService,
    private readonly modelCalls: ModelCalls,
    private readonly stored: StoredFilesService,
  ) {}

  @ResolveField(() => ConversationModel, { description: 'The conversation of the turn.' })
  conversation(@OperationLoaders() loaders: Loaders, @Parent() turn: Turn): Promise<Conversation> {
    return present(loaders.one(this.conversations, this.conversations.findOfCompany, turn.conversationId));
  }

  @ResolveField(() => AssistantModel, {
    description: 'The assistant that answers: the conversation’s own, or the one given to regenerate.',
  })
  async assistant(@OperationLoaders() loaders: Loaders, @Parent() turn: Turn): Promise<Assistant> {
    const id = turn.assistantId ?? (await this.conversation(loaders, turn)).assistantId;
    return present(loaders.one(this.assistants, this.assistants.findMany, id));
  }

  @ResolveField(() => MessageModel, { description: 'The member’s message.' })
  question(@OperationLoaders() loaders: Loaders, @Parent() turn: Turn): Promise<Message> {
    return present(this.message(loaders, turn, turn.questionId));
  }

  @ResolveField(() => MessageModel, {
    nullable: true,
    description: 'Null until the turn has ended, and if it has no answer.',
  })
  answer(@OperationLoaders() loaders: Loaders, @Parent() turn: Turn): Promise<Message | null> {
    return this.message(loaders, turn, turn.answerId);
  }

  @ResolveField(() => [SkillCallModel], {
    complexity: listCost(5),
    description: 'In the order of the model’s requests.',
  })
  async skillCalls(@OperationLoaders() loaders: Loaders, @Parent() turn: Turn): Promise<SkillCall[]> {
    const calls = await loaders.many(this.turns, this.turns.listSkillCalls, 'turnId', turn.id);
    return isHiddenFrom(loaders.viewer, turn) ? calls.map(hiddenCall) : calls;
  }

  @ResolveField(() => [FileModel], {
    complexity: listCost(5),
    description: `The files that skills made in this turn so far, such as a report, in order: the first ${MAX_FILES_OF_TURN}. Answers mention these files without linking to them, so show them below the answer. Deleted files are omitted.`,
  })
  files(@OperationLoaders() loaders: Loaders, @Parent() turn: Turn): Promise<StoredFile[]> | StoredFile[] {
    if (isHiddenFrom(loaders.viewer, turn)) return [];
    return loaders.many(this.stored, this.stored.listOfTurns, 'turnId', turn.id);
  }

  @ResolveField('modelCalls', () => [ModelCallModel], {
    complexity: HEAVY_COST,
    description:
      'The model calls of the turn with the exact prompts, in order. Empty unless the viewer is an admin, and after the retention period of events. For another member’s turn the prompts are omitted: see showTurn.',
  })
  listModelCalls(@CurrentViewer() viewer: Viewer, @Parent() turn: Turn): Promise<ModelCallModel[]> {
    return this.modelCallsOf(viewer, turn);
  }

  @ResolveField(() => [ModelCallModel], {
    complexity: HEAVY_COST,
    deprecationReason: 'Use modelCalls.',
    description: 'The same as modelCalls.',
  })
  prompts(@CurrentViewer() viewer: Viewer, @Parent() turn: Turn): Promise<ModelCallModel[]> {
    return this.modelCallsOf(viewer, turn);
  }

  private modelCallsOf(viewer: Viewer, turn: Turn): Promise<ModelCallModel[]> {
    if (isHiddenFrom(viewer, turn)) return this.modelCalls.listWithoutPrompts(viewer, turn.id);
    return this.modelCalls.list(viewer, turn.id);
  }

  private async message(loaders: Loaders, turn: Turn, id: string): Promise<Message | null> {
    const message = await loaders.one(this.conversations, this.conversations.findMessages, id);
    return message && isHiddenFrom(loaders.viewer, turn) ? hiddenMessage(message) : message;
  }
}

/** For parts that every turn has: if one is missing, the turn was removed since it was read. */
async function present<Part>(part: Promise<Part | null>): Promise<Part> {
  const found = await part;
  if (!found) throw new RemovedMeanwhile('turn');
  return found;
}

@Resolver(() => TurnError)
export class TurnErrorResolver {
  @ResolveField(() => TurnErrorCode, { description: 'The reason, for programs.' })
  codeValue(@Parent() { code }: StoredError): StoredError['code'] {
    return code;
  }
}

/** Details may be a megabyte each, so only a few are read at a time. */
const MAX_AT_A_TIME = 10;
const DETAILS_COST = 100;

@Resolver(() => SkillCallModel)
export class SkillCallResolver {
  constructor(private readonly results: SkillCallResults) {}

  @ResolveField('details', () => Json, {
    nullable: true,
    complexity: DETAILS_COST,
    description: 'The complete result, if the model got only a part. Null if it got all of it.',
  })
  listDetails(
    @OperationLoaders() loaders: Loaders,
    @Parent() call: SkillCall,
  ): Promise<JsonValue | null> | null {
    if (call.hidden) return null;
    return loaders.each(this.results, this.results.findDetails, call.id, MAX_AT_A_TIME);
  }
}
