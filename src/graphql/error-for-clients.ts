import { DomainError } from '../common/errors/domain-error.js';
import { spentQuotaIn } from '../companies/usage/spent-quota.js';
import { QuotaSpent } from '../companies/usage/quotas.service.js';
import { FailedAttachment } from '../documents/attachments/question-files.service.js';
import { errorIn } from '../documents/document-remark.js';

/** Adds the words for clients to an error that has only facts. Other errors stay as they are. */
export function errorForClients(error: unknown): unknown {
  if (error instanceof QuotaSpent) {
    const { quota, language } = error;
    return new DomainError('RATE_LIMITED', spentQuotaIn(quota, language), { resetsAt: quota.resetsAt });
  }
  if (error instanceof FailedAttachment) {
    const why = errorIn({ error: error.reason, warnings: [], remarks: null }, 'en') ?? 'It failed.';
    return new DomainError(error.code, `${error.message}: ${why}`, error.extensions);
  }
  return error;
}
