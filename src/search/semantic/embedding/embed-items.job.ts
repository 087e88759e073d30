import { z } from 'zod';

import type { Job } from '../../../jobs/job-queue.js';

const EmbeddedCompany = z.object({ companyId: z.uuid() });

/** Embeds what a company has to be found by meaning and is not embedded yet. */
export const embedItems: Job<z.output<typeof EmbeddedCompany>> = {
  name: 'embed-items',
  data: EmbeddedCompany,
  keyOf: ({ companyId }) => companyId,
  maxSeconds: 300,
  // None of them is done with before all are: a large company holds up few others.
  atATime: 8,
};

const CompaniesFrom = z.object({ after: z.uuid().nullable() });

/** Puts that in line for one company after the other, when a process starts: they may have gone without an embedder. */
export const embedCompanies: Job<z.output<typeof CompaniesFrom>> = {
  name: 'embed-companies',
  data: CompaniesFrom,
  keyOf: () => 'all',
};
