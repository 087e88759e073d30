import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@palabre/json';

import type { Role } from '../companies/auth/viewer.js';
import { Clock } from '../common/clock.js';
import { DomainError, notFound } from '../common/errors/domain-error.js';
import { isId, newIdAfter } from '../common/ids.js';
import { AuditService } from '../companies/audit/audit.service.js';
import { awaitAll, type Transaction } from '../platform/database/transaction.js';
import { checkMemory, checkRevision, attributesAfter, saysTheSame } from './memory-input.js';
import { memoriesForgotten } from './memory.events.js';
import { DomainEvents } from '../platform/events/domain-events.js';
import { operation } from '../platform/tracing/semantic-names.js';
import { type Attributes, inSpan } from '../platform/tracing/span.js';
import { MemoryIndex } from './memory-index.service.js';
import type { Memory, MemoryKind, MemorySource } from './memory.entity.js';
import { MemoryRepository } from './memory.repository.js';
import { SeenMemoryRepository } from './seen-memory.repository.js';

export const MAX_MEMORIES = 200_000;

/** The member who writes: a viewer, or the member for whose turn a skill or job runs. */
export interface Noter {
  memberId: string;
  role: Role;
}

export interface NewMemory {
  kind: MemoryKind;
  subject: string;
  content: string;
  attributes?: JsonObject | null | undefined;
  /** For the whole company. Only admins may say so. */
  shared?: boolean | null | undefined;
  source: MemorySource;
  sourceMessageId: string | null;
  /** Since when it holds. Left out: now. */
  validFrom?: Date;
}

export interface Noted {
  memory: Memory;
  /** The version that it replaced. Null: the subject is new, or nothing changed and `memory` is the existing one. */
  superseded: Memory | null;
  isNew: boolean;
}

/** Unchecked changes to a memory. Missing and null fields stay. */
export interface Revision {
  content?: string | null | undefined;
  /** Replaces all attributes. For projects and contacts only the given ones change, and null removes one. */
  attributes?: JsonObject | null | undefined;
  /** Left out: a person. */
  source?: MemorySource;
  sourceMessageId?: string | null;
}

type Version = Pick<
  Memory,
  'ownerId' | 'kind' | 'subject' | 'subjectKey' | 'content' | 'attributes' | 'source' | 'sourceMessageId'
>;

/** The only writer of memories. It locks their owner until `tx` ends, which serialises the changes. */
@Injectable()
export class MemoryWriter {
  constructor(
    private readonly memories: MemoryRepository,
    private readonly seen: SeenMemoryRepository,
    private readonly index: MemoryIndex,
    private readonly events: DomainEvents,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** Replaces the one of this subject. Rejects with BAD_USER_INPUT, FORBIDDEN or CONFLICT (too many, or newer). */
  note(tx: Transaction, noter: Noter, memory: NewMemory): Promise<Noted> {
    const attributes: Attributes = { operation: operation.upsertMemory };
    return inSpan(
      operation.upsertMemory,
      () => ({ attributes }),
      () => this.keep(tx, noter, memory),
    );
  }

  private async keep(tx: Transaction, noter: Noter, memory: NewMemory): Promise<Noted> {
    const { shared, attributes: given, ...said } = checkMemory(memory);
    const ownerId = shared ? null : noter.memberId;
    requireRightTo(noter, ownerId);
    const [inForce, current] = await awaitAll([
      this.memories.lockOwner(tx, ownerId),
      this.memories.findOfSubject(tx, { ...said, ownerId }),
    ]);
    const attributes = attributesAfter(current, { ...said, attributes: given }, ['input', 'attributes']);
    if (current && saysTheSame(current, { ...said, attributes }))
      return { memory: current, superseded: null, isNew: false };
    if (!current && inForce >= MAX_MEMORIES) throw tooMany(ownerId);
    const { source, sourceMessageId, validFrom } = memory;
    if (current && validFrom && current.validFrom > validFrom) throw newerIsKnown();
    const version = { ...said, ownerId, attributes, source, sourceMessageId };
    const stored = await this.store(tx, noter, version, { current, validFrom });
    return { memory: stored, superseded: current, isNew: true };
  }

  /** The same memory if nothing changes. Rejects with NOT_FOUND, FORBIDDEN, BAD_USER_INPUT or CONFLICT (superseded). */
  async revise(tx: Transaction, noter: Noter, id: string, revision: Revision): Promise<Memory> {
    const current = await this.lock(tx, noter, id);
    const given = checkRevision(current.kind, revision);
    if (current.supersededBy !== null) {
      const inForce = await this.seen.findInForce(tx, noter.memberId, current.lineageId);
      throw superseded(inForce?.id ?? current.supersededBy);
    }
    const said = {
      kind: current.kind,
      subject: current.subject,
      content: given.content ?? current.content,
    };
    // Without new attributes the old ones stay, also with new content.
    const attributes =
      given.attributes === null
        ? current.attributes
        : attributesAfter(current, { ...said, attributes: given.attributes }, ['attributes']);
    if (saysTheSame(current, { ...said, attributes })) return current;
    const { source = 'MEMBER', sourceMessageId = null } = revision;
    const { ownerId, subjectKey } = current;
    const version = { ...said, ownerId, subjectKey, attributes, source, sourceMessageId };
    return this.store(tx, noter, version, { current });
  }

  /**
   * Forgets a version and all earlier ones, oldest first (see memoriesForgotten). Rejects with NOT_FOUND, FORBIDDEN.
   */
  async forget(tx: Transaction, noter: Noter, id: string): Promise<Memory[]> {
    const memory = await this.lock(tx, noter, id);
    const [versions] = await awaitAll([
      this.memories.listUpTo(tx, memory),
      this.memories.deleteUpTo(tx, memory),
      this.memories.noteForgotten(tx, memory.ownerId, this.clock.now()),
    ]);
    if (memory.supersededBy === null)
      await awaitAll([this.index.remove(tx, memory), this.memories.count(tx, memory.ownerId, -1)]);
    await this.record(tx, noter, 'memory.forgotten', memory);
    await this.events.emit(tx, memoriesForgotten, versions);
    return versions;
  }

  /** Locks the owner of a version that `noter` may change, and then reads this version again. */
  private async lock(tx: Transaction, noter: Noter, id: string): Promise<Memory> {
    const [seen] = isId(id) ? await this.seen.findMany(tx, noter.memberId, [id]) : [];
    if (!seen) throw notFound('memory');
    requireRightTo(noter, seen.ownerId);
    const [, [memory]] = await awaitAll([
      this.memories.lockOwner(tx, seen.ownerId),
      this.seen.findMany(tx, noter.memberId, [id]),
    ]);
    // The memory was forgotten before we got the lock.
    if (!memory) throw notFound('memory');
    return memory;
  }

  private async store(
    tx: Transaction,
    noter: Noter,
    version: Version,
    { current, validFrom }: { current: Memory | null; validFrom?: Date | undefined },
  ): Promise<Memory> {
    const now = this.clock.now();
    const id = newIdAfter(current?.id ?? null);
    const memory: Memory = {
      ...version,
      companyId: tx.companyId,
      id,
      lineageId: current?.lineageId ?? id,
      createdBy: noter.memberId,
      validFrom: validFrom ?? now,
      supersededBy: null,
      supersededAt: null,
      createdAt: now,
    };
    await awaitAll([
      // Before the insert: a unique index allows one version in force of a subject.
      current ? this.memories.supersede(tx, current.id, memory) : this.memories.count(tx, memory.ownerId, 1),
      this.memories.insert(tx, memory),
      this.index.put(tx, memory, current),
      this.record(tx, noter, current ? 'memory.updated' : 'memory.remembered', memory),
    ]);
    return memory;
  }

  /** Audits changes to shared memories, without their content, which may be forgotten later. */
  private async record(tx: Transaction, noter: Noter, action: string, memory: Memory): Promise<void> {
    if (memory.ownerId !== null) return;
    const { id, kind, lineageId } = memory;
    await this.audit.record(tx, noter.memberId, action, id, { kind, firstVersion: lineageId });
  }
}

function requireRightTo({ role }: Noter, ownerId: string | null): void {
  if (ownerId !== null || role !== 'MEMBER') return;
  throw new DomainError('FORBIDDEN', 'Only admins may change what the whole company shares.');
}

function tooMany(ownerId: string | null): DomainError {
  return new DomainError(
    'CONFLICT',
    `${ownerId === null ? 'The company has' : 'You have'} ${MAX_MEMORIES} memories already. Forget some of them first.`,
    { limit: MAX_MEMORIES },
  );
}

function newerIsKnown(): DomainError {
  return new DomainError('CONFLICT', 'Something newer is known.');
}

function superseded(inForceId: string): DomainError {
  return new DomainError(
    'CONFLICT',
    'There is a newer version of this memory. Read that one, and change it if it still needs to be.',
    { inForceId },
  );
}
