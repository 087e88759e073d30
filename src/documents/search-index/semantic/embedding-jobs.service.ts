import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { listCompanyIds } from '../../../companies/company.repository.js';
import { Database } from '../../../platform/database/database.js';
import { JobQueue } from '../../../platform/jobs/job-queue.js';
import { CompanyEmbedding } from './company-embedding.service.js';
import { embedCompanies, embedItems } from './embed-items.job.js';
import { SemanticLeg } from './semantic-leg.service.js';

/** The job's time limit, minus a slow batch. */
const MAX_MS = 180_000;

/** Companies enqueued per job. */
const COMPANIES = 200;

/** Runs the embedding jobs: for new items, and at start for everything that is not embedded yet. */
@Injectable()
export class EmbeddingJobs implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly leg: SemanticLeg,
    private readonly companies: CompanyEmbedding,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // A process without an embedder leaves the work to those that have one.
    if (!this.jobs.takesWork || !this.leg.isOn) return;
    await this.jobs.work(embedItems, ({ companyId }, signal) => this.embed(companyId, signal));
    await this.jobs.work(embedCompanies, ({ after }) => this.putInLine(after));
    await this.database.systemTransaction((tx) => this.jobs.enqueue(tx, embedCompanies, { after: null }));
  }

  private async embed(companyId: string, signal: AbortSignal): Promise<void> {
    const embedder = this.leg.activeEmbedder;
    if (!embedder) return;
    const startedAt = performance.now();
    const isTimeOver = (): boolean => performance.now() - startedAt > MAX_MS;
    const outcome = await this.companies.embed(companyId, embedder, { signal, isTimeOver });
    if (outcome.type === 'done') return;
    await this.database.transaction(companyId, (tx) =>
      this.jobs.enqueue(tx, embedItems, { companyId }, { startAfterSeconds: outcome.afterSeconds }),
    );
  }

  /** Enqueues some companies, and a job for the rest. */
  private async putInLine(after: string | null): Promise<void> {
    await this.database.systemTransaction(async (tx) => {
      const companies = await listCompanyIds(tx, after, COMPANIES);
      for (const companyId of companies) await this.jobs.enqueue(tx, embedItems, { companyId });
      const last = companies.at(-1);
      if (companies.length < COMPANIES || last === undefined) return;
      await this.jobs.enqueue(tx, embedCompanies, { after: last });
    });
  }
}
