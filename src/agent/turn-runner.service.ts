import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { z } from 'zod';

import { LOGGER, type Logger } from '../common/logger.js';
import { Config } from '../config/config.js';
import { JobQueue } from '../jobs/job-queue.js';
import { PubSub } from '../pubsub/pub-sub.js';
import { runTurn, TurnAddress, turnTopics } from '../turns/run-turn.js';
import { TurnClaims } from '../turns/turn-claims.service.js';
import { finishReasons } from '../turns/turn-event.js';
import { RunningTurn } from './running-turn.js';
import { TurnStopped } from './turn-run.js';
import { TurnWork } from './turn-work.service.js';

const StopHint = z.object({ turnId: z.uuid(), reason: z.enum(finishReasons) });

/** How long the turns under way are waited for when the process stops; what is left is another attempt's. */
const GRACE_MS = 10_000;

/** More turns than this in line are remembered by their jobs alone, which offer them again. */
const MOST_WAITING = 10_000;

/** A turn that this process has set about: from before the claim is tried until its end is stored. */
interface Place {
  running: RunningTurn | null;
  /** Came while the claim was under way, before there was anything to stop. */
  stopped: TurnStopped | null;
  /** The turn was offered again while the claim was under way, which may have looked too early. */
  offered: boolean;
  ended: Promise<void>;
}

/** Claims turns and runs them, up to as many at a time as this process may. */
@Injectable()
export class TurnRunner implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly places = new Map<string, Place>();
  /** Turns that came while all places were taken, oldest first. Their jobs look after them as well. */
  private readonly waiting = new Map<string, TurnAddress>();
  private stopping = false;
  private unsubscribe: (() => void)[] = [];

  constructor(
    private readonly config: Config,
    private readonly claims: TurnClaims,
    private readonly work: TurnWork,
    private readonly jobs: JobQueue,
    private readonly pubSub: PubSub,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.unsubscribe = [
      this.pubSub.subscribe(turnTopics.queued, (hint) => this.take(TurnAddress.parse(JSON.parse(hint)))),
      this.pubSub.subscribe(turnTopics.stop, (hint) => this.stop(StopHint.parse(JSON.parse(hint)))),
    ];
    await this.jobs.work(runTurn, async (address) => {
      this.take(address);
      await this.claims.lookAgain(address);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping = true;
    for (const unsubscribe of this.unsubscribe) unsubscribe();
    const grace = setTimeout(() => {
      for (const place of this.places.values()) stopPlace(place, new TurnStopped({ type: 'abandon' }));
    }, GRACE_MS);
    await Promise.all([...this.places.values()].map(({ ended }) => ended));
    clearTimeout(grace);
  }

  private take(address: TurnAddress): void {
    if (this.stopping) return;
    const taken = this.places.get(address.turnId);
    if (taken) {
      taken.offered = true;
      return;
    }
    if (this.places.size >= this.config.turns.maxConcurrent) {
      if (this.waiting.size < MOST_WAITING) this.waiting.set(address.turnId, address);
      return;
    }
    this.waiting.delete(address.turnId);
    const place: Place = { running: null, stopped: null, offered: false, ended: Promise.resolve() };
    this.places.set(address.turnId, place);
    place.ended = this.occupy(place, address).finally(() => {
      this.places.delete(address.turnId);
      if (place.offered && !place.running) this.take(address);
      const [next] = this.waiting.values();
      if (next) this.take(next);
    });
  }

  private async occupy(place: Place, address: TurnAddress): Promise<void> {
    try {
      const claimed = await this.claims.claim(address);
      if (!claimed) return;
      const { turnId, companyId } = address;
      const logger = this.logger.child({ turnId, companyId, conversationId: claimed.turn.conversationId });
      place.running = new RunningTurn(claimed, this.claims, logger);
      if (place.stopped) place.running.stop(place.stopped);
      await place.running.run(() => this.work.prepare(claimed.turn, logger));
    } catch (error) {
      // The turn's job offers it again.
      this.logger.error({ err: error, ...address }, 'a turn could not be claimed');
    }
  }

  private stop({ turnId, reason }: z.output<typeof StopHint>): void {
    const place = this.places.get(turnId);
    if (place) stopPlace(place, new TurnStopped({ type: 'stop', finishReason: reason }));
  }
}

const stopPlace = (place: Place, reason: TurnStopped): void => {
  place.stopped ??= reason;
  place.running?.stop(reason);
};
