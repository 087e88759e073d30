import { Injectable } from '@nestjs/common';

import { Database } from '../../database/database.js';
import { Metrics } from '../../metrics/metrics.js';
import { TurnRepository } from '../turn.repository.js';

/** Tells operators how many turns wait for a process, also where there is none that runs any. */
@Injectable()
export class TurnBacklog {
  constructor(
    metrics: Metrics,
    private readonly database: Database,
    private readonly turns: TurnRepository,
  ) {
    metrics.watch(
      'palabre_turns_waiting',
      'Turns that could be run and that no process runs, on the whole database.',
      [],
      () => this.count(),
    );
  }

  private count(): Promise<number> {
    return this.database.systemTransaction((tx) => this.turns.countUnattended(tx), { atOnce: true });
  }
}
