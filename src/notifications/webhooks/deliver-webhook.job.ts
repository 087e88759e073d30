import { z } from 'zod';

import type { Job } from '../../jobs/job-queue.js';

const WebhookOfCompany = z.object({ companyId: z.uuid(), webhookId: z.uuid() });

/** Tells one webhook of what is due, one notification after the other. */
export const deliverWebhook: Job<z.output<typeof WebhookOfCompany>> = {
  name: 'deliver-webhook',
  data: WebhookOfCompany,
  keyOf: ({ webhookId }) => webhookId,
  maxSeconds: 60,
};
