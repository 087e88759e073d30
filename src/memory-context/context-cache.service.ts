import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import type { Transaction } from '../database/transaction.js';
import { MemoryHooks } from '../memory/memory-hooks.js';
import { PubSub } from '../pubsub/pub-sub.js';
import { LineTokens } from './line-tokens.service.js';
import { messageShape } from './material/message-shape.js';
import type { ContextRequest, MemoryContext } from './memory-context.js';

const TOPIC = 'memory.forgotten';
const MOST_CONTEXTS = 2_000;
const MOST_BYTES = 32_000_000;
/** What no version tells of, such as another assistant's settings, is looked at again after so long at the latest. */
const LONGEST_MS = 600_000;

interface Kept {
  companyId: string;
  /** Of all that it was made of: see `stateOf`. */
  state: string;
  context: MemoryContext;
}

/**
 * Contexts that were made in this process. One is good for as long as what it was made of is the same, whoever changed
 * it on whichever replica. Once something is forgotten, none of its company's is kept anywhere.
 */
@Injectable()
export class ContextCache implements OnApplicationShutdown {
  private readonly contexts = new LRUCache<string, Kept>({
    max: MOST_CONTEXTS,
    maxSize: MOST_BYTES,
    sizeCalculation: ({ context }) => sizeOf(context),
    ttl: LONGEST_MS,
  });
  private readonly stops: (() => void)[];

  constructor(
    private readonly pubSub: PubSub,
    private readonly lines: LineTokens,
    hooks: MemoryHooks,
  ) {
    hooks.onForgotten((tx) => this.announce(tx));
    this.stops = [
      pubSub.subscribe(TOPIC, (companyId) => this.drop(companyId)),
      pubSub.onGap(() => this.clear()),
    ];
  }

  onApplicationShutdown(): void {
    for (const stop of this.stops) stop();
  }

  /** `version`: of what the member may be told of, read before. Null: it has to be made anew. */
  find(companyId: string, request: ContextRequest, version: string): MemoryContext | null {
    const kept = this.contexts.get(keyOf(companyId, request));
    return kept?.state === stateOf(request, version) ? { ...kept.context, cached: true } : null;
  }

  /** `version`: read before the context was made. */
  keep(companyId: string, request: ContextRequest, version: string, context: MemoryContext): void {
    this.contexts.set(keyOf(companyId, request), { companyId, state: stateOf(request, version), context });
  }

  private announce(tx: Transaction): Promise<void> {
    return this.pubSub.publish(tx, TOPIC, tx.companyId);
  }

  private drop(companyId: string): void {
    for (const [key, kept] of this.contexts.entries())
      if (kept.companyId === companyId) this.contexts.delete(key);
    this.lines.clear();
  }

  private clear(): void {
    this.contexts.clear();
    this.lines.clear();
  }
}

const keyOf = (companyId: string, { memberId, conversation, assistant, message }: ContextRequest): string =>
  [companyId, memberId, conversation?.id ?? '', assistant.id, messageShape(message)].join(' ');

/** Dates in a message are counted from the day on which it is asked. */
const stateOf = ({ conversation, assistant, shownFrom, now }: ContextRequest, version: string): string =>
  JSON.stringify([
    version,
    conversation?.activeProjectId ?? null,
    shownFrom,
    assistant.recallsConversations,
    assistant.language,
    now.toISOString(),
  ]);

const ITEM_BYTES = 1_000;

/** Roughly: of two bytes a character, the text itself and the rows that it was made of. */
const sizeOf = ({ text, items }: MemoryContext): number =>
  items.reduce(
    (sum, { text, messages }) =>
      messages.reduce((more, message) => more + 2 * message.text.length, sum + 4 * text.length),
    2 * text.length + ITEM_BYTES * (items.length + 1),
  );
