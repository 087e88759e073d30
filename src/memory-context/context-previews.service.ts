import { Injectable } from '@nestjs/common';

import type { Assistant } from '../assistants/assistant.entity.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import type { Viewer } from '../auth/viewer.js';
import { checkInput } from '../common/check-input.js';
import { Clock } from '../common/clock.js';
import { badInput, notFound } from '../common/errors/domain-error.js';
import { isId } from '../common/ids.js';
import { ConversationsService } from '../conversations/conversations.service.js';
import { Database } from '../database/database.js';
import { together } from '../database/together.js';
import { StartTurn } from '../turns/start/start-turn.js';
import type { ContextRequest, MemoryContext } from './memory-context.js';
import { MemoryContexts } from './memory-contexts.service.js';
import { historyLimit, shownFromOf } from './shown-history.js';

/** What is checked of it, as startTurn does. */
const Asked = StartTurn.pick({ message: true, conversationId: true, assistantKey: true });

/** An embedder that takes longer than this is done without. */
const LONGEST_MS = 10_000;

/** Sorts after every other id. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Shows what a turn would be told if it were asked now. */
@Injectable()
export class ContextPreviews {
  constructor(
    private readonly database: Database,
    private readonly conversations: ConversationsService,
    private readonly assistants: AssistantsService,
    private readonly contexts: MemoryContexts,
    private readonly clock: Clock,
  ) {}

  /** Rejects with BAD_USER_INPUT or NOT_FOUND. */
  async show(viewer: Viewer, asked: unknown): Promise<MemoryContext> {
    const { message, conversationId, assistantKey } = checkInput(Asked, asked, []);
    const place =
      conversationId === null
        ? { conversation: null, shownFrom: null, assistant: await this.assistant(viewer, assistantKey) }
        : await this.placeIn(viewer, conversationId, assistantKey);
    const request = { memberId: viewer.id, message, now: this.clock.now(), ...place };
    return this.contexts.read(viewer.companyId, request, AbortSignal.timeout(LONGEST_MS));
  }

  private async placeIn(viewer: Viewer, conversationId: string, assistantKey: string | null): Promise<Place> {
    if (!isId(conversationId)) throw notFound('conversation');
    return this.database.read(viewer.companyId, async (tx) => {
      const conversation = await this.conversations.get(tx, viewer.id, conversationId);
      const [assistant, last] = await together([
        this.assistants.get(tx, conversation.assistantId),
        this.conversations.listBefore(tx, conversationId, LAST_ID, historyLimit),
      ]);
      if (assistantKey !== null && assistantKey !== assistant.key) {
        throw badInput(['assistantKey'], 'This conversation is with another assistant.');
      }
      return { conversation, assistant, shownFrom: shownFromOf(last) };
    });
  }

  /** The one of this key; without one, the first that recalls conversations, which tells most. */
  private async assistant(viewer: Viewer, key: string | null): Promise<Assistant> {
    const all = await this.assistants.list(viewer);
    const meant =
      key === null
        ? (all.find(({ recallsConversations }) => recallsConversations) ?? all[0])
        : all.find((one) => one.key === key);
    if (!meant) throw notFound('assistant');
    return meant;
  }
}

type Place = Pick<ContextRequest, 'conversation' | 'assistant' | 'shownFrom'>;
