import { newId } from '../../common/ids.js';
import { createLogger } from '../../common/process/logger.js';
import { readConfig } from '../../config/config.js';
import type { Transaction } from '../../database/transaction.js';
import { InProcessPubSub } from '../../pubsub/in-process-pub-sub.js';
import { LocalRunner } from '../../turns/claims/local-runner.js';
import { type TurnAddress, turnTopics } from '../../turns/claims/turn-address.js';
import type { ClaimedTurn } from '../../turns/claims/claimed-turn.js';
import type { TurnClaims } from '../../turns/claims/turn-claims.service.js';
import type { Turn } from '../../turns/turn.entity.js';
import type { Room } from '../../turns/turn.repository.js';
import type { RunningTurn } from './running-turn.js';
import type { TurnStopped } from './turn-ending.js';
import { TurnRunner } from './turn-runner.service.js';
import type { RunStarter } from './run-starter.service.js';
import type { Start } from './turn-work.service.js';

export const LOOK_MS = 2_000;
export const GRACE_MS = 10_000;
export const HAND_OVER_MS = 3_000;

const companyId = newId();
export const addressOf = (turnId: string): TurnAddress => ({ companyId, turnId });
export const claimedOf = (turnId: string, turn: Partial<Turn> = {}): ClaimedTurn =>
  ({
    turn: { id: turnId, backgroundAt: null, ...turn },
    claim: { companyId, turnId, attempt: 1 },
  }) as unknown as ClaimedTurn;

/** Lets all go on that waits for nothing but promises. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What is read in the transaction that creates a turn. */
export const READ = { skills: [] } as unknown as Start;

/** Claims and rows that are answered by hand. */
export class FakeClaims {
  readonly claiming: { turnId: string; room: Room; answer: PromiseWithResolvers<ClaimedTurn | null> }[] = [];
  /** What nobody attends to; each look is noted with its limit, and the room it was made with. */
  unattended: string[] = [];
  readonly looks: number[] = [];
  readonly lookedWith: Room[] = [];
  failure: Error | null = null;
  /** While it is set, looks wait for it. */
  gate: Promise<void> | null = null;

  readonly endLeasesOfTheDead = (): Promise<void> => Promise.resolve();

  readonly claim = ({ turnId }: TurnAddress, room: Room): Promise<ClaimedTurn | null> => {
    const answer = Promise.withResolvers<ClaimedTurn | null>();
    this.claiming.push({ turnId, room, answer });
    return answer.promise;
  };

  readonly listUnattended = async (limit: number, room: Room): Promise<TurnAddress[]> => {
    this.looks.push(limit);
    this.lookedWith.push(room);
    const found = this.unattended.slice(0, limit).map(addressOf);
    await this.gate;
    if (this.failure) throw this.failure;
    return found;
  };

  get claimed(): string[] {
    return this.claiming.map(({ turnId }) => turnId);
  }
}

/** A run that ends when it is told to. */
export class FakeRun {
  /** What it was told, as `stop:CANCELLED`, `stop:hand-over`, `leave:abandon`. */
  readonly told: string[] = [];
  private readonly over = Promise.withResolvers<void>();
  readonly ended = this.over.promise;
  readonly end = this.over.resolve;

  constructor(
    readonly turnId: string,
    readonly begunWith: Start | null,
    private readonly takeRoomInBackground: () => boolean,
  ) {}

  /** Gives whether there is room for it there. */
  goToBackground(): boolean {
    return this.takeRoomInBackground();
  }

  stop({ ending }: TurnStopped): void {
    this.told.push(`stop:${ending.type === 'stop' ? ending.finishReason : ending.type}`);
  }

  leave({ ending }: TurnStopped): void {
    this.told.push(`leave:${ending.type}`);
  }
}

const assemble = (maxTurns: number, maxInBackground: number) => {
  const logger = createLogger({ level: 'silent', pretty: false });
  const pubSub = new InProcessPubSub(logger);
  const local = new LocalRunner();
  const claims = new FakeClaims();
  const runs: FakeRun[] = [];
  const begin: RunStarter['begin'] = ({ turn }, { start: begunWith = null, takeRoomInBackground }) => {
    const run = new FakeRun(turn.id, begunWith, takeRoomInBackground);
    runs.push(run);
    return { running: run as unknown as RunningTurn, ended: run.ended };
  };
  const config = readConfig({
    MAX_TURNS: String(maxTurns),
    MAX_BACKGROUND_TURNS: String(maxInBackground),
    SHUTDOWN_GRACE_SECONDS: String(GRACE_MS / 1000),
  });
  const turnRuns = { begin, read: () => Promise.resolve(READ) } as unknown as RunStarter;
  const runner = new TurnRunner(config, claims as unknown as TurnClaims, turnRuns, local, pubSub, logger);
  return { runner, pubSub, local, claims, runs };
};

/** A runner whose claims and runs are answered by hand. */
export const startRunner = async (maxTurns = 2, maxInBackground = 1) => {
  const { runner, pubSub, local, claims, runs } = assemble(maxTurns, maxInBackground);
  await runner.onApplicationBootstrap();
  await settle();
  claims.looks.length = 0;
  claims.lookedWith.length = 0;
  const committed = { afterCommit: (callback: () => void) => callback() } as Transaction;
  return {
    runner,
    local,
    claims,
    runs,
    /** Claims and runs a turn. */
    run: async (): Promise<FakeRun> => {
      const turnId = newId();
      local.offer(addressOf(turnId));
      claims.claiming.at(-1)?.answer.resolve(claimedOf(turnId));
      await settle();
      const run = runs.at(-1);
      if (run?.turnId !== turnId) throw new Error('The turn was not run.');
      return run;
    },
    offer: (turnId: string) =>
      pubSub.publish(committed, turnTopics.queued, JSON.stringify(addressOf(turnId))),
    stop: (turnId: string) =>
      pubSub.publish(committed, turnTopics.stop, JSON.stringify({ turnId, reason: 'CANCELLED' })),
  };
};
