import { DomainError } from '../../../common/errors/domain-error.js';
import { newId } from '../../../common/ids.js';
import { createLogger } from '../../../common/process/logger.js';
import type { Database } from '../../../platform/database/database.js';
import { Transaction } from '../../../platform/database/transaction.js';
import type { PubSub } from '../../../platform/pubsub/pub-sub.js';
import type { FinishReason } from '../turn-event.js';
import type { TurnClaimRepository } from './turn-claim.repository.js';
import type { Claim } from './turn-claim.js';
import { type LeaseHolder, TurnLeases } from './turn-leases.service.js';

type Renewed = Awaited<ReturnType<TurnClaimRepository['renew']>>;

/** More than the time between two renewals. */
const A_WHILE_MS = 6_000;

class Holder implements LeaseHolder {
  readonly heard: (FinishReason | 'lost')[] = [];

  constructor(readonly claim: Claim = { companyId: newId(), turnId: newId(), attempt: 1 }) {}

  onStop(reason: FinishReason): void {
    this.heard.push(reason);
  }

  onLost(): void {
    this.heard.push('lost');
  }
}

async function pass(ms: number): Promise<void> {
  return void (await vi.advanceTimersByTimeAsync(ms));
}

describe('TurnLeases', () => {
  /** The claims of each renewal. */
  let renewals: (readonly Claim[])[];
  /** Answers a renewal; by default every lease is kept. */
  let answer: (claims: readonly Claim[]) => Promise<Renewed>;
  let gaps: Set<() => void>;
  let leases: TurnLeases;

  beforeEach(() => {
    vi.useFakeTimers({ toNotFake: ['setImmediate'] });
    renewals = [];
    answer = async (claims) => kept(claims);
    gaps = new Set();
    leases = start();
  });

  afterEach(() => {
    leases.onApplicationShutdown();
    vi.useRealTimers();
  });

  const kept = (claims: readonly Claim[], stopReason: FinishReason | null = null): Renewed =>
    new Map(claims.map(({ turnId }) => [turnId, { stopReason }]));

  const start = (): TurnLeases => {
    const database: Pick<Database, 'systemTransaction'> = {
      systemTransaction: (work) => work(new Transaction(newId(), {} as never)),
    };
    const turns: Pick<TurnClaimRepository, 'renew'> = {
      renew: (_tx, claims) => {
        renewals.push(claims);
        return answer(claims);
      },
    };
    const pubSub: Pick<PubSub, 'onGap'> = {
      onGap: (listener) => {
        gaps.add(listener);
        return () => gaps.delete(listener);
      },
    };
    const started = new TurnLeases(
      database as Database,
      turns as TurnClaimRepository,
      pubSub as PubSub,
      createLogger({ level: 'silent', pretty: false }),
    );
    started.onApplicationBootstrap();
    return started;
  };

  const hold = (...holders: Holder[]): (() => void)[] => holders.map((holder) => leases.hold(holder));

  it('renews all leases together, again and again, until they are let go of', async () => {
    const [first, second] = [new Holder(), new Holder()];
    const [letGo] = hold(first, second);
    await pass(A_WHILE_MS);
    expect(renewals).toEqual([[first.claim, second.claim]]);
    letGo?.();
    await pass(A_WHILE_MS);
    expect(renewals.slice(1)).toEqual([[second.claim]]);
    expect([first.heard, second.heard]).toEqual([[], []]);
  });

  it('asks for nothing when nothing is held', async () => {
    const [letGo] = hold(new Holder());
    letGo?.();
    await pass(A_WHILE_MS);
    expect(renewals).toEqual([]);
  });

  it('tells who has lost a turn, and who is to stop, and nobody else', async () => {
    const [lost, stopped, other] = [new Holder(), new Holder(), new Holder()];
    hold(lost, stopped, other);
    answer = async () => new Map([...kept([stopped.claim], 'CANCELLED'), ...kept([other.claim])]);
    await leases.renew();
    expect([lost.heard, stopped.heard, other.heard]).toEqual([['lost'], ['CANCELLED'], []]);
  });

  it('tells nothing to those who have let go while the answer was on its way', async () => {
    const [ended, replaced] = [new Holder(), new Holder()];
    const letGo = hold(ended, replaced);
    const answers = Promise.withResolvers<Renewed>();
    answer = () => answers.promise;
    const renewing = leases.renew();
    for (const one of letGo) one();
    const next = new Holder({ ...replaced.claim, attempt: 2 });
    hold(next);
    answers.resolve(new Map());
    await renewing;
    expect([ended.heard, replaced.heard, next.heard]).toEqual([[], [], []]);
  });

  it('does not let go of a turn’s next attempt with the one before', async () => {
    const first = new Holder();
    const [letGo] = hold(first);
    const next = new Holder({ ...first.claim, attempt: 2 });
    hold(next);
    letGo?.();
    await leases.renew();
    expect(renewals).toEqual([[next.claim]]);
  });

  it('survives a renewal that fails, tells nobody, and renews the next time', async () => {
    const holder = new Holder();
    hold(holder);
    answer = () => Promise.reject(new Error('The database is away.'));
    await leases.renew();
    answer = async (claims) => kept(claims);
    await pass(A_WHILE_MS);
    expect({ renewals: renewals.length, heard: holder.heard }).toEqual({ renewals: 2, heard: [] });
  });

  it('tries a renewal again as soon as the database is there', async () => {
    hold(new Holder());
    answer = async () => {
      answer = async (claims) => kept(claims);
      throw new DomainError('UNAVAILABLE', 'The database is away.');
    };
    const renewing = leases.renew();
    await pass(A_WHILE_MS);
    await renewing;
    expect(renewals.length).toBeGreaterThanOrEqual(2);
  });

  it('keeps the turns that seem unattended where it can, and lets go of them where it cannot', async () => {
    const [one, other] = [new Holder(), new Holder()];
    hold(one, other);
    await leases.keepOrLose([one.claim.turnId, newId()]);
    expect({ renewals, heard: one.heard }).toEqual({ renewals: [[one.claim]], heard: [] });
    answer = () => Promise.reject(new DomainError('UNAVAILABLE', 'Nothing is heard on that connection.'));
    await leases.keepOrLose([one.claim.turnId]);
    expect([one.heard, other.heard]).toEqual([['lost'], []]);
  });

  it('has one renewal under way, however long it takes', async () => {
    hold(new Holder());
    const answers = Promise.withResolvers<Renewed>();
    answer = () => answers.promise;
    await pass(5 * A_WHILE_MS);
    expect(renewals).toHaveLength(1);
    answers.resolve(kept(renewals[0] ?? []));
    await pass(A_WHILE_MS);
    expect(renewals).toHaveLength(2);
  });

  it('looks at once for a stop that may not have been heard', async () => {
    const holder = new Holder();
    hold(holder);
    answer = async (claims) => kept(claims, 'SUPERSEDED');
    for (const listener of gaps) listener();
    await pass(0);
    expect(holder.heard).toEqual(['SUPERSEDED']);
  });

  it('renews nothing once the process stops', async () => {
    hold(new Holder());
    leases.onApplicationShutdown();
    expect({ timers: vi.getTimerCount(), gaps: gaps.size }).toEqual({ timers: 0, gaps: 0 });
    await pass(A_WHILE_MS);
    expect(renewals).toEqual([]);
  });
});
