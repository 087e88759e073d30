import { Injectable } from '@nestjs/common';

import type { Viewer } from '../../auth/viewer.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { Config } from '../../config/config.js';
import { together } from '../../database/together.js';
import type { Transaction } from '../../database/transaction.js';
import { UsageService } from '../../usage/usage.service.js';
import type { Turn } from '../turn.entity.js';
import { TurnLimitsRepository } from './turn-limits.repository.js';

/** What a company may have of what one member may. */
const MEMBERS_SHARES = 4;

/** About as long as a turn takes. */
const RETRY_SECONDS = 5;

/** What members and companies may ask for: turns at a time, over all replicas, and what they may use up. */
@Injectable()
export class TurnLimits {
  constructor(
    private readonly config: Config,
    private readonly turns: TurnLimitsRepository,
    private readonly usage: UsageService,
  ) {}

  /**
   * Rejects with RATE_LIMITED when the viewer or the company has no room for another turn, with QuotaSpent when what was
   * granted is used up. Turns that the new one interrupts leave it their room: the one of them that is still being
   * ended comes on top for a moment. Requests at the same time do not see each other's turns, so that as many as they
   * are may come on top; holding them up would cost more.
   */
  async check(tx: Transaction, viewer: Viewer, interrupted: readonly Pick<Turn, 'id'>[]): Promise<void> {
    const member = this.config.limits.unfinishedTurns;
    const company = member * MEMBERS_SHARES;
    const [full] = await together([
      this.turns.findFull(
        tx,
        viewer.id,
        interrupted.map(({ id }) => id),
        { member, company },
      ),
      this.usage.refuseSpent(tx, viewer.id),
    ]);
    if (full.member) throw tooMany('You have', member, 'Wait for an answer, or cancel a turn.');
    if (full.company) throw tooMany('Your company has', company, 'Try again in a few seconds.');
  }
}

const tooMany = (who: string, limit: number, advice: string): DomainError =>
  new DomainError(
    'RATE_LIMITED',
    `${who} ${limit} questions waiting for their answers, which is the limit. ${advice}`,
    { retryAfter: RETRY_SECONDS, limit },
  );
