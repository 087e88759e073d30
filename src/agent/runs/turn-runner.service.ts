import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { z } from 'zod';

import { Config } from '../../common/config/config.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { type ClaimedTurn, type Places, TurnAddress } from '../../conversations/turns/claims/turn-claim.js';
import { TurnClaims } from '../../conversations/turns/claims/turn-claims.service.js';
import {
  type CreatedTurn,
  LocalRunner,
  type Place,
  type Runner,
  turnTopics,
} from '../../conversations/turns/claims/turn-queue.service.js';
import { finishReasons } from '../../conversations/turns/turn-event.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { PubSub } from '../../platform/pubsub/pub-sub.js';
import { RunStarter } from './run-starter.service.js';
import {
  isCrowded,
  isLooking,
  type Phase,
  type PlaceKind,
  RunnerPlaces,
  type Search,
  searchAfter,
  type SearchEvent,
  type TurnState,
  turnStateAfter,
  type TurnStateEvent,
  WaitingLine,
} from './runner-state.js';
import { type RunningTurn, TurnStopped } from './running-turn.js';
import type { Start } from './turn-work.service.js';

const StopHint = z.object({ turnId: z.uuid(), reason: z.enum(finishReasons) });

/** The interval of looking for unattended turns. */
const LOOK_MS = 2_000;

/** The time for handing turns over after the grace time. An unavailable database is not waited for. */
const HAND_OVER_MS = 3_000;

/** A turn of this process, from before its claim or creation until its end is stored. */
interface HeldTurn {
  companyId: string;
  state: TurnState;
  place: PlaceKind;
  /** Null: it is being claimed. */
  running: RunningTurn | null;
  /** A stop, which may arrive during the claim, before there is a run. Null: none. */
  stopped: TurnStopped | null;
}

/** Claims and runs turns, up to the process's limit. */
@Injectable()
export class TurnRunner implements Runner, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly turns = new Map<string, HeldTurn>();
  private readonly places: RunnerPlaces;
  private phase: Phase = 'OPEN';
  private search: Search = 'IDLE';
  private readonly line = new WaitingLine();
  private timer: NodeJS.Timeout | undefined;
  private unsubscribe: (() => void)[] = [];
  private onIdle: (() => void) | null = null;

  constructor(
    private readonly config: Config,
    private readonly claims: TurnClaims,
    private readonly runs: RunStarter,
    private readonly local: LocalRunner,
    private readonly pubSub: PubSub,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const { maxConcurrent: foreground, maxBackground: background } = config.turns;
    this.places = new RunnerPlaces({ foreground, background }, () => this.phase === 'OPEN');
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.claims.endLeasesOfTheDead();
    this.unsubscribe = [
      this.pubSub.subscribe(turnTopics.queued, (hint) => this.offer(TurnAddress.parse(JSON.parse(hint)))),
      this.pubSub.subscribe(turnTopics.stop, (hint) => this.stop(StopHint.parse(JSON.parse(hint)))),
      this.pubSub.subscribe(turnTopics.held, (hint) => this.offerHeld(TurnAddress.parse(JSON.parse(hint)))),
      this.pubSub.onGap(() => void this.look()),
    ];
    this.timer = setInterval(() => void this.look(), LOOK_MS);
    this.local.register(this);
    void this.look();
  }

  /** Lets running turns end within the grace time, and hands the others over. */
  async onApplicationShutdown(): Promise<void> {
    this.phase = 'DRAINING';
    this.local.register(null);
    clearInterval(this.timer);
    const graceMs = this.config.turns.shutdownGraceSeconds * 1000;
    const timers = [
      setTimeout(() => this.enter('HANDING_OVER'), graceMs),
      setTimeout(() => this.enter('LEAVING'), graceMs + HAND_OVER_MS),
    ];
    await this.idle();
    for (const timer of timers) clearTimeout(timer);
    // Not earlier, because turns may still be cancelled until here.
    for (const unsubscribe of this.unsubscribe) unsubscribe();
  }

  /** While turns that wait are looked for, a new one does not overtake those in front of it. */
  hasRoomFor(companyId: string): boolean {
    const areLookedFor = isLooking(this.search) && isCrowded(this.search);
    return (
      this.places.hasRoomFor('foreground', companyId) && !(areLookedFor && this.line.isBefore(companyId))
    );
  }

  /** How many turns of each kind to look for. Turns that are being claimed still seem to wait. */
  private get placesToFill(): Places {
    const claiming = [...this.turns.values()].filter(({ running }) => running === null).length;
    const { foreground, unclaimedBackground: background } = this.places;
    return {
      foreground: foreground > 0 ? foreground + claiming : 0,
      background: background > 0 ? background + claiming : 0,
    };
  }

  reserve(companyId: string): Place | null {
    if (!this.hasRoomFor(companyId)) return this.turnDown(companyId);
    const giveBack = this.places.reserve(companyId);
    const release = (): void => {
      if (giveBack()) this.onRoom();
    };
    let start: Start | null = null;
    const prepare = async (tx: Transaction, created: CreatedTurn): Promise<void> => {
      start = await this.runs.read(tx, created);
    };
    const run = (claimed: ClaimedTurn): void => {
      this.hold({ companyId, turnId: claimed.turn.id }, 'foreground', (held) =>
        this.run(held, claimed, start),
      );
      giveBack();
    };
    return { prepare, run, release };
  }

  offer(address: TurnAddress): void {
    const held = this.turns.get(address.turnId);
    if (held) advance(held, 'OFFERED');
    else if (this.hasRoomFor(address.companyId)) this.take(address, 'foreground', true);
    else this.turnDown(address.companyId);
  }

  /** Offers a turn that waits here for the answer of a call. */
  private offerHeld(address: TurnAddress): void {
    const isHeld = [...this.local.held.values()].some(({ turnId }) => turnId === address.turnId);
    if (isHeld) this.offer(address);
  }

  private turnDown(companyId: string): null {
    this.line.add(companyId);
    this.note(this.places.hasRoomFor('foreground', companyId) ? 'PUT_BEHIND' : 'TURNED_DOWN');
    return null;
  }

  private note(event: SearchEvent): void {
    this.search = searchAfter(this.search, event);
  }

  /** `mayMove`: a turn that takes a foreground place may turn out to be in the background. */
  private take(address: TurnAddress, place: PlaceKind, mayMove: boolean): void {
    this.hold(address, place, (held) => this.claimAndRun(held, address, mayMove));
  }

  private hold(
    { companyId, turnId }: TurnAddress,
    place: PlaceKind,
    work: (held: HeldTurn) => Promise<void>,
  ): void {
    const held: HeldTurn = { companyId, state: 'CLAIMING', place, running: null, stopped: null };
    this.turns.set(turnId, held);
    this.places.take(place, companyId);
    void work(held).finally(() => {
      this.turns.delete(turnId);
      this.places.release(held.place, companyId);
      // A failed claim would fail again at once.
      if (held.state === 'FAILED') this.onLeave();
      else this.onRoom();
    });
  }

  private async claimAndRun(held: HeldTurn, address: TurnAddress, mayMove: boolean): Promise<void> {
    try {
      const claimed = await this.claim(held, address, mayMove);
      if (claimed) return await this.run(held, claimed);
      advance(held, 'REFUSED');
      if (held.state === 'CLAIMING' && this.phase === 'OPEN') await this.claimAndRun(held, address, true);
    } catch (error) {
      // Nobody has the turn, so a look will find it.
      advance(held, 'BROKE_OFF');
      this.logger.error({ err: error, ...address }, 'a turn could not be claimed');
    }
  }

  private async claim(held: HeldTurn, address: TurnAddress, mayMove: boolean): Promise<ClaimedTurn | null> {
    if (held.place === 'background') return this.claims.claim(address, { background: true });
    const background = mayMove && this.places.hasUnclaimedBackgroundFor(address.companyId);
    if (!background) return this.claims.claim(address, { background });
    const decide = this.places.leaveUndecided();
    try {
      const claimed = await this.claims.claim(address, { background });
      if (claimed?.turn.backgroundAt) this.moveToBackground(held);
      return claimed;
    } finally {
      decide();
    }
  }

  private run(held: HeldTurn, claimed: ClaimedTurn, start: Start | null = null): Promise<void> {
    const takeRoomInBackground = (): boolean => this.moveToBackground(held);
    const { running, ended } = this.runs.begin(claimed, { start, takeRoomInBackground });
    advance(held, 'CLAIMED');
    held.running = running;
    if (held.stopped) running.stop(held.stopped);
    tell(running, this.phase);
    return ended;
  }

  /** Makes room for a turn that somebody waits for. A surplus background turn is left to other processes. */
  private moveToBackground(held: HeldTurn): boolean {
    if (held.place === 'foreground' && this.places.hasRoomFor('background', held.companyId)) {
      this.places.release(held.place, held.companyId);
      held.place = 'background';
      this.places.take(held.place, held.companyId);
      this.onRoom();
    }
    return held.place === 'background';
  }

  /** Claims unattended turns as far as there is room. Never rejects. */
  private async look(): Promise<void> {
    const { foreground, background } = this.places;
    if (isLooking(this.search) || (foreground <= 0 && background <= 0)) return;
    this.note('LOOK_BEGAN');
    this.line.onLookBegun();
    const outcome = await this.fill();
    const wasTooEarly = this.search === 'LOOKING_TOO_EARLY';
    this.note(outcome);
    // Without room, refused turns are looked for later.
    if (wasTooEarly && this.places.foreground > 0) await this.look();
  }

  /** Returns whether more foreground turns may wait than there was room for. */
  private async fill(): Promise<'ALL_FOUND' | 'MORE_WAIT'> {
    try {
      const places = this.placesToFill;
      const free = this.places.foreground;
      const found = await this.claims.listUnattended(places);
      const overdue: string[] = [];
      const companies = new Map<string, boolean>();
      const left = new Set<string>();
      let taken = 0;
      for (const { inBackground, isFollowed, ...address } of found) {
        const held = this.turns.get(address.turnId);
        const mayTake = !held && this.mayTake(address.companyId, inBackground);
        if (held?.running) overdue.push(address.turnId);
        else if (held) advance(held, 'OFFERED');
        else if (mayTake) this.take(address, inBackground ? 'background' : 'foreground', inBackground);
        if (inBackground) continue;
        // It waits for a place of its company's share or of others', so looking again at once is useless.
        if (!held && !mayTake) left.add(address.companyId);
        if (mayTake) taken += 1;
        companies.set(address.companyId, isFollowed || left.has(address.companyId));
      }
      void this.runs.keepOrLose(overdue);
      if (places.foreground === 0) return isCrowded(this.search) ? 'MORE_WAIT' : 'ALL_FOUND';
      const isWhole = found.filter(({ inBackground }) => !inBackground).length < places.foreground;
      const isOvertaken = left.size > 0 && this.places.foreground <= 0 && taken < free;
      this.line.onLookEnded({ companies, isWhole, isOvertaken });
      return left.size > 0 || !isWhole ? 'MORE_WAIT' : 'ALL_FOUND';
    } catch (error) {
      this.logger.warn({ err: error }, 'turns that wait could not be looked for');
      return 'ALL_FOUND';
    }
  }

  /** Whether there is room for a waiting turn. */
  private mayTake(companyId: string, inBackground: boolean): boolean {
    return inBackground
      ? this.places.hasUnclaimedBackgroundFor(companyId)
      : this.places.hasRoomFor('foreground', companyId);
  }

  private onRoom(): void {
    this.onLeave();
    if (!isCrowded(this.search)) return;
    this.note('ROOM_FREED');
    void this.look();
  }

  private onLeave(): void {
    if (this.places.areAllFree) this.onIdle?.();
  }

  private async idle(): Promise<void> {
    if (this.places.areAllFree) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.onIdle = resolve;
    await promise;
  }

  private stop({ turnId, reason }: z.output<typeof StopHint>): void {
    for (const call of this.local.held.values()) if (call.turnId === turnId) call.drop();
    const held = this.turns.get(turnId);
    if (!held) return;
    held.stopped ??= new TurnStopped({ type: 'stop', finishReason: reason });
    held.running?.stop(held.stopped);
  }

  /** Also reaches runs that begin later. */
  private enter(phase: Phase): void {
    this.phase = phase;
    for (const { running } of this.turns.values()) if (running) tell(running, phase);
    // Anything that still waits is waiting for an unavailable database, and would keep the process alive.
    if (phase === 'LEAVING') this.onIdle?.();
  }
}

function advance(held: HeldTurn, event: TurnStateEvent): void {
  held.state = turnStateAfter(held.state, event);
}

function tell(running: RunningTurn, phase: Phase): void {
  if (phase === 'HANDING_OVER') running.stop(new TurnStopped({ type: 'hand-over' }));
  if (phase === 'LEAVING') running.leave(new TurnStopped({ type: 'abandon' }));
}
