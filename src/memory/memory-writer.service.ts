import { Injectable } from '@nestjs/common';

import type { Role } from '../auth/viewer.js';
import { Clock } from '../common/clock.js';
import { DomainError, notFound } from '../common/errors/domain-error.js';
import { isId, newIdAfter } from '../common/ids.js';
import type { JsonObject } from '../common/json.js';
import { AuditService } from '../companies/audit/audit.service.js';
import { together } from '../database/together.js';
import type { Transaction } from '../database/transaction.js';
import { checkMemory, checkRevision } from './input/memory-input.js';
import { attributesAfter, saysTheSame } from './input/new-version.js';
import { MemoryHooks } from './memory-hooks.js';
import { MemoryIndex } from './index/memory-index.service.js';
import type { Memory, MemoryKind, MemorySource } from './memory.entity.js';
import { MemoryRepository } from './memory.repository.js';

const MOST_IN_FORCE = 200_000;

/** Whoever notes something: a viewer, or the member whose turn a skill or a job works for. */
export interface Noter {
  memberId: string;
  role: Role;
}

/** Something to be remembered, not yet checked. */
export interface NewMemory {
  kind: MemoryKind;
  subject: string;
  content: string;
  attributes?: JsonObject | null | undefined;
  /** The whole company's, which admins alone may note. */
  shared?: boolean | null | undefined;
  source: MemorySource;
  sourceMessageId: string | null;
  /** Since when it is so; left out: now. */
  validFrom?: Date;
}

export interface Noted {
  memory: Memory;
  /** What it took the place of; null: the subject is new, or `memory` says nothing new and is the one there was. */
  superseded: Memory | null;
  isNew: boolean;
}

/** What is to be changed of a memory, not yet checked; what is left out or null stays. */
export interface Revision {
  content?: string | null | undefined;
  /** In the place of those there are; of projects and contacts only those that are given, and null takes one out. */
  attributes?: JsonObject | null | undefined;
  /** Left out: a person. */
  source?: MemorySource;
  sourceMessageId?: string | null;
}

type Version = Pick<
  Memory,
  'ownerId' | 'kind' | 'subject' | 'subjectKey' | 'content' | 'attributes' | 'source' | 'sourceMessageId'
>;

/** The only writer of memories. Their owner is held until `tx` ends: nobody else writes theirs meanwhile. */
@Injectable()
export class MemoryWriter {
  constructor(
    private readonly memories: MemoryRepository,
    private readonly index: MemoryIndex,
    private readonly hooks: MemoryHooks,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Notes something. What is in force of the same owner, kind and subject is superseded, or kept when it says the same.
   * Rejects with BAD_USER_INPUT, FORBIDDEN or CONFLICT (too many; what is in force has been so since after `validFrom`).
   */
  async note(tx: Transaction, noter: Noter, memory: NewMemory): Promise<Noted> {
    const { shared, attributes: given, ...said } = checkMemory(memory);
    const ownerId = shared ? null : noter.memberId;
    requireRightTo(noter, ownerId);
    const [inForce, current] = await together([
      this.memories.hold(tx, ownerId),
      this.memories.findOfSubject(tx, { ...said, ownerId }),
    ]);
    const attributes = attributesAfter(current, { ...said, attributes: given }, ['input', 'attributes']);
    if (current && saysTheSame(current, { ...said, attributes })) {
      return { memory: current, superseded: null, isNew: false };
    }
    if (!current && inForce >= MOST_IN_FORCE) throw tooMany(ownerId);
    const { source, sourceMessageId, validFrom } = memory;
    if (current && validFrom && current.validFrom > validFrom) throw newerIsKnown();
    const version = { ...said, ownerId, attributes, source, sourceMessageId };
    const stored = await this.store(tx, noter, version, { current, validFrom });
    return { memory: stored, superseded: current, isNew: true };
  }

  /**
   * A new version in the place of `id`; the same one when nothing changes. Rejects with NOT_FOUND, FORBIDDEN,
   * BAD_USER_INPUT or CONFLICT (superseded).
   */
  async revise(tx: Transaction, noter: Noter, id: string, revision: Revision): Promise<Memory> {
    const current = await this.hold(tx, noter, id);
    const given = checkRevision(current.kind, revision);
    if (current.supersededBy !== null) {
      const inForce = await this.memories.findInForce(tx, noter.memberId, current.lineageId);
      throw superseded(inForce?.id ?? current.supersededBy);
    }
    const said = {
      kind: current.kind,
      subject: current.subject,
      content: given.content ?? current.content,
    };
    // What was not spoken of stays, whatever else has changed.
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
   * Erases a version and all before it, everywhere (see MemoryHooks), and gives what was erased, oldest first. Rejects
   * with NOT_FOUND or FORBIDDEN.
   */
  async forget(tx: Transaction, noter: Noter, id: string): Promise<Memory[]> {
    const memory = await this.hold(tx, noter, id);
    const [versions] = await together([
      this.memories.listUpTo(tx, memory),
      this.memories.deleteUpTo(tx, memory),
    ]);
    if (memory.supersededBy === null) {
      await together([this.index.remove(tx, memory), this.memories.count(tx, memory.ownerId, -1)]);
    }
    await this.record(tx, noter, 'memory.forgotten', memory);
    await this.hooks.forgotten(tx, versions);
    return versions;
  }

  /** A version that `noter` may change, as it is once its owner is held. */
  private async hold(tx: Transaction, noter: Noter, id: string): Promise<Memory> {
    const [seen] = isId(id) ? await this.memories.findMany(tx, noter.memberId, [id]) : [];
    if (!seen) throw notFound('memory');
    requireRightTo(noter, seen.ownerId);
    const [, [memory]] = await together([
      this.memories.hold(tx, seen.ownerId),
      this.memories.findMany(tx, noter.memberId, [id]),
    ]);
    // Somebody else was first to forget it.
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
    await together([
      // First: of a subject one version is in force.
      current ? this.memories.supersede(tx, current.id, memory) : this.memories.count(tx, memory.ownerId, 1),
      this.memories.insert(tx, memory),
      this.index.put(tx, memory, current),
      this.record(tx, noter, current ? 'memory.updated' : 'memory.remembered', memory),
    ]);
    return memory;
  }

  /** Whoever changes what everybody is told leaves a name, but nothing of what is remembered: it may be forgotten. */
  private async record(tx: Transaction, noter: Noter, action: string, memory: Memory): Promise<void> {
    if (memory.ownerId !== null) return;
    const { id, kind, lineageId } = memory;
    await this.audit.record(tx, noter.memberId, action, id, { kind, firstVersion: lineageId });
  }
}

const requireRightTo = ({ role }: Noter, ownerId: string | null): void => {
  if (ownerId !== null || role !== 'MEMBER') return;
  throw new DomainError('FORBIDDEN', 'Only admins may change what the whole company shares.');
};

const tooMany = (ownerId: string | null): DomainError =>
  new DomainError(
    'CONFLICT',
    `${ownerId === null ? 'The company has' : 'You have'} ${MOST_IN_FORCE} memories already. Forget some of them first.`,
    { limit: MOST_IN_FORCE },
  );

const newerIsKnown = (): DomainError => new DomainError('CONFLICT', 'Something newer is known.');

const superseded = (inForceId: string): DomainError =>
  new DomainError(
    'CONFLICT',
    'There is a newer version of this memory. Read that one, and change it if it still needs to be.',
    { inForceId },
  );
