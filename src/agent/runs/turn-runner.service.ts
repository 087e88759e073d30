import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { z } from 'zod';

import { LOGGER, type Logger } from '../../common/process/logger.js';
import { Config } from '../../config/config.js';
import type { Transaction } from '../../database/transaction.js';
import { PubSub } from '../../pubsub/pub-sub.js';
import { type CreatedTurn, LocalRunner, type Place, type Runner } from '../../turns/claims/local-runner.js';
import { TurnAddress, turnTopics } from '../../turns/claims/turn-address.js';
import type { ClaimedTurn } from '../../turns/claims/claimed-turn.js';
import { TurnClaims } from '../../turns/claims/turn-claims.service.js';
import { finishReasons } from '../../turns/turn-event.js';
import type { RunningTurn } from './running-turn.js';
import { TurnStopped } from './turn-ending.js';
import { RunStarter } from './run-starter.service.js';
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
  /** It could not be claimed, and would not be the next moment. */
  failed: boolean;
}

const newOccupancy = (): Occupancy => ({
  running: null,
  inBackground: false,
  stopped: null,
  offered: false,
  failed: false,
});

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
  /** Turns wait that had to be turned down, or that the last look had no room for: they are first when some comes. */
  private crowded = false;
  private looking = false;
  /** While one looked, a turn was turned down, or room came to a crowd: the look may have been too early for it. */
  private missed = false;
  private stopping = false;
  private timer: NodeJS.Timeout | undefined;
  private unsubscribe: (() => void)[] = [];
  private onIdle: (() => void) | null = null;
  /** What all runs are told, those too that begin late, once the grace time is over. */
  private lastWord: ((turn: RunningTurn) => void) | null = null;

  constructor(
    private readonly config: Config,
    private readonly claims: TurnClaims,
    private readonly runs: RunStarter,
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
    return this.room > 0 && !this.isFilling;
  }

  /** What room there is goes to those who have waited, as soon as it is known who they are. */
  private get isFilling(): boolean {
    return this.looking && this.crowded;
  }

  /** For how many more turns that somebody waits for. */
  private get room(): number {
    if (this.stopping) return 0;
    return this.config.turns.maxConcurrent - (this.turns.size - this.inBackground) - this.reserved;
  }

  /** How many turns are being claimed. */
  private get claiming(): number {
    return [...this.turns.values()].filter(({ running }) => running === null).length;
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
    if (!this.hasRoom) return this.turnDown();
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
    else if (this.hasRoom) this.take(address);
    else this.turnDown();
  }

  private turnDown(): null {
    this.crowded = true;
    this.missed = true;
    return null;
  }

  private take(address: TurnAddress): void {
    this.occupy(address.turnId, (occupancy) => this.claimAndRun(occupancy, address));
  }

  private occupy(turnId: string, work: (occupancy: Occupancy) => Promise<void>): void {
    const occupancy = newOccupancy();
    this.turns.set(turnId, occupancy);
    void work(occupancy).finally(() => {
      this.turns.delete(turnId);
      if (occupancy.inBackground) this.inBackground -= 1;
      if (!occupancy.failed) this.onRoom();
      else this.onLeave();
    });
  }

  private async claimAndRun(occupancy: Occupancy, address: TurnAddress): Promise<void> {
    try {
      const claimed = await this.claim(occupancy, address);
      if (claimed) await this.run(occupancy, claimed);
      else if (occupancy.offered && !this.stopping) await this.claimAgain(occupancy, address);
    } catch (error) {
      // Nobody attends to the turn: it is found again.
      occupancy.failed = true;
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
    const takeRoomInBackground = (): boolean => this.takeRoomInBackground(occupancy);
    const { running, ended } = this.runs.begin(claimed, { start, takeRoomInBackground });
    occupancy.running = running;
    if (occupancy.stopped) running.stop(occupancy.stopped);
    this.lastWord?.(running);
    return ended;
  }

  /** Makes room for a turn that somebody waits for. One too many in the background is left to whoever has room there. */
  private takeRoomInBackground(occupancy: Occupancy): boolean {
    if (!occupancy.inBackground && this.roomInBackground > 0) this.countInBackground(occupancy);
    return occupancy.inBackground;
  }

  private countInBackground(occupancy: Occupancy): void {
    occupancy.inBackground = true;
    this.inBackground += 1;
    this.onRoom();
  }

  /** Claims what nobody attends to, as far as there is room; never rejects. */
  private async look(): Promise<void> {
    if (this.looking || this.room <= 0) return;
    this.looking = true;
    this.missed = false;
    this.crowded = await this.fill();
    this.looking = false;
    if (this.missed) await this.look();
  }

  /** Gives whether more may wait than there was room for. */
  private async fill(): Promise<boolean> {
    try {
      // What is being claimed still looks as if it waited.
      const most = this.room + this.claiming;
      const found = await this.claims.listUnattended(most, { background: this.mayClaimForBackground });
      for (const address of found) {
        const taken = this.turns.get(address.turnId);
        if (taken) taken.offered = true;
        else if (this.room > 0) this.take(address);
        else this.missed = true;
      }
      return found.length >= most || this.missed;
    } catch (error) {
      this.logger.warn({ err: error }, 'turns that wait could not be looked for');
      return false;
    }
  }

  private onRoom(): void {
    this.onLeave();
    if (!this.crowded) return;
    this.missed = true;
    void this.look();
  }

  private onLeave(): void {
    if (this.turns.size === 0 && this.reserved === 0) this.onIdle?.();
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
