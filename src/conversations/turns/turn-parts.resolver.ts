import { Parent, ResolveField, Resolver } from '@nestjs/graphql';

import { RemovedMeanwhile } from '../../common/errors/domain-error.js';
import type { JsonValue } from '../../common/json.js';
import { listCost, MAX_COST } from '../../common/schema/cost.js';
import { loadById } from '../../common/schema/load-many.js';
import { Json } from '../../common/schema/scalars.js';
import { CurrentViewer, OperationLoaders } from '../../companies/auth/current-viewer.decorator.js';
import { LoaderKey, type Loaders } from '../../companies/auth/graphql-context.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { FileModel } from '../../companies/files/file.model.js';
import type { StoredFile } from '../../companies/files/stored-file.entity.js';
import { MAX_FILES_OF_TURN, StoredFilesService } from '../../companies/files/stored-files.service.js';
import type { Conversation } from '../conversation.entity.js';
import { ConversationModel, MessageModel } from '../conversation.model.js';
import { ConversationsService } from '../conversations.service.js';
import type { Message } from '../message.entity.js';
import { hiddenCall, hiddenMessage, isHiddenFrom } from './hidden-content.js';
import { ModelCalls } from './model-calls/model-calls.service.js';
import { SkillCallResults } from './skill-call-results.service.js';
import type { SkillCall } from './skill-call.entity.js';
import type { Turn } from './turn.entity.js';
import type { TurnError as StoredError } from './turn-event.js';
import { ModelCallModel, SkillCallModel, TurnError, TurnErrorCode, TurnModel } from './turn.model.js';
import { TurnsService } from './turns.service.js';

/** Loaders of what belongs to turns: one query per operation, however many turns are shown. */
const conversationsOfTurns = new LoaderKey<Conversation | null>();
const messagesOfTurns = new LoaderKey<Message | null>();
const filesByTurn = new LoaderKey<StoredFile[]>();
const skillCallsByTurn = new LoaderKey<SkillCall[]>();

/** A turn's prompts are megabytes: one operation can ask for those of about two dozen turns. */
const PROMPTS_COST = MAX_COST / 25;

@Resolver(() => TurnModel)
export class TurnPartsResolver {
  constructor(
    private readonly turns: TurnsService,
    private readonly conversations: ConversationsService,
    private readonly modelCalls: ModelCalls,
    private readonly stored: StoredFilesService,
  ) {}

  @ResolveField(() => ConversationModel, { description: 'The conversation it belongs to.' })
  conversation(
    @CurrentViewer() viewer: Viewer,
    @OperationLoaders() loaders: Loaders,
    @Parent() turn: Turn,
  ): Promise<Conversation> {
    const loader = loaders.of(
      conversationsOfTurns,
      loadById((ids) => this.conversations.findOfCompany(viewer, ids)),
    );
    return present(loader.load(turn.conversationId));
  }

  @ResolveField(() => MessageModel, { description: 'The member’s message.' })
  question(
    @CurrentViewer() viewer: Viewer,
    @OperationLoaders() loaders: Loaders,
    @Parent() turn: Turn,
  ): Promise<Message> {
    return present(this.message(viewer, loaders, turn, turn.questionId));
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
    return this.message(viewer, loaders, turn, turn.answerId);
  }

  @ResolveField(() => [SkillCallModel], {
    complexity: listCost(5),
    description: 'In the order in which they were asked for.',
  })
  async skillCalls(
    @CurrentViewer() viewer: Viewer,
    @OperationLoaders() loaders: Loaders,
    @Parent() turn: Turn,
  ): Promise<SkillCall[]> {
    const loader = loaders.of(skillCallsByTurn, async (ids) => {
      const byTurn = Map.groupBy(await this.turns.listSkillCalls(viewer, ids), ({ turnId }) => turnId);
      return ids.map((id) => byTurn.get(id) ?? []);
    });
    const calls = await loader.load(turn.id);
    return isHiddenFrom(viewer, turn) ? calls.map(hiddenCall) : calls;
  }

  @ResolveField(() => [FileModel], {
    complexity: listCost(5),
    description: `The files that skills have made in it so far, such as a report, in that order; the first ${MAX_FILES_OF_TURN}. An answer names them and has no links to them: show them below it. One that was deleted is missing.`,
  })
  files(
    @CurrentViewer() viewer: Viewer,
    @OperationLoaders() loaders: Loaders,
    @Parent() turn: Turn,
  ): Promise<StoredFile[]> | StoredFile[] {
    if (isHiddenFrom(viewer, turn)) return [];
    const loader = loaders.of(filesByTurn, async (ids) => {
      const byTurn = Map.groupBy(await this.stored.listOfTurns(viewer, ids), ({ turnId }) => turnId);
      return ids.map((id) => byTurn.get(id) ?? []);
    });
    return loader.load(turn.id);
  }

  @ResolveField('modelCalls', () => [ModelCallModel], {
    complexity: PROMPTS_COST,
    description:
      'The model calls of the turn with the exact prompts, in their order; empty unless an admin asks, and once they ' +
      'are past the retention of events. Of another member’s turn without the prompts: see showTurn.',
  })
  listModelCalls(@CurrentViewer() viewer: Viewer, @Parent() turn: Turn): Promise<ModelCallModel[]> {
    return this.modelCallsOf(viewer, turn);
  }

  @ResolveField(() => [ModelCallModel], {
    complexity: PROMPTS_COST,
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

  private async message(viewer: Viewer, loaders: Loaders, turn: Turn, id: string): Promise<Message | null> {
    const loader = loaders.of(
      messagesOfTurns,
      loadById((ids) => this.conversations.findMessages(viewer, ids)),
    );
    const message = await loader.load(id);
    return message && isHiddenFrom(viewer, turn) ? hiddenMessage(message) : message;
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
  @ResolveField(() => TurnErrorCode, { description: 'Why, for programs.' })
  codeValue(@Parent() { code }: StoredError): StoredError['code'] {
    return code;
  }
}

/** Details may be a megabyte each, so only a few are read at a time. */
const MAX_AT_A_TIME = 10;
const DETAILS_COST = 100;

const detailsOfCalls = new LoaderKey<JsonValue | null>();

@Resolver(() => SkillCallModel)
export class SkillCallResolver {
  constructor(private readonly results: SkillCallResults) {}

  @ResolveField('details', () => Json, {
    nullable: true,
    complexity: DETAILS_COST,
    description: 'The whole result, where the model was given less; null when it had all of it.',
  })
  listDetails(
    @CurrentViewer() viewer: Viewer,
    @OperationLoaders() loaders: Loaders,
    @Parent() call: SkillCall,
  ): Promise<JsonValue | null> | null {
    if (call.hidden) return null;
    const options = { maxBatchSize: MAX_AT_A_TIME };
    const loader = loaders.of(detailsOfCalls, (ids) => this.results.findDetails(viewer, ids), options);
    return loader.load(call.id);
  }
}
