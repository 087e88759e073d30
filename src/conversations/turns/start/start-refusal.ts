import { wordingIn } from '../../../common/wording/wording.js';
import { spentQuotaIn } from '../../../companies/usage/spent-quota.js';
import type { StartRefusal } from './turn-starts.service.js';

/** Why no turn was started, in words for people. */
export function refusalMessage(refusal: StartRefusal): string {
  switch (refusal.type) {
    case 'in-progress':
      return wordingIn(refusal.language).turnRefusals.inProgress;
    case 'idempotency-conflict':
      return 'This idempotency key was used for another question.';
    case 'quota-exceeded':
      return spentQuotaIn(refusal, refusal.language);
  }
}
