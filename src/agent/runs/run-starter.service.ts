import { Inject, Injectable } from '@nestjs/common';

import { Clock } from '../../common/clock.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { isConnectionFailure, sqlStateOf } from '../../platform/database/connection-failure.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { operation } from '../../platform/tracing/semantic-names.js';
import { within } from '../../platform/tracing/span.js';
import { Tracing } from '../../platform/tracing/tracing.js';
import type { CreatedTurn } from '../../conversations/turns/claims/turn-queue.service.js';
import type { ClaimedTurn } from '../../conversations/turns/claims/turn-claim.js';
import { TurnClaims } from '../../conversations/turns/claims/turn-claims.service.js';
import { TurnLeases } from '../../conversations/turns/claims/turn-leases.service.js';
import { beginRunSpan } from './run-span.js';
import { type RunHandle, RunningTurn, type Work } from './running-turn.js';
import { type Start, TurnWork } from './turn-work.service.js';

/** Starts the runs of claimed turns. */
@Injectable()
export class RunStarter {
  private underWay = 0;

  constructor(
    private readonly claims: TurnClaims,
    private readonly leases: TurnLeases,
    private readonly work: TurnWork,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
  ) {
    metrics.watch('palabre_turns_running', 'Turns that this process runs.', [], () => this.underWay);
  }

  /** Null: the turn cannot run at present. The run will find and report the reason. */
  async read(tx: Transaction, created: CreatedTurn): Promise<Start | null> {
    try {
      return await this.work.read(tx, created);
    } catch (error) {
      // The error also fails the transaction.
      if (isConnectionFailure(error) || sqlStateOf(error) !== null) throw error;
      return null;
    }
  }

  /** For turns that run here although the database says that nobody has them. Never rejects. */
  keepOrLose(turnIds: readonly string[]): Promise<void> {
    return this.leases.keepOrLose(turnIds);
  }

  /** Runs until `ended`, which never rejects. `start`: from `read`. `takeRoomInBackground`: see RunningTurn. */
  begin(
    claimed: ClaimedTurn,
    { start = null, takeRoomInBackground }: { start?: Start | null; takeRoomInBackground: () => boolean },
  ): { running: RunningTurn; ended: Promise<void> } {
    const { companyId, id: turnId, conversationId } = claimed.turn;
    const logger = this.logger.child({ turnId, companyId, conversationId });
    const running = new RunningTurn(claimed, this.claims, this.clock, logger, takeRoomInBackground);
    const letGo = this.leases.hold(running);
    // From here on the process's own clock counts, not the database's.
    const phaseBeganMs = this.clock.elapsedMs() - 1000 * claimed.phaseSeconds;
    this.underWay += 1;
    const span = beginRunSpan(this.tracing, claimed);
    const beganAt = performance.now();
    let agent: string | undefined;
    const prepare = async (run: RunHandle): Promise<Work> => {
      const work = await this.work.prepare({ turn: claimed.turn, phaseBeganMs }, run, logger, start);
      agent = work.payer.assistantKey;
      span?.rename(`${operation.agent} ${agent}`);
      span?.set({ agent });
      return work;
    };
    const ended = within(span, () => running.run(prepare)).finally(() => {
      span?.end();
      this.metrics.runEnded(agent, (performance.now() - beganAt) / 1000);
      this.underWay -= 1;
      letGo();
    });
    return { running, ended };
  }
}
