import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type KeptRecord,
  type NewRecord,
  type Records,
  type RecordUpdate,
  type SkillContext,
  SkillError,
} from '@palabre/plugin';
import { z } from 'zod';
import { argumentSchemas } from '@palabre/json-schema';
import type { JsonObject } from '@palabre/json';

import { badInput, DomainError, existing } from '../../common/errors/domain-error.js';
import { Clock } from '../../common/clock.js';
import { isId, newId } from '../../common/ids.js';
import { type PluginRecordKind, Plugins } from '../../common/plugins.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../../common/schema/page.js';
import { fill, type Wording, wordingIn } from '../../common/wording/wording.js';
import { AuditService } from '../../companies/audit/audit.service.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { EXPORT_PAGE, MemberData, pageById } from '../../companies/members/member-data.js';
import { MembersService } from '../../companies/members/members.service.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { type SkillRecord, skillRecordOrder, SkillRecordRepository } from './skill-record.repository.js';

const MAX_CONTENT_BYTES = 256 * 1024;
const MAX_SUBJECTS = 1_000;
const MAX_VERSIONS = 100;
/** Each attempt fails if another version was added meanwhile. */
const MAX_ATTEMPTS = 10;

/** Checks what TypeScript would, because packages may be JavaScript. */
const Described = z.object({
  subject: z.string().max(200),
  title: z.string().min(1).max(300),
  sources: z.array(z.object({ title: z.string().max(500), url: z.string().max(2_000).nullable() })).max(100),
});

type Company = Pick<Viewer, 'companyId'>;

/** Stores results of packages' skills for a company, without knowing their meaning. */
@Injectable()
export class SkillRecords implements Records, OnModuleInit {
  private readonly kinds: ReadonlyMap<string, PluginRecordKind>;

  constructor(
    private readonly database: Database,
    private readonly records: SkillRecordRepository,
    private readonly members: MembersService,
    private readonly audit: AuditService,
    private readonly data: MemberData,
    private readonly clock: Clock,
    plugins: Plugins,
  ) {
    this.kinds = new Map(plugins.recordKinds.map((kind) => [kind.kind, kind]));
  }

  onModuleInit(): void {
    // An invalid schema stops the start, not a turn.
    for (const { schema } of this.kinds.values()) argumentSchemas.validatorOf(schema);
    this.data.onExport('skillRecords', async (tx, memberId, after) => {
      const found = await this.records.listAfter(tx, { memberId }, after, EXPORT_PAGE);
      const told = found.map((row) => ({
        ...row,
        sources: row.sources.map(({ title, url }) => ({ title, url })),
      }));
      return pageById(told, ['id', 'kind', 'subject', 'version', 'title', 'content', 'sources', 'createdAt']);
    });
  }

  listKinds(): PluginRecordKind[] {
    return [...this.kinds.values()];
  }

  find(context: SkillContext, kind: string, subject?: string): Promise<KeptRecord | null> {
    this.getKind(kind);
    return this.database.read(context.companyId, async (tx) => {
      const found =
        subject === undefined
          ? await this.records.findLatest(tx, kind)
          : await this.records.findNewest(tx, { kind, subject });
      return found && this.toKept(tx, found);
    });
  }

  async update(
    context: SkillContext,
    kind: string,
    subject: string,
    make: (before: KeptRecord | null) => NewRecord,
  ): Promise<RecordUpdate> {
    const { schema } = this.getKind(kind);
    const { skillRefusals: said } = wordingIn(context.language);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      context.signal.throwIfAborted();
      const update = await this.database.transaction(context.companyId, async (tx) => {
        const newest = await this.records.findNewest(tx, { kind, subject });
        if (newest?.callId === context.callId) return this.repeated(tx, newest);
        const before = newest && (await this.toKept(tx, newest));
        const made = checked(subject, make(before), schema, said);
        if (before && isDeepStrictEqual(made, partsOf(before))) return { before, record: before };
        if (!before && (await this.records.countSubjects(tx, kind)) >= MAX_SUBJECTS)
          throw new SkillError(fill(said.tooManyRecords, { most: MAX_SUBJECTS }));
        const row = { ...made, ...this.rowFor(context), kind, subject, version: (before?.version ?? 0) + 1 };
        if (!(await this.records.add(tx, row))) return null;
        await this.records.deleteUpTo(tx, row, row.version - MAX_VERSIONS);
        return { before, record: await this.toKept(tx, row) };
      });
      if (update) return update;
    }
    throw new DomainError('CONFLICT', 'The record is being changed by others. Please try again.');
  }

  /** A version in the viewer's company. */
  async findVersion({ companyId }: Company, id: string): Promise<SkillRecord | null> {
    if (!isId(id)) return null;
    return this.database.read(companyId, (tx) => this.records.find(tx, { id }));
  }

  /** Rejects with BAD_USER_INPUT for an unknown kind. */
  list(
    { companyId }: Company,
    { kind, subject, ...page }: ForwardPageArguments & { kind: string; subject: string | null },
  ): Promise<Page<SkillRecord>> {
    if (!this.kinds.has(kind))
      throw badInput(['kind'], 'No package keeps records of this kind: see skillRecordKinds.');
    const request = pageRequest(page, skillRecordOrder);
    return this.database.read(companyId, (tx) => this.records.listPage(tx, { kind, subject }, request));
  }

  /** Deletes all versions of a record's subject. The caller has checked the role. Rejects with NOT_FOUND. */
  async remove(viewer: Viewer, id: string): Promise<void> {
    await this.database.transaction(viewer.companyId, async (tx) => {
      const record = existing(isId(id) ? await this.records.find(tx, { id }) : null, 'record');
      const newest = await this.records.findNewest(tx, record);
      await this.records.deleteUpTo(tx, record, newest?.version ?? record.version);
      const { kind, subject } = record;
      await this.audit.record(tx, viewer.id, 'skill-record.deleted', kind, { subject });
    });
  }

  private getKind(kind: string): PluginRecordKind {
    const found = this.kinds.get(kind);
    if (!found) throw new Error(`No package has declared records of the kind ${kind}.`);
    return found;
  }

  private async repeated(tx: Transaction, record: SkillRecord): Promise<RecordUpdate> {
    const before = await this.records.findBefore(tx, record);
    return { before: before && (await this.toKept(tx, before)), record: await this.toKept(tx, record) };
  }

  private async toKept(tx: Transaction, record: SkillRecord): Promise<KeptRecord> {
    const { memberId, subject, version, createdAt: at, conversationId } = record;
    const member = memberId === null ? null : await this.members.get(tx, memberId);
    return { ...partsOf(record), subject, version, at, conversationId, memberName: member?.name ?? null };
  }

  private rowFor({ companyId, memberId, conversationId, callId }: SkillContext) {
    return { companyId, id: newId(), memberId, conversationId, callId, createdAt: this.clock.now() };
  }
}

function partsOf({ title, content, sources }: NewRecord): Pick<SkillRecord, 'title' | 'content' | 'sources'> {
  return { title, content, sources: [...sources] };
}

/** The form that the database returns. Throws SkillError if it is too large, Error for a fault of the package. */
function checked(
  subject: string,
  record: NewRecord,
  schema: JsonObject,
  said: Wording['skillRefusals'],
): ReturnType<typeof partsOf> {
  const { title, sources } = Described.parse({ subject, title: record.title, sources: record.sources });
  const json = JSON.stringify(record.content);
  if (Buffer.byteLength(json) > MAX_CONTENT_BYTES)
    throw new SkillError(fill(said.tooLargeRecord, { most: MAX_CONTENT_BYTES / 1024 }));
  const content = JSON.parse(json) as JsonObject;
  const validate = argumentSchemas.validatorOf(schema);
  if (!validate(content))
    throw new Error(`A record does not fit its schema: ${JSON.stringify(validate.errors?.slice(0, 3))}`);
  return { title, content, sources };
}
