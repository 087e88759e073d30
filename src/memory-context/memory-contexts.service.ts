import { Inject, Injectable } from '@nestjs/common';

import { Calendar } from '../common/calendar.js';
import { LOGGER, type Logger } from '../common/process/logger.js';
import { messageScopeOf } from '../conversations/indexing/message-scope.js';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { memoryScopesOf } from '../memory/memory-reader.service.js';
import { SearchIndex } from '../search/search-index.service.js';
import { isUntouched, type PreparedQuery } from '../search/search.js';
import { ContextCache } from './context-cache.service.js';
import { ContextMaker } from './context-maker.service.js';
import {
  CONTEXT_BUDGET_TOKENS,
  type ContextItem,
  type ContextRequest,
  type MemoryContext,
} from './memory-context.js';

/** What a turn is told of what is remembered of its member and for its company. */
@Injectable()
export class MemoryContexts {
  constructor(
    private readonly database: Database,
    private readonly index: SearchIndex,
    private readonly maker: ContextMaker,
    private readonly cache: ContextCache,
    private readonly calendar: Calendar,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Another text as soon as anything that a context of the member's is made of has changed. One statement. */
  version(tx: Transaction, memberId: string): Promise<string> {
    return this.index.version(tx, [...memoryScopesOf(memberId), messageScopeOf(memberId)]);
  }

  /** Whether nothing was ever noted or said that a context of the member's could be made of. One statement. */
  async isBlank(tx: Transaction, memberId: string): Promise<boolean> {
    return isUntouched(await this.version(tx, memberId));
  }

  /** The context, in transactions of its own: an embedder, where there is one, is asked outside of them. */
  async read(companyId: string, asked: ContextRequest, signal: AbortSignal): Promise<MemoryContext> {
    const request = this.dayOf(asked);
    // Mostly nothing is there, or nothing has changed, and every model call asks.
    const { known } = await this.database.readAtOnce(companyId, (tx) => this.look(tx, request));
    if (known) return known;
    const query = await this.index.prepare(request.message, signal);
    return this.database.read(companyId, (tx) => this.build(tx, request, query));
  }

  /** The context, with `query` made of the message. */
  async build(tx: Transaction, asked: ContextRequest, query: PreparedQuery): Promise<MemoryContext> {
    const since = performance.now();
    const request = this.dayOf(asked);
    // Before all the rest: what changes in between makes the context newer than its version, never older.
    const { version, known } = await this.look(tx, request);
    if (known) return known;
    const context = await this.maker.make(tx, request, query);
    // An embedder that did not answer may answer the next time.
    if (query.warning === null) this.cache.keep(tx.companyId, request, version, context);
    this.log(tx.companyId, request, context, performance.now() - since);
    return context;
  }

  /** The context as far as it is known already; null: it has to be made. */
  private async look(
    tx: Transaction,
    request: ContextRequest,
  ): Promise<{ version: string; known: MemoryContext | null }> {
    const since = performance.now();
    const version = await this.version(tx, request.memberId);
    const known = isUntouched(version) ? nothing : this.cache.find(tx.companyId, request, version);
    if (known) this.log(tx.companyId, request, known, performance.now() - since);
    return { version, known };
  }

  /** Nothing finer than the day: a question gets the same context for as long as its date. */
  private dayOf(request: ContextRequest): ContextRequest {
    return { ...request, now: this.calendar.startOfDay(request.now) };
  }

  /** What it tells of is not for the log: ids are, and on request the whole. */
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

const idsOf = (items: readonly ContextItem[]): Record<string, string[]> => {
  const bySection = Map.groupBy(items, ({ section }) => section);
  const ids = ({ memory, messages }: ContextItem): string[] =>
    memory ? [memory.id] : messages.map(({ id }) => id);
  return Object.fromEntries([...bySection].map(([section, told]) => [section, told.flatMap(ids)]));
};

const nothing: MemoryContext = {
  text: '',
  tokens: 0,
  budget: CONTEXT_BUDGET_TOKENS,
  items: [],
  omitted: 0,
  cached: false,
};
