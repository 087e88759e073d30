import { Injectable } from '@nestjs/common';

import { Config } from '../../../common/config/config.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { AssistantsService } from '../../../companies/assistants/assistants.service.js';
import type { Viewer } from '../../../companies/auth/viewer.js';
import { Quotas, QuotaSpent } from '../../../companies/usage/quotas.service.js';
import { awaitAll, type Transaction } from '../../../platform/database/transaction.js';
import type { Turn } from '../turn.entity.js';
import { TurnRepository } from '../turn.repository.js';

/** The company's limit, as a multiple of a member's. */
const MEMBERS_SHARES = 4;

/** About the duration of a turn. */
const RETRY_SECONDS = 5;

/** Limits of members and companies: unfinished turns over all replicas, and quotas. */
@Injectable()
export class TurnLimits {
  constructor(
    private readonly config: Config,
    private readonly turns: TurnRepository,
    private readonly quotas: Quotas,
    private readonly assistants: AssistantsService,
  ) {}

  /** Rejects with RATE_LIMITED or QuotaSpent. Concurrent requests may exceed it: serialising them would cost more. */
  async check(
    tx: Transaction,
    viewer: Viewer,
    { assistantId, interrupted }: { assistantId: string; interrupted: readonly Pick<Turn, 'id'>[] },
  ): Promise<void> {
    const member = this.config.limits.unfinishedTurns;
    const company = member * MEMBERS_SHARES;
    const [full, spent] = await awaitAll([
      this.turns.findFull(
        tx,
        viewer.id,
        interrupted.map(({ id }) => id),
        { member, company },
      ),
      this.quotas.findSpent(tx, viewer.id, { assistantId }),
    ]);
    if (spent) throw new QuotaSpent(spent, (await this.assistants.get(tx, assistantId)).language);
    if (full.member) throw tooMany('You have', member, 'Wait for an answer, or cancel a turn.');
    if (full.company) throw tooMany('Your company has', company, 'Try again in a few seconds.');
  }
}

function tooMany(who: string, limit: number, advice: string): DomainError {
  return new DomainError(
    'RATE_LIMITED',
    `${who} ${limit} questions waiting for their answers, which is the limit. ${advice}`,
    { retryAfter: RETRY_SECONDS, limit },
  );
}
