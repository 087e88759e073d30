import { Inject, Injectable } from '@nestjs/common';

import { LOGGER, type Logger } from '../common/logger.js';
import { type ClaimedTurn, TurnClaims } from '../turns/turn-claims.service.js';
import { TurnLeases } from '../turns/turn-leases.service.js';
import { RunningTurn } from './running-turn.js';
import { TurnWork } from './turn-work.service.js';

/** Sets claimed turns going. */
@Injectable()
export class TurnRuns {
  constructor(
    private readonly claims: TurnClaims,
    private readonly leases: TurnLeases,
    private readonly work: TurnWork,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Runs the turn, and keeps its lease, until `ended`, which never rejects. */
  begin(claimed: ClaimedTurn): { running: RunningTurn; ended: Promise<void> } {
    const { companyId, id: turnId, conversationId } = claimed.turn;
    const logger = this.logger.child({ turnId, companyId, conversationId });
    const running = new RunningTurn(claimed, this.claims, logger);
    const letGo = this.leases.hold(running);
    const ended = running.run((run) => this.work.prepare(claimed.turn, run, logger)).finally(letGo);
    return { running, ended };
  }
}
