import { z } from 'zod';

import { defineJob, recurringJob } from '../platform/jobs/job-queue.js';

const CompanyData = z.object({ companyId: z.uuid() });
const MemberData = z.object({ companyId: z.uuid(), memberId: z.uuid() });
const WebhookData = z.object({ companyId: z.uuid(), webhookId: z.uuid() });

/** Removes all data of a company, then the company. */
export const eraseCompany = defineJob({
  name: 'erase-company',
  data: CompanyData,
  keyOf: ({ companyId }) => companyId,
  // There may be years of conversations. The next try continues where this one ended.
  maxSeconds: 3_600,
  atATime: 1,
});

/** Removes a member who was marked as erased, with all their data. */
export const eraseMember = defineJob({
  name: 'erase-member',
  data: MemberData,
  keyOf: ({ memberId }) => memberId,
  // Years of conversations, one after the other.
  maxSeconds: 600,
  atATime: 1,
  workers: { all: 3, ofOneCompany: 2, companyOf: ({ companyId }) => companyId },
});

/** Removes the bytes of a file whose row is gone. */
export const removeFileBytes = defineJob({
  name: 'remove-file-bytes',
  data: z.object({ storageKey: z.string().max(200) }),
  keyOf: ({ storageKey }) => storageKey,
});

/** Sends one webhook its due notifications, one after the other. */
export const deliverWebhook = defineJob({
  name: 'deliver-webhook',
  data: WebhookData,
  keyOf: ({ webhookId }) => webhookId,
  maxSeconds: 60,
  atATime: 1,
  // A receiver may be slow, which costs nothing here.
  workers: { all: 10, ofOneCompany: 4, companyOf: ({ companyId }) => companyId },
});

/** Encrypts the address of a webhook that an earlier version stored as plain text. */
export const encryptWebhook = defineJob({
  name: 'encrypt-webhook',
  data: WebhookData,
  keyOf: ({ webhookId }) => webhookId,
});

export const expireUploads = recurringJob({ name: 'expire-uploads', everySeconds: 3_600 });

/** Enqueues jobs again that rows wait for and that are missing from the queue. */
export const sweepOwedWork = recurringJob({ name: 'sweep-owed-work', everySeconds: 3_600 });
