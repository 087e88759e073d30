import { Injectable } from '@nestjs/common';
import type { JsonValue } from '@palabre/json';

import type { ErasedTexts } from '../conversations/turns/erasure/eraser.js';
import { TraceErasure } from '../conversations/turns/erasure/trace-erasure.service.js';
import type { Transaction } from '../platform/database/transaction.js';
import { DomainEvents } from '../platform/events/domain-events.js';
import type { Memory } from './memory.entity.js';
import { memoriesForgotten } from './memory.events.js';

/** Erases forgotten memories from stored turns, and excludes their source messages from recall. */
@Injectable()
export class ForgottenMemories {
  constructor(
    private readonly traces: TraceErasure,
    events: DomainEvents,
  ) {
    events.on(memoriesForgotten, (tx, memories) => this.forget(tx, memories));
  }

  private async forget(tx: Transaction, memories: readonly Memory[]): Promise<void> {
    const [first] = memories;
    if (!first) return;
    const sources = memories.flatMap(({ sourceMessageId }) => sourceMessageId ?? []);
    await this.traces.withholdSources(tx, [...new Set(sources)]);
    const since = Math.min(...memories.map(({ createdAt }) => createdAt.getTime()));
    await this.traces.begin(tx, {
      ownerId: first.ownerId,
      documentId: null,
      ...forgottenTexts(memories),
      since: new Date(since),
    });
  }
}

/** Shorter contents may be everyday words. */
const MIN_CONTENT_CHARACTERS = 8;

/** Shorter attributes may be everyday phrases: a status, a company's name. */
const MIN_ATTRIBUTE_CHARACTERS = 20;

/** Shorter numbers occur everywhere, and are not worth erasing. */
const MIN_NUMBER_CHARACTERS = 4;

export function forgottenTexts(
  memories: readonly Pick<Memory, 'subject' | 'content' | 'attributes'>[],
): ErasedTexts {
  const texts = new Set<string>();
  const shortTexts = new Set<string>();
  for (const { subject, content, attributes } of memories) {
    shortTexts.add(subject);
    (content.length >= MIN_CONTENT_CHARACTERS ? texts : shortTexts).add(content);
    for (const value of textsIn(attributes))
      (value.length >= MIN_ATTRIBUTE_CHARACTERS || isEmail(value) ? texts : shortTexts).add(value);
  }
  return { texts: longestFirst(texts), shortTexts: longestFirst(shortTexts) };
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (typeof value === 'number') return String(value).length >= MIN_NUMBER_CHARACTERS ? [String(value)] : [];
  return value === null || typeof value === 'boolean' ? [] : Object.values(value).flatMap(textsIn);
}

function isEmail(text: string): boolean {
  return /^\S+@\S+\.\S+$/u.test(text);
}

/** A text may contain another one, and has to be erased first. */
function longestFirst(texts: ReadonlySet<string>): string[] {
  return [...texts].toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1));
}
