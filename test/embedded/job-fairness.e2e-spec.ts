import { pino } from 'pino';

import { extractMemories, keepConversation } from '../../src/agent/upkeep/upkeep.job.js';
import { newId } from '../../src/common/ids.js';
import { deliverWebhook, eraseMember } from '../../src/companies/companies.jobs.js';
import { indexConversations } from '../../src/conversations/message-index.service.js';
import { eraseTraces } from '../../src/conversations/turns/erasure/trace-erasure.service.js';
import { analyzeDocument } from '../../src/documents/analysis/analyze-document.job.js';
import { processDocument } from '../../src/documents/processing/process-document.job.js';
import { openDatabase, type OpenDatabase } from '../../src/platform/database/open-database.js';
import type { Job } from '../../src/platform/jobs/job-queue.js';
import { PgBossJobQueue } from '../../src/platform/jobs/pg-boss-job-queue.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { createTestDatabase } from '../harness/test-database.js';

const MANY = 20;

/** Whatever their data, all of them name the company. */
const lasting = [
  keepConversation,
  extractMemories,
  eraseMember,
  eraseTraces,
  indexConversations,
  processDocument,
  analyzeDocument,
  deliverWebhook,
] as unknown as readonly Job<{ companyId: string }>[];

const ids = {
  turnId: newId,
  memberId: newId,
  erasureId: newId,
  contentId: newId,
  analysisId: newId,
  webhookId: newId,
  storageKey: newId,
};

function jobOf(companyId: string): { companyId: string } {
  const data = Object.fromEntries(Object.entries(ids).map(([name, make]) => [name, make()]));
  return { companyId, ...data };
}

describe('jobs that may take long', () => {
  let opened: OpenDatabase;
  let queue: PgBossJobQueue;

  beforeAll(async () => {
    opened = await openDatabase((await createTestDatabase()).location, []);
    const logger = pino({ level: 'silent' });
    queue = await PgBossJobQueue.start(opened.database, lasting, { takesWork: true }, logger, new Metrics());
  });
  afterAll(async () => {
    await queue.stop();
    await opened.close();
  });

  it.each(lasting.map((job) => [job.name, job] as const))(
    '%s is done for others, however many of one company’s do not end',
    async (_, job) => {
      const [theirs, ours] = [newId(), newId()];
      const [begun, done, end] = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
      await queue.work(job, async ({ companyId }) => {
        if (companyId === ours) return done!.resolve();
        begun!.resolve();
        await end!.promise;
      });
      const put = (company: string): Promise<void> =>
        opened.database.systemTransaction((tx) => queue.enqueue(tx, job, jobOf(company)));
      for (let count = 0; count < MANY; count += 1) await put(theirs);
      await begun!.promise;
      await put(ours);
      await done!.promise;
      end!.resolve();
    },
  );
});
