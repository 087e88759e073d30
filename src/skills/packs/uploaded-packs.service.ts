import { Injectable } from '@nestjs/common';
import {
  MAX_ARCHIVE_BYTES,
  PackRefused,
  readPackArchive,
  type RefusedPack,
  type UnpackedPack,
  withUnknownAssistants,
} from '@palabre/skill-pack';

import type { Viewer } from '../../companies/auth/viewer.js';
import { badInput, DomainError } from '../../common/errors/domain-error.js';
import { CompaniesService } from '../../companies/companies.service.js';
import { ShippedAssistants } from '../../companies/assistants/definitions/shipped-assistants.service.js';
import { AuditService } from '../../companies/audit/audit.service.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { holdingBody } from '../../companies/files/held-bodies.js';
import { type UploadReceiver, UploadReceivers } from '../../companies/files/uploads.service.js';
import {
  type IssuedUpload,
  type UploadTicket,
  UploadTickets,
} from '../../companies/files/upload-tickets.service.js';
import type { SkillDefinition } from '../skill.repository.js';
import { type OwnSkill, refusalOf, SkillDefinitions } from '../skill-definitions.service.js';
import { packRemarkIn } from '../skill-names.js';
import { PackMaker, PackSettings, type StoredPack } from './pack-maker.js';

/** Instructions are loaded and never called, so this timeout is never used. */
const NO_TIMEOUT_MS = 0;

/** Packs that admins upload: their texts are in the database, their files in the storage. */
@Injectable()
export class UploadedPacks {
  constructor(
    private readonly database: Database,
    private readonly files: PackMaker,
    private readonly tickets: UploadTickets,
    receivers: UploadReceivers,
    private readonly definitions: SkillDefinitions,
    private readonly audit: AuditService,
    private readonly assistants: ShippedAssistants,
    private readonly companies: CompaniesService,
  ) {
    receivers.register('SKILL_PACK', this.receive);
  }

  /** Rejects with BAD_USER_INPUT for an unsuitable file. The caller has checked the role. */
  createUpload(viewer: Viewer, { name, bytes }: { name: string; bytes: number }): Promise<IssuedUpload> {
    if (!/\.(?:zip|skill)$/i.test(name))
      throw badInput(['input', 'name'], 'Packs are uploaded as a .zip or .skill archive.');
    if (bytes < 1 || bytes > MAX_ARCHIVE_BYTES)
      throw badInput(['input', 'bytes'], `An archive of packs has 1 to ${MAX_ARCHIVE_BYTES} bytes.`);
    const wanted = { name, mediaType: 'application/zip', maxBytes: bytes, subjectId: null };
    return this.database.transaction(viewer.companyId, (tx) =>
      this.tickets.issue(tx, viewer, { ...wanted, purpose: 'SKILL_PACK' }),
    );
  }

  /** Rejects with NOT_FOUND. The files are removed after the row. */
  async remove({ companyId, id }: Viewer, key: string): Promise<string> {
    return this.database.transaction(companyId, async (tx) => {
      const definition = await this.definitions.remove(tx, key, 'INSTRUCTIONS');
      await this.audit.record(tx, id, 'skill.removed', key);
      await this.files.removeLater(tx, companyId, foldersOf(definition));
      return definition.skillId;
    });
  }

  private readonly receive: UploadReceiver = async (ticket, content, signal) => {
    const { packs, refused } = await holdingBody(
      ticket.companyId,
      content,
      (archive) => unpack(ticket, archive, signal),
      signal,
    );
    // Read before storing, after which nothing may fail any more.
    const { language } = await this.companies.getOf(ticket);
    const stored = await this.files.store(ticket.companyId, packs, signal);
    const kept = await this.keepStored(ticket, stored, signal);
    const notTaken = [...refused, ...kept.refused];
    if (kept.taken.length === 0)
      throw new DomainError('CONFLICT', notTaken.map(({ path, reason }) => `${path}: ${reason}`).join(' '));
    return {
      skills: kept.taken.map((pack) => ({
        key: pack.key,
        name: pack.name,
        warnings: withUnknownAssistants(pack, this.assistants).warnings.map((remark) =>
          packRemarkIn(remark, language),
        ),
      })),
      refused: notTaken.map((one) => ({ ...one })),
    };
  };

  /** Stores all of them or none. */
  private async keepStored(
    ticket: UploadTicket,
    stored: readonly StoredPack[],
    signal: AbortSignal,
  ): Promise<Kept> {
    try {
      return await this.database.transaction(ticket.companyId, async (tx) => {
        const kept: Kept = { taken: [], refused: [], outdated: [] };
        for (const one of stored) {
          signal.throwIfAborted();
          await this.keep(tx, ticket.memberId, one, kept);
        }
        await this.files.removeLater(tx, ticket.companyId, kept.outdated);
        return kept;
      });
    } catch (error) {
      // When the connection breaks at the end, the transaction may have been committed.
      const isOpen = error instanceof DomainError && error.code === 'UNAVAILABLE';
      if (!isOpen || !(await this.mayBeKept(ticket.companyId, stored)))
        await this.files.remove(stored.map(({ settings }) => settings.folder));
      throw error;
    }
  }

  /** Called in the order of keys, so that two uploads of the same packs cannot deadlock. */
  private async keep(
    tx: Transaction,
    memberId: string,
    { pack, settings }: StoredPack,
    kept: Kept,
  ): Promise<void> {
    const putting = this.definitions.put(tx, ownSkill(pack, settings));
    const reason = await refusalOf(putting);
    if (reason !== null) {
      kept.refused.push({ path: pack.key, reason });
      kept.outdated.push(settings.folder);
      return;
    }
    kept.outdated.push(...foldersOf(await putting));
    kept.taken.push(pack);
    await this.audit.record(tx, memberId, 'skill.uploaded', pack.key, { files: settings.files.length });
  }

  /** Whether any of them may be stored. If in doubt, yes: a pack without files is worse than files without a pack. */
  private async mayBeKept(companyId: string, stored: readonly StoredPack[]): Promise<boolean> {
    try {
      return await this.database.read(companyId, async (tx) => {
        for (const { pack, settings } of stored) {
          const found = await this.definitions.find(tx, pack.key);
          if (foldersOf(found?.definition ?? null).includes(settings.folder)) return true;
        }
        return false;
      });
    } catch {
      return true;
    }
  }
}

interface Kept {
  taken: UnpackedPack[];
  refused: RefusedPack[];
  /** Folders of earlier versions, and of refused packs. */
  outdated: string[];
}

function ownSkill({ key, name, description, category }: UnpackedPack, settings: PackSettings): OwnSkill {
  return {
    key,
    kind: 'INSTRUCTIONS',
    name,
    description,
    category,
    parameters: null,
    idempotent: true,
    timeoutMs: NO_TIMEOUT_MS,
    settings: { ...settings },
    secrets: null,
    replace: true,
  };
}

async function unpack({ name }: UploadTicket, archive: Buffer, signal: AbortSignal) {
  try {
    return await readPackArchive(archive, { fileName: name, signal });
  } catch (error) {
    if (!(error instanceof PackRefused)) throw error;
    throw new DomainError('BAD_USER_INPUT', error.message, {}, { cause: error });
  }
}

/** The folders of its files. Empty: not an uploaded pack. */
function foldersOf(definition: SkillDefinition | null): string[] {
  const settings = PackSettings.safeParse(definition?.settings);
  return settings.success ? [settings.data.folder] : [];
}
