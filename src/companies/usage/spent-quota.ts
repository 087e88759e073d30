import { fill, wordingIn } from '../../common/wording/wording.js';
import { INSTALLATION } from './quota.repository.js';
import type { SpentQuota } from './quotas.service.js';

/** The message about a used-up quota in `language`, BCP 47. */
export function spentQuotaIn({ of, period, provider }: SpentQuota, language: string): string {
  const { spentQuota: said } = wordingIn(language);
  const named = provider === INSTALLATION ? said.atInstallation : fill(said.atProvider, { provider });
  return fill(said[of][period], { where: provider === '' ? '' : named });
}
