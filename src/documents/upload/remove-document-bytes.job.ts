import { z } from 'zod';

import type { Job } from '../../jobs/job-queue.js';

const Address = z.object({ companyId: z.uuid(), storageKey: z.string().max(200) });
export type BytesAddress = z.output<typeof Address>;

/** Removes bytes that no content needs. A job, so that none are left behind by a server that dies just then. */
export const removeDocumentBytes: Job<BytesAddress> = {
  name: 'remove-document-bytes',
  data: Address,
  keyOf: ({ storageKey }) => storageKey,
};
