import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { DomainError, existing } from '../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../common/process/logger.js';
import { Database } from '../platform/database/database.js';
import { JobQueue } from '../platform/jobs/job-queue.js';
import { PubSub } from '../platform/pubsub/pub-sub.js';
import { FileStorage } from '../platform/storage/file-storage.js';
import type { Viewer } from './auth/viewer.js';
import { eraseCompany } from './companies.jobs.js';
import {
  type CompanyErasure,
  CompanyErasureRepository,
  type TableReference,
} from './company-erasure.repository.js';
import { CompanyRepository } from './company.repository.js';
import { COMPANY_GONE } from './members/member-access.service.js';
import { OwedWork } from './owed-work.service.js';

const MAX_LISTED = 100;

const STORAGE_FOLDERS = ['companies', 'documents', 'files'];

/** Not injected: the terminal command erases companies without the application. */
const rows = new CompanyErasureRepository();

/**
 * Marks a company as erased, so that its tokens and keys stop working at once, and enqueues the removal of its data.
 * Resolves to the earlier erasure when there is one. Rejects with BAD_USER_INPUT when `confirmation` is not the slug,
 * and with NOT_FOUND.
 */
export async function beginCompanyErasure(
  { database, jobs, pubSub }: { database: Database; jobs: JobQueue; pubSub: PubSub },
  { slug, confirmation, requestedBy }: { slug: string; confirmation: string; requestedBy: string },
): Promise<CompanyErasure> {
  checkConfirmation(slug, confirmation);
  return database.systemTransaction(async (tx) => {
    const companyId = await rows.releaseSlug(tx, slug);
    if (companyId !== null) {
      await rows.insert(tx, { id: companyId, slug, requestedBy });
      await jobs.enqueue(tx, eraseCompany, { companyId });
      await pubSub.publish(tx, COMPANY_GONE, companyId);
    }
    return existing(await rows.find(tx, { slug }), 'company');
  });
}

/** Throws BAD_USER_INPUT unless the slug was repeated. */
export function checkConfirmation(slug: string, confirmation: string): void {
  if (confirmation === slug) return;
  throw new DomainError(
    'BAD_USER_INPUT',
    'Nothing was erased: repeat the slug of the company to confirm that it is meant.',
    { argument: 'confirm' },
  );
}

/** Erases companies for operators, and removes their data in worker processes. An interrupted removal resumes. */
@Injectable()
export class CompanyErasures implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly pubSub: PubSub,
    private readonly rows: CompanyErasureRepository,
    private readonly companies: CompanyRepository,
    private readonly storage: FileStorage,
    @Inject(LOGGER) private readonly logger: Logger,
    owed: OwedWork,
  ) {
    owed.register(eraseCompany, async (tx) =>
      (await this.rows.isUnfinished(tx)) ? [{ companyId: tx.companyId }] : [],
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(eraseCompany, ({ companyId }, signal) => this.remove(companyId, signal));
  }

  /** The caller has checked the role. Rejects with BAD_USER_INPUT and NOT_FOUND. */
  begin(viewer: Viewer, slug: string, confirmation: string): Promise<CompanyErasure> {
    const { database, jobs, pubSub } = this;
    return beginCompanyErasure({ database, jobs, pubSub }, { slug, confirmation, requestedBy: viewer.id });
  }

  /** The latest first. The caller has checked the role. */
  list(): Promise<CompanyErasure[]> {
    return this.database.systemTransaction((tx) => this.rows.listLatest(tx, MAX_LISTED));
  }

  private async remove(companyId: string, signal: AbortSignal): Promise<void> {
    await this.removeRows(companyId, signal);
    // Foreign keys delete its other rows.
    await this.database.transaction(companyId, (tx) => this.companies.delete(tx, { id: companyId }));
    // Logs of turns have no foreign key, and turns that were under way went on writing until their own rows were gone.
    await this.removeRows(companyId, signal);
    await this.jobs.removeOf(companyId, eraseCompany);
    // Files go last: by now no row refers to them and nothing writes more.
    for (const folder of STORAGE_FOLDERS) await this.storage.removeAll(`${folder}/${companyId}/`);
    const unfinished = { id: companyId, finishedAt: null };
    await this.database.systemTransaction((tx) =>
      this.rows.update(tx, unfinished, { finishedAt: new Date() }),
    );
    this.logger.info({ companyId }, 'a company was erased');
  }

  /** Deletes in batches. Deleting the company first would cascade to all of this in one long statement. */
  private async removeRows(companyId: string, signal: AbortSignal): Promise<void> {
    const [tables, references] = await this.database.read(companyId, async (tx) => [
      await this.rows.listTables(tx),
      await this.rows.listReferences(tx),
    ]);
    for (const table of deletionOrder(tables, references)) {
      for (let deleted = 1; deleted > 0;) {
        signal.throwIfAborted();
        deleted = await this.database.transaction(companyId, (tx) => this.rows.deleteBatch(tx, table));
      }
    }
  }
}

/** Sorts tables so that each comes before those that it refers to. Tables that refer to each other come in any order. */
export function deletionOrder(tables: readonly string[], references: readonly TableReference[]): string[] {
  const left = new Set(tables);
  const ordered: string[] = [];
  while (left.size > 0) {
    const parents = new Set(references.filter(({ child }) => left.has(child)).map(({ parent }) => parent));
    const leaves = [...left].filter((table) => !parents.has(table));
    for (const table of leaves.length > 0 ? leaves : [...left].slice(0, 1)) {
      ordered.push(table);
      left.delete(table);
    }
  }
  return ordered;
}
