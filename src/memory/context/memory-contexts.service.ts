import { Inject, Injectable } from '@nestjs/common';

import { Calendar } from '../../common/calendar.js';
import { checkInput } from '../../common/check-input.js';
import { Clock } from '../../common/clock.js';
import { badInput, notFound } from '../../common/errors/domain-error.js';
import { isId } from '../../common/ids.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import type { Assistant } from '../../companies/assistants/assistant.repository.js';
import { AssistantsService } from '../../companies/assistants/assistants.service.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { ConversationsService } from '../../conversations/conversations.service.js';
import { messageScopeOf } from '../../conversations/message-index.service.js';
import { MessagePathRepository } from '../../conversations/message-path.repository.js';
import { StartTurn } from '../../conversations/turns/start/start-turn.js';
import { SearchIndex } from '../../documents/search-index/search-index.service.js';
import { isUntouched, type PreparedQuery } from '../../documents/search-index/search.js';
import { awaitAll, type Transaction } from '../../platform/database/transaction.js';
import { Database } from '../../platform/database/database.js';
import { memoryScopesOf } from '../memory-index.service.js';
import { ContextBuilder } from './context-builder.service.js';
import { ContextCache } from './context-cache.service.js';
import {
  CONTEXT_BUDGET_TOKENS,
  type ContextItem,
  type ContextRequest,
  type MemoryContext,
  historyLimit,
  shownFromOf,
} from './memory-context.js';

/** The memory contexts of turns, from the cache or newly built. */
@Injectable()
export class MemoryContexts {
  constructor(
    private readonly database: Database,
    private readonly index: SearchIndex,
    private readonly builder: ContextBuilder,
    private readonly cache: ContextCache,
    private readonly calendar: Calendar,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Changes whenever the member's or shared memories, or the member's messages, change. One statement. */
  version(tx: Transaction, memberId: string): Promise<string> {
    return this.index.version(tx, [...memoryScopesOf(memberId), messageScopeOf(memberId)]);
  }

  /** A number that changes whenever the context of any turn of the company may have changed. */
  stateOf(companyId: string): number {
    return this.index.stateOf(companyId);
  }

  /** Whether the member and the company have never had a memory, nor the member a message. One statement. */
  async isBlank(tx: Transaction, memberId: string): Promise<boolean> {
    return isUntouched(await this.version(tx, memberId));
  }

  /** Reads the context in transactions of its own. The embedder is called outside of them. */
  async read(companyId: string, asked: ContextRequest, signal: AbortSignal): Promise<MemoryContext> {
    const request = this.dayOf(asked);
    // Every model call comes here, and usually nothing has changed.
    const { known } = await this.database.readAtOnce(companyId, (tx) => this.lookUp(tx, request));
    if (known) return known;
    const query = await this.index.prepare(request.message, signal);
    return this.database.read(companyId, (tx) => this.build(tx, request, query));
  }

  /** Reads or builds the context. `query` is the prepared message. */
  async build(tx: Transaction, asked: ContextRequest, query: PreparedQuery): Promise<MemoryContext> {
    const since = performance.now();
    const request = this.dayOf(asked);
    // The version is read first: a later change then makes the context newer than its version, never older.
    const { version, known } = await this.lookUp(tx, request);
    if (known) return known;
    const context = await this.builder.build(tx, request, query);
    // Not cached without the embedder, which may work the next time.
    if (query.warning === null) this.cache.put(tx.companyId, request, version, context);
    this.log(tx.companyId, request, context, performance.now() - since);
    return context;
  }

  /** Looks the context up in the cache. `known` null: it has to be built. */
  private async lookUp(
    tx: Transaction,
    request: ContextRequest,
  ): Promise<{ version: string; known: MemoryContext | null }> {
    const since = performance.now();
    const version = await this.version(tx, request.memberId);
    const known = isUntouched(version) ? nothing : this.cache.find(tx.companyId, request, version);
    if (known) this.log(tx.companyId, request, known, performance.now() - since);
    return { version, known };
  }

  /** Rounds the time to the day, so that a question gets the same context all day. */
  private dayOf(request: ContextRequest): ContextRequest {
    return { ...request, now: this.calendar.startOfDay(request.now) };
  }

  /** Logs ids only. The text, which is private, is logged at the level trace. */
  private log(companyId: string, request: ContextRequest, context: MemoryContext, ms: number): void {
    if (!this.logger.isLevelEnabled('debug')) return;
    const { memberId, conversation, assistant } = request;
    const { text, tokens, items, omitted, cached } = context;
    const facts = { companyId, memberId, conversationId: conversation?.id ?? null, assistant: assistant.key };
    const took = Math.round(10 * ms) / 10;
    this.logger.debug(
      { ...facts, sections: idsOf(items), tokens, omitted, cached, ms: took },
      'memory context',
    );
    this.logger.trace({ ...facts, text }, 'memory context');
  }
}

function idsOf(items: readonly ContextItem[]): Record<string, string[]> {
  const bySection = Map.groupBy(items, ({ section }) => section);
  const ids = ({ memory, messages }: ContextItem): string[] =>
    memory ? [memory.id] : messages.map(({ id }) => id);
  return Object.fromEntries([...bySection].map(([section, told]) => [section, told.flatMap(ids)]));
}

const nothing: MemoryContext = {
  text: '',
  tokens: 0,
  budget: CONTEXT_BUDGET_TOKENS,
  items: [],
  omitted: 0,
  cached: false,
};

/** Checked like startTurn's input. */
const PreviewInput = StartTurn.pick({ message: true, conversationId: true, assistantKey: true });

/** How long to wait for the embedder before doing without it. */
const EMBEDDER_TIMEOUT_MS = 10_000;

/** Shows the memory context that a turn would get now. */
@Injectable()
export class ContextPreviews {
  constructor(
    private readonly database: Database,
    private readonly conversations: ConversationsService,
    private readonly paths: MessagePathRepository,
    private readonly assistants: AssistantsService,
    private readonly contexts: MemoryContexts,
    private readonly clock: Clock,
  ) {}

  /** Rejects with BAD_USER_INPUT or NOT_FOUND. */
  async show(viewer: Viewer, asked: unknown): Promise<MemoryContext> {
    const { message, conversationId, assistantKey } = checkInput(PreviewInput, asked, []);
    const place =
      conversationId === null
        ? { conversation: null, shownFrom: null, assistant: await this.assistant(viewer, assistantKey) }
        : await this.placeIn(viewer, conversationId, assistantKey);
    const request = { memberId: viewer.id, message, now: this.clock.now(), leaf: null, ...place };
    return this.contexts.read(viewer.companyId, request, AbortSignal.timeout(EMBEDDER_TIMEOUT_MS));
  }

  private async placeIn(viewer: Viewer, conversationId: string, assistantKey: string | null): Promise<Place> {
    if (!isId(conversationId)) throw notFound('conversation');
    return this.database.read(viewer.companyId, async (tx) => {
      const conversation = await this.conversations.get(tx, viewer.id, conversationId);
      const [assistant, last] = await awaitAll([
        this.assistants.get(tx, conversation.assistantId),
        this.paths.listLastShown(tx, conversationId, historyLimit),
      ]);
      if (assistantKey !== null && assistantKey !== assistant.key)
        throw badInput(['assistantKey'], 'This conversation is with another assistant.');
      return { conversation, assistant, shownFrom: shownFromOf(last) };
    });
  }

  /** The assistant of this key. Without a key, the first that recalls conversations: its contexts show most. */
  private async assistant(viewer: Viewer, key: string | null): Promise<Assistant> {
    const all = await this.assistants.list(viewer);
    const chosen =
      key === null
        ? (all.find(({ recallsConversations }) => recallsConversations) ?? all[0])
        : all.find((one) => one.key === key);
    if (!chosen) throw notFound('assistant');
    return chosen;
  }
}

type Place = Pick<ContextRequest, 'conversation' | 'assistant' | 'shownFrom'>;
