import { z } from 'zod';

import { defineJob } from '../../../platform/jobs/job-queue.js';

const EmbeddedCompany = z.object({ companyId: z.uuid() });

/** Embeds a company's items that are not embedded yet. */
export const embedItems = defineJob({
  name: 'embed-items',
  data: EmbeddedCompany,
  keyOf: ({ companyId }) => companyId,
  maxSeconds: 300,
  // Few per batch, as a batch ends with its slowest job: a large company delays few others.
  atATime: 8,
});

const CompaniesFrom = z.object({ after: z.uuid().nullable() });

/** At start, enqueues the embedding of all companies: there may have been no embedder before. */
export const embedCompanies = defineJob({
  name: 'embed-companies',
  data: CompaniesFrom,
  keyOf: () => 'all',
});
