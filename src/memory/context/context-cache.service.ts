import { createHash } from 'node:crypto';

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { fold } from '@palabre/lexical';
import { LRUCache } from 'lru-cache';
import { Tokenizer } from '@palabre/llm-client';

import type { Transaction } from '../../platform/database/transaction.js';
import { DomainEvents } from '../../platform/events/domain-events.js';
import { PubSub } from '../../platform/pubsub/pub-sub.js';
import { pathShown } from '../../conversations/conversations.events.js';
import { memoriesForgotten } from '../memory.events.js';
import type { ContextRequest, MemoryContext } from './memory-context.js';

const MAX_LINES = 20_000;
const MAX_CHARACTERS = 4_000_000;

/** Counting takes longer than all other work on a context. */
@Injectable()
export class LineTokens {
  private readonly counts = new LRUCache<string, number>({
    max: MAX_LINES,
    maxSize: MAX_CHARACTERS,
    maxEntrySize: MAX_CHARACTERS / 100,
    sizeCalculation: (_, text) => text.length + 1,
  });

  constructor(private readonly tokens: Tokenizer) {}

  count(text: string): number {
    const known = this.counts.get(text);
    if (known !== undefined) return known;
    const count = this.tokens.count(text);
    this.counts.set(text, count);
    return count;
  }

  clear(): void {
    this.counts.clear();
  }
}

const TOPIC = 'memory.forgotten';
const MAX_CONTEXTS = 2_000;
const MAX_BYTES = 32_000_000;
/** A limit for changes that no version covers, such as those of another assistant's settings. */
const TTL_MS = 600_000;

interface CachedContext {
  companyId: string;
  /** See `stateOf`. */
  state: string;
  context: MemoryContext;
}

/** Valid for one version of the sources. Forgetting a memory drops the company's entries in every replica. */
@Injectable()
export class ContextCache implements OnApplicationShutdown {
  private readonly contexts = new LRUCache<string, CachedContext>({
    max: MAX_CONTEXTS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ context }) => sizeOf(context),
    ttl: TTL_MS,
  });
  private readonly stop: () => void;

  constructor(
    private readonly pubSub: PubSub,
    private readonly lines: LineTokens,
    events: DomainEvents,
  ) {
    events.on(memoriesForgotten, (tx) => this.announce(tx));
    events.on(pathShown, (tx) => this.announce(tx));
    this.stop = pubSub.follow(
      TOPIC,
      (companyId) => this.drop(companyId),
      () => this.clear(),
    );
  }

  onApplicationShutdown(): void {
    this.stop();
  }

  /** `version` is the current version of the member's memories and messages. Null: there is no valid entry. */
  find(companyId: string, request: ContextRequest, version: string): MemoryContext | null {
    const entry = this.contexts.get(keyOf(companyId, request));
    return entry?.state === stateOf(request, version) ? { ...entry.context, cached: true } : null;
  }

  put(companyId: string, request: ContextRequest, version: string, context: MemoryContext): void {
    this.contexts.set(keyOf(companyId, request), { companyId, state: stateOf(request, version), context });
  }

  private announce(tx: Transaction): Promise<void> {
    return this.pubSub.publish(tx, TOPIC, tx.companyId);
  }

  private drop(companyId: string): void {
    for (const [key, entry] of this.contexts.entries())
      if (entry.companyId === companyId) this.contexts.delete(key);
    this.lines.clear();
  }

  private clear(): void {
    this.contexts.clear();
    this.lines.clear();
  }
}

function keyOf(companyId: string, { memberId, conversation, assistant, message }: ContextRequest): string {
  return [companyId, memberId, conversation?.id ?? '', assistant.id, messageKey(message)].join(' ');
}

/** Everything that a context depends on besides its key. The day counts, because messages name days relative to it. */
function stateOf({ conversation, assistant, shownFrom, now }: ContextRequest, version: string): string {
  return JSON.stringify([
    version,
    conversation?.activeProjectId ?? null,
    conversation?.shownBranchId ?? null,
    shownFrom,
    assistant.recallsConversations,
    assistant.language,
    now.toISOString(),
  ]);
}

const ITEM_BYTES = 1_000;

/** A rough estimate in bytes, at two bytes a character: the text and the rows that it was made of. */
function sizeOf({ text, items }: MemoryContext): number {
  return items.reduce(
    (sum, { text, messages }) =>
      messages.reduce((more, message) => more + 2 * message.text.length, sum + 4 * text.length),
    2 * text.length + ITEM_BYTES * (items.length + 1),
  );
}

/** For comparing texts: without case, accents, punctuation and extra white space. */
export function normalizeText(text: string): string {
  return fold(text)
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

// Normalizing would change the meaning of e-mail addresses, numbers and names of one or two letters.
const addressOrNumber = /[@\p{N}]/u;
const shortName = /(?<![\p{L}\p{N}])\p{L}{1,2}(?![\p{L}\p{N}])/gu;

/** Word by word: one pattern that looks for @ in the middle of a word would take quadratic time. */
function exactWords(message: string): string[] {
  return message
    .split(/\s+/u)
    .flatMap((word) => (addressOrNumber.test(word) ? [word] : (word.match(shortName) ?? [])));
}

/** The same for messages that ask the same in other spellings. A hash, so that the cache does not keep messages. */
export function messageKey(message: string): string {
  return createHash('sha256')
    .update(normalizeText(message))
    .update('\0')
    .update(exactWords(message).join(' '))
    .digest('base64url');
}
