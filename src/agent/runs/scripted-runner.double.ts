import { readConfig } from '../../common/config/read-config.js';
import { newId } from '../../common/ids.js';
import { createLogger } from '../../common/process/logger.js';
import type {
  ClaimedTurn,
  Places,
  Room,
  TurnAddress,
  UnattendedTurn,
} from '../../conversations/turns/claims/turn-claim.js';
import type { TurnClaims } from '../../conversations/turns/claims/turn-claims.service.js';
import { LocalRunner, turnTopics } from '../../conversations/turns/claims/turn-queue.service.js';
import type { Turn } from '../../conversations/turns/turn.entity.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { InProcessPubSub } from '../../platform/pubsub/in-process-pub-sub.js';
import type { RunStarter } from './run-starter.service.js';
import type { RunningTurn, TurnStopped } from './running-turn.js';
import { TurnRunner } from './turn-runner.service.js';
import type { Start } from './turn-work.service.js';

export const LOOK_MS = 2_000;
export const GRACE_MS = 10_000;
export const HAND_OVER_MS = 3_000;

/** The default company of turns. */
export const companyId = newId();
export function addressOf(turnId: string, of = companyId): TurnAddress {
  return { companyId: of, turnId };
}
export function claimedOf(turnId: string, turn: Partial<Turn> = {}): ClaimedTurn {
  return {
    turn: { id: turnId, backgroundAt: null, ...turn },
    claim: { companyId, turnId, attempt: 1 },
    phaseSeconds: 0,
  } as unknown as ClaimedTurn;
}

/** Lets all pending promises settle. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The data read in the transaction that creates a turn. */
export const READ = { skills: [] } as unknown as Start;

/** Claims and rows with manual answers. */
class FakeClaims {
  readonly claiming: { turnId: string; room: Room; answer: PromiseWithResolvers<ClaimedTurn | null> }[] = [];
  /** Unattended turns of both kinds. Each look is recorded with its room. */
  unattended: string[] = [];
  unattendedInBackground: string[] = [];
  /** Companies of turns other than `companyId`. */
  readonly companies = new Map<string, string>();
  readonly looks: number[] = [];
  readonly lookedWith: Places[] = [];
  failure: Error | null = null;
  /** Looks wait for this if set. */
  gate: Promise<void> | null = null;

  readonly endLeasesOfTheDead = (): Promise<void> => Promise.resolve();

  readonly claim = ({ turnId }: TurnAddress, room: Room): Promise<ClaimedTurn | null> => {
    const answer = Promise.withResolvers<ClaimedTurn | null>();
    this.claiming.push({ turnId, room, answer });
    return answer.promise;
  };

  readonly listUnattended = async (places: Places): Promise<UnattendedTurn[]> => {
    this.looks.push(places.foreground);
    this.lookedWith.push(places);
    const { foreground, background } = places;
    const found = [
      ...this.unattended.slice(0, foreground).map((id) => this.found(id, false)),
      ...this.unattendedInBackground.slice(0, background).map((id) => this.found(id, true)),
    ];
    await this.gate;
    if (this.failure) throw this.failure;
    return found;
  };

  private found(turnId: string, inBackground: boolean): UnattendedTurn {
    const all = inBackground ? this.unattendedInBackground : this.unattended;
    const company = this.companies.get(turnId);
    const behind = all.slice(all.indexOf(turnId) + 1);
    const isFollowed = behind.some((other) => this.companies.get(other) === company);
    return { ...addressOf(turnId, company), inBackground, isFollowed };
  }

  get claimed(): string[] {
    return this.claiming.map(({ turnId }) => turnId);
  }
}

/** A run that ends on command. */
class FakeRun {
  /** Its orders, such as `stop:CANCELLED`, `stop:hand-over`, `leave:abandon`. */
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

function assemble(maxTurns: number, maxInBackground: number) {
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
  const overdue: string[] = [];
  const keepOrLose = async (ids: readonly string[]): Promise<void> => void overdue.push(...ids);
  const turnRuns = { begin, keepOrLose, read: () => Promise.resolve(READ) } as unknown as RunStarter;
  const runner = new TurnRunner(config, claims as unknown as TurnClaims, turnRuns, local, pubSub, logger);
  return { runner, pubSub, local, claims, runs, overdue };
}

/** A runner with manual answers of claims and runs. */
export async function startRunner(maxTurns = 2, maxInBackground = 1) {
  const { runner, pubSub, local, claims, runs, overdue } = assemble(maxTurns, maxInBackground);
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
    /** Running turns that were found unattended. */
    overdue,
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
}
