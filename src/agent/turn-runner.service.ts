import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { z } from 'zod';

import { LOGGER, type Logger } from '../common/logger.js';
import { Config } from '../config/config.js';
import type { Transaction } from '../database/transaction.js';
import { PubSub } from '../pubsub/pub-sub.js';
import { type CreatedTurn, LocalRunner, type Place, type Runner } from '../turns/local-runner.js';
import { TurnAddress, turnTopics } from '../turns/turn-address.js';
import { type ClaimedTurn, TurnClaims } from '../turns/turn-claims.service.js';
import { finishReasons } from '../turns/turn-event.js';
import type { RunningTurn } from './running-turn.js';
import { TurnStopped } from './turn-run.js';
import { TurnRuns } from './turn-runs.service.js';
import type { Start } from './turn-work.service.js';

const StopHint = z.object({ turnId: z.uuid(), reason: z.enum(finishReasons) });

/** How often turns are looked for that nobody attends to. */
const LOOK_MS = 2_000;

/** For handing turns over, after the grace time: a database that is away then is not waited for. */
const HAND_OVER_MS = 3_000;

/** Room that a turn has taken: from before it is claimed, or created, until its end is stored. */
interface Occupancy {
  running: RunningTurn | null;
  /** Nobody waits for it: it takes room of its own kind. */
  inBackground: boolean;
  /** Came while the claim was under way, before there was anything to stop. */
  stopped: TurnStopped | null;
  /** The turn was offered again while its claim was under way, which may have looked too early. */
  offered: boolean;
}

/** Claims turns and runs them, up to as many at a time as this process may. */
@Injectable()
export class TurnRunner implements Runner, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly turns = new Map<string, Occupancy>();
  /** How many of `turns` nobody waits for. */
  private inBackground = 0;
  /** Claims under way that may turn out to be of such turns. */
  private claimingForBackground = 0;
  /** Room given to turns that are being created. */
  private reserved = 0;
  /** Turns had to be turned down: as soon as there is room, they are looked for. */
  private crowded = false;
  private looking = false;
  private stopping = false;
  private timer: NodeJS.Timeout | undefined;
  private unsubscribe: (() => void)[] = [];
  private onIdle: (() => void) | null = null;
  /** What all runs are told, those too that begin late, once the grace time is over. */
  private lastWord: ((turn: RunningTurn) => void) | null = null;

  constructor(
    private readonly config: Config,
    private readonly claims: TurnClaims,
    private readonly runs: TurnRuns,
    private readonly local: LocalRunner,
    private readonly pubSub: PubSub,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.claims.endLeasesOfTheDead();
    this.unsubscribe = [
      this.pubSub.subscribe(turnTopics.queued, (hint) => this.offer(TurnAddress.parse(JSON.parse(hint)))),
      this.pubSub.subscribe(turnTopics.stop, (hint) => this.stop(StopHint.parse(JSON.parse(hint)))),
      this.pubSub.onGap(() => void this.look()),
    ];
    this.timer = setInterval(() => void this.look(), LOOK_MS);
    this.local.register(this);
    void this.look();
  }

  /** Lets the turns under way end within the grace time, and hands the others over. */
  async onApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.local.register(null);
    clearInterval(this.timer);
    const graceMs = this.config.turns.shutdownGraceSeconds * 1000;
    const timers = [
      setTimeout(() => this.tellAll((turn) => turn.stop(new TurnStopped({ type: 'hand-over' }))), graceMs),
      setTimeout(() => this.leaveAll(), graceMs + HAND_OVER_MS),
    ];
    await this.idle();
    for (const timer of timers) clearTimeout(timer);
    // Not before: until then somebody may want a turn stopped.
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  get hasRoom(): boolean {
    return this.room > 0;
  }

  /** For how many more turns that somebody waits for. */
  private get room(): number {
    if (this.stopping) return 0;
    return this.config.turns.maxConcurrent - (this.turns.size - this.inBackground) - this.reserved;
  }

  /** For how many more turns that nobody waits for. */
  private get roomInBackground(): number {
    return this.stopping ? 0 : this.config.turns.maxBackground - this.inBackground;
  }

  /** Whether what is claimed may be such a turn: many claims at a time must not count on the same room. */
  private get mayClaimForBackground(): boolean {
    return this.roomInBackground > this.claimingForBackground;
  }

  reserve(): Place | null {
    if (!this.hasRoom) {
      this.crowded = true;
      return null;
    }
    this.reserved += 1;
    let isFree = false;
    const release = (): void => {
      if (isFree) return;
      isFree = true;
      this.reserved -= 1;
      this.onRoom();
    };
    let start: Start | null = null;
    const prepare = async (tx: Transaction, created: CreatedTurn): Promise<void> => {
      start = await this.runs.read(tx, created);
    };
    const run = (claimed: ClaimedTurn): void => {
      this.occupy(claimed.turn.id, (occupancy) => this.run(occupancy, claimed, start));
      release();
    };
    return { prepare, run, release };
  }

  offer(address: TurnAddress): void {
    const taken = this.turns.get(address.turnId);
    if (taken) taken.offered = true;
    else if (this.hasRoom) this.occupy(address.turnId, (occupancy) => this.claimAndRun(occupancy, address));
    else this.crowded = true;
  }

  private occupy(turnId: string, work: (occupancy: Occupancy) => Promise<void>): void {
    const occupancy: Occupancy = { running: null, inBackground: false, stopped: null, offered: false };
    this.turns.set(turnId, occupancy);
    void work(occupancy).finally(() => {
      this.turns.delete(turnId);
      if (occupancy.inBackground) this.inBackground -= 1;
      this.onRoom();
    });
  }

  private async claimAndRun(occupancy: Occupancy, address: TurnAddress): Promise<void> {
    try {
      const claimed = await this.claim(occupancy, address);
      if (claimed) await this.run(occupancy, claimed);
      else if (occupancy.offered && !this.stopping) await this.claimAgain(occupancy, address);
    } catch (error) {
      // Nobody attends to the turn: it is found again.
      this.logger.error({ err: error, ...address }, 'a turn could not be claimed');
    }
  }

  private async claim(occupancy: Occupancy, address: TurnAddress): Promise<ClaimedTurn | null> {
    const background = this.mayClaimForBackground;
    if (!background) return this.claims.claim(address, { background });
    this.claimingForBackground += 1;
    try {
      const claimed = await this.claims.claim(address, { background });
      if (claimed?.turn.backgroundAt && this.roomInBackground > 0) this.countInBackground(occupancy);
      return claimed;
    } finally {
      this.claimingForBackground -= 1;
    }
  }

  private async claimAgain(occupancy: Occupancy, address: TurnAddress): Promise<void> {
    occupancy.offered = false;
    await this.claimAndRun(occupancy, address);
  }

  private run(occupancy: Occupancy, claimed: ClaimedTurn, start: Start | null = null): Promise<void> {
    const onBackground = (turn: RunningTurn): void => this.moveToBackground(occupancy, turn);
    const { running, ended } = this.runs.begin(claimed, { start, onBackground });
    occupancy.running = running;
    if (occupancy.stopped) running.stop(occupancy.stopped);
    this.lastWord?.(running);
    return ended;
  }

  /** Makes room for a turn that somebody waits for. One too many in the background is left to whoever has room there. */
  private moveToBackground(occupancy: Occupancy, running: RunningTurn): void {
    if (occupancy.inBackground) return;
    if (this.roomInBackground <= 0) return running.stop(new TurnStopped({ type: 'hand-over' }));
    this.countInBackground(occupancy);
  }

  private countInBackground(occupancy: Occupancy): void {
    occupancy.inBackground = true;
    this.inBackground += 1;
    this.onRoom();
  }

  /** Claims what nobody attends to, as far as there is room; never rejects. */
  private async look(): Promise<void> {
    if (this.looking || !this.hasRoom) return;
    this.looking = true;
    this.crowded = false;
    try {
      const room = { background: this.mayClaimForBackground };
      for (const address of await this.claims.listUnattended(this.room, room)) this.offer(address);
    } catch (error) {
      this.logger.warn({ err: error }, 'turns that wait could not be looked for');
    } finally {
      this.looking = false;
    }
  }

  private onRoom(): void {
    if (this.turns.size === 0 && this.reserved === 0) this.onIdle?.();
    if (this.crowded) void this.look();
  }

  private idle(): Promise<void> {
    if (this.turns.size === 0 && this.reserved === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.onIdle = resolve;
    });
  }

  private stop({ turnId, reason }: z.output<typeof StopHint>): void {
    const occupancy = this.turns.get(turnId);
    if (!occupancy) return;
    occupancy.stopped ??= new TurnStopped({ type: 'stop', finishReason: reason });
    occupancy.running?.stop(occupancy.stopped);
  }

  private tellAll(word: (turn: RunningTurn) => void): void {
    this.lastWord = word;
    for (const { running } of this.turns.values()) if (running) word(running);
  }

  /** What still waits then waits for a database that is away, and would keep the process from ending. */
  private leaveAll(): void {
    this.tellAll((turn) => turn.leave(new TurnStopped({ type: 'abandon' })));
    this.onIdle?.();
  }
}
