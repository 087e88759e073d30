import fc from 'fast-check';

import { DomainError } from '../../../common/errors/domain-error.js';
import { newId } from '../../../common/ids.js';
import { type TurnEvent, noUsage } from '../turn-event.js';
import type { LogPage, LogRequest } from './turn-event.repository.js';
import { TurnEvents } from './turn-events.js';
import { TurnFeed } from './turn-feed.js';

const over = { done: true, value: undefined };
const away = new DomainError('UNAVAILABLE', 'away');
const OWNER = newId();
const TURN = { companyId: newId(), turnId: newId() };

/** A turn's log in memory. A read sees the state when it is let in, and answers when it is let out. */
class FakeLog {
  readonly stored: TurnEvent[] = [];
  state: LogPage['state'] = 'open';
  reads = 0;
  letIn: () => Promise<unknown> = () => Promise.resolve();
  letOut: () => Promise<unknown> = () => Promise.resolve();

  /** The next `count` events of the turn, the last one its end if `ends`. */
  store(count: number, ends = false): TurnEvent[] {
    const first = this.stored.length + 1;
    const events = Array.from({ length: count }, (_, index) =>
      eventOf(first + index, ends && index === count - 1),
    );
    this.stored.push(...events);
    if (ends) this.state = 'ended';
    return events;
  }

  async read({ companyId, turnId, after, memberId }: LogRequest, limit: number): Promise<LogPage> {
    if (companyId !== TURN.companyId || turnId !== TURN.turnId) throw new Error('This is another turn.');
    this.reads += 1;
    await this.letIn();
    if (memberId !== undefined && memberId !== OWNER) return { events: [], state: 'gone', lastSequence: 0 };
    const events = this.stored.filter(({ sequence }) => sequence > after).slice(0, limit);
    const { state, stored } = this;
    const lastSequence = stored.length;
    await this.letOut();
    return { events, state, lastSequence };
  }
}

function eventOf(sequence: number, isEnd: boolean): TurnEvent {
  return {
    turnId: TURN.turnId,
    sequence,
    at: new Date(0),
    ...(isEnd
      ? {
          type: 'turn-done',
          status: 'COMPLETED',
          finishReason: 'ANSWERED',
          messageId: null,
          usage: noUsage,
          error: null,
        }
      : { type: 'text-delta', text: `${sequence}` }),
  };
}

describe('TurnEvents', () => {
  let log: FakeLog;
  let feed: TurnFeed;
  const open = (after = 0): TurnEvents => new TurnEvents(log, feed, TURN, after);
  const publish = (events: TurnEvent[]): void => feed.publish(TURN.turnId, events);

  beforeEach(() => {
    log = new FakeLog();
    feed = new TurnFeed();
  });

  /** Resolves once everything that has happened so far has had its effects. */
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('gives what is stored, page by page, and completes after the end', async () => {
    log.store(450, true);
    expect(await Array.fromAsync(open(7))).toEqual(log.stored.slice(7));
    expect(log.reads).toBe(3);
    expect(feed.size).toBe(0);
  });

  it.each([2, 3, 1000])(
    'gives nothing of a turn that ended before what is asked for (after %i)',
    async (after) => {
      log.store(2, true);
      expect(await Array.fromAsync(open(after))).toEqual([]);
      expect(feed.size).toBe(0);
    },
  );

  it('gives live events from the feed, without asking the log again', async () => {
    const events = open();
    const first = events.next();
    publish(log.store(1));
    expect(await first).toEqual({ done: false, value: log.stored[0] });
    publish(log.store(3, true));
    const { reads } = log;
    expect(await Array.fromAsync(events)).toEqual(log.stored.slice(1));
    expect(log.reads).toBe(reads);
  });

  describe('begun for a member', () => {
    it('has read the log once, and gives live events from the feed', async () => {
      log.store(3);
      const events = await open(1).begin(OWNER);
      const [stored, late] = log.stored.slice(1);
      expect([await events.next(), await events.next()]).toEqual([
        { done: false, value: stored },
        { done: false, value: late },
      ]);
      const next = events.next();
      await settled();
      publish(log.store(1, true));
      expect(await next).toEqual({ done: false, value: log.stored[3] });
      expect(log.reads).toBe(1);
    });

    it('misses nothing that is stored before it is asked for the first event', async () => {
      const events = await open().begin(OWNER);
      publish(log.store(1));
      publish(log.store(1, true));
      expect(await Array.fromAsync(events)).toEqual(log.stored);
    });

    it.each([
      ['is not theirs', newId(), () => Promise.resolve(), { code: 'NOT_FOUND' }],
      ['cannot be read', OWNER, () => Promise.reject(away), away],
    ])('rejects when the turn %s, and listens no more', async (_why, memberId, letIn, error) => {
      publish(log.store(2));
      log.letIn = letIn;
      const others = feed.listen(TURN, () => undefined);
      const events = open();
      await expect(events.begin(memberId)).rejects.toMatchObject(error);
      expect(await events.next()).toEqual(over);
      others();
      expect(feed.size).toBe(0);
    });
  });

  it('does not lose an event that is stored between the reading of the log and the waiting', async () => {
    const answer = Promise.withResolvers<void>();
    log.letOut = () => answer.promise;
    const events = open();
    const first = events.next();
    await settled();
    // The empty log was read, but the answer is pending.
    publish(log.store(1));
    answer.resolve();
    expect(await first).toEqual({ done: false, value: log.stored[0] });
    await events.return();
  });

  it('completes for a listener beyond the end when the turn ends', async () => {
    const events = open(1000);
    const first = events.next();
    publish(log.store(3));
    await settled();
    publish(log.store(1, true));
    expect(await first).toEqual(over);
    expect(feed.size).toBe(0);
  });

  it('completes for a late listener at the end while another one keeps the tail', async () => {
    const slow = open();
    const first = slow.next();
    publish(log.store(2, true));
    expect(await Array.fromAsync(open(2))).toEqual([]);
    expect(await first).toEqual({ done: false, value: log.stored[0] });
    expect(await Array.fromAsync(slow)).toEqual([log.stored[1]]);
  });

  it('finds an end that was stored and never told, once it is told to look again', async () => {
    const events = open();
    const first = events.next();
    publish(log.store(1));
    await first;
    const last = events.next();
    log.store(1, true);
    feed.invalidate(TURN.turnId);
    expect(await last).toEqual({ done: false, value: log.stored[1] });
  });

  it('says so when the turn was removed', async () => {
    const events = open();
    const first = events.next();
    await settled();
    log.state = 'gone';
    feed.invalidate(TURN.turnId);
    await expect(first).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await events.next()).toEqual(over);
    expect(feed.size).toBe(0);
  });

  it('passes on that the log cannot be read, once, and listens no more', async () => {
    const broken = new Error('broken');
    log.letIn = () => Promise.reject(broken);
    const events = open();
    const both = [events.next(), events.next()];
    await expect(both[0]).rejects.toBe(broken);
    expect(await both[1]).toEqual(over);
    expect(feed.size).toBe(0);
  });

  it('waits for a database that is away, and goes on when it is back', async () => {
    log.store(2, true);
    log.letIn = () => (log.reads < 3 ? Promise.reject(away) : Promise.resolve());
    expect(await Array.fromAsync(open())).toEqual(log.stored);
    expect(log.reads).toBe(3);
  });

  it('tells whoever left while the database was away nothing of it', async () => {
    const isRead = Promise.withResolvers<void>();
    log.letIn = () => {
      isRead.resolve();
      return Promise.reject(away);
    };
    const events = open();
    const first = events.next();
    await isRead.promise;
    await events.return();
    expect(await first).toEqual(over);
    expect(feed.size).toBe(0);
  });

  it('has the log read once for those who come after each other', async () => {
    publish(log.store(3));
    const people = [open(), open()];
    const seen: unknown[] = [];
    for (const events of people) {
      for (const _ of log.stored) seen.push((await events.next()).value);
    }
    const waiting = people.map((events) => events.next());
    await settled();
    publish(log.store(1, true));
    expect([...seen, ...(await Promise.all(waiting)).map(({ value }) => value)]).toEqual([
      ...log.stored.slice(0, 3),
      ...log.stored.slice(0, 3),
      log.stored[3],
      log.stored[3],
    ]);
    expect(log.reads).toBe(1);
  });

  it('does not take an old reading for all there is when told to look again meanwhile', async () => {
    const others = open();
    publish(log.store(1));
    await others.next();
    const answer = Promise.withResolvers<void>();
    feed.invalidate(TURN.turnId);
    log.letOut = () => answer.promise;
    const events = open();
    const first = events.next();
    await settled();
    // The log was read up to the first event. The second is only hinted at.
    log.store(1, true);
    feed.invalidateAll();
    answer.resolve();
    expect(await first).toEqual({ done: false, value: log.stored[0] });
    expect(await Array.fromAsync(events)).toEqual([log.stored[1]]);
    expect(await Array.fromAsync(others)).toEqual([log.stored[1]]);
  });

  it('returns at once while it waits for a silent turn', async () => {
    const events = open();
    const waiting = [events.next(), events.next()];
    await settled();
    expect(feed.size).toBe(1);
    const returned = events.return();
    expect(feed.size).toBe(0);
    expect(await returned).toEqual(over);
    expect(await Promise.all(waiting)).toEqual([over, over]);
  });

  it('gives nothing more when it was returned while the log was being read', async () => {
    log.store(3);
    const answer = Promise.withResolvers<void>();
    log.letOut = () => answer.promise;
    const events = open();
    const first = events.next();
    await settled();
    await events.return();
    answer.resolve();
    expect(await first).toEqual(over);
    expect(await events.next()).toEqual(over);
    expect(feed.size).toBe(0);
  });

  it('never listens when it is returned before it is begun', async () => {
    const events = open();
    await events.return();
    expect(await events.next()).toEqual(over);
    expect({ reads: log.reads, size: feed.size }).toEqual({ reads: 0, size: 0 });
  });

  it('answers several next() at a time in the order in which they were asked', async () => {
    const events = open();
    const asked = [events.next(), events.next(), events.next(), events.next()];
    publish(log.store(1));
    await settled();
    publish(log.store(2, true));
    expect(await Promise.all(asked)).toEqual([...log.stored.map((value) => ({ done: false, value })), over]);
  });

  it('leaves nothing behind, however often one subscribes and leaves', async () => {
    let listeners = 0;
    const counting = new (class extends TurnFeed {
      override listen(turn: typeof TURN, listener: () => void): () => void {
        const leave = super.listen(turn, listener);
        listeners += 1;
        let left = false;
        return () => {
          leave();
          if (!left) listeners -= 1;
          left = true;
        };
      }
    })();
    log.store(3);
    for (let cycle = 0; cycle < 10_000; cycle += 1) {
      const events = new TurnEvents(log, counting, TURN, cycle % 5);
      const next = events.next();
      // Some leave before the log has answered, some with an event, some while they wait for one.
      if (cycle % 3 === 1 && cycle % 5 < 3) await next;
      if (cycle % 3 === 2) await settled();
      const others = events.next();
      await events.return();
      await Promise.all([next, others]);
    }
    expect({ listeners, size: counting.size }).toEqual({ listeners: 0, size: 0 });
  });

  it('holds the laws however commits, what is told of them, reads and subscribers fall together', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), commits, people, async (scheduler, sizes, everybody) => {
        log = new FakeLog();
        feed = new TurnFeed();
        log.letIn = () => scheduler.schedule(Promise.resolve(), 'the log is read');
        log.letOut = () => scheduler.schedule(Promise.resolve(), 'the log answers');
        play(scheduler, sizes);
        let ended = 0;
        const seen = everybody.map(async ({ after, leavesAfter, takesText }) => {
          await scheduler.schedule(Promise.resolve(), 'subscribe');
          const events = await followed(after, leavesAfter, takesText);
          ended += 1;
          return events;
        });
        do {
          await scheduler.waitIdle();
          await settled();
        } while (scheduler.count() > 0);
        expect(ended).toBe(everybody.length);
        for (const [index, { after }] of everybody.entries()) {
          expect(await seen[index]).toEqual(log.stored.slice(after));
        }
        expect(feed.size).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  /** Stores the commits, the last with the turn's end. Listeners hear of them in order, at any later time. */
  const play = (scheduler: fc.Scheduler, all: readonly Commit[]): void => {
    let told: Promise<unknown> = Promise.resolve();
    void scheduler.scheduleSequence(
      all.map(({ size, how }, index) => ({
        label: 'commit',
        builder: async () => {
          const events = log.store(size, index === all.length - 1);
          const lastSequence = log.stored.length;
          const news = scheduler.schedule(Promise.resolve(), 'news');
          told = Promise.all([told, news]).then(() => tell[how](events, lastSequence));
        },
      })),
    );
  };

  it('gives a sink what is stored before anybody else runs, while the reader waits', async () => {
    log.store(1);
    const stream = await open().begin(OWNER);
    const taken: number[] = [];
    const sink = { isReady: true, take: (event: TurnEvent) => void taken.push(event.sequence) };
    stream.handTextTo(sink);
    await stream.next();
    const next = stream.next();
    await settled();
    publish(log.store(2));
    expect(taken).toEqual([2, 3]);
    sink.isReady = false;
    publish(log.store(1));
    expect([taken, (await next).value?.sequence]).toEqual([[2, 3], 4]);
    await stream.return();
  });

  /** This process stored them; it hears of them while nothing is at hand; it hears that it has not heard. */
  const tell: Record<Commit['how'], (events: TurnEvent[], lastSequence: number) => void> = {
    shown: (events) => publish(events),
    hinted: (_events, lastSequence) => feed.announceLength(TURN.turnId, lastSequence),
    missed: () => feed.invalidateAll(),
  };

  /** The events for a listener that leaves after `leavesAfter` events (if a number) and comes back. */
  const followed = async (
    after: number,
    leavesAfter: number | null,
    takesText: readonly boolean[],
  ): Promise<TurnEvent[]> => {
    const seen: TurnEvent[] = [];
    if (leavesAfter !== null) {
      for await (const event of open(after)) {
        seen.push(event);
        if (seen.length > leavesAfter) break;
      }
    }
    const last = seen.at(-1);
    const stream = open(last?.sequence ?? after);
    const ready = takesText.values();
    stream.handTextTo({
      get isReady() {
        return ready.next().value ?? false;
      },
      take: (event) => void seen.push(event),
    });
    for await (const event of stream) seen.push(event);
    return seen;
  };
});

interface Commit {
  size: number;
  how: 'shown' | 'hinted' | 'missed';
}

const commits = fc.array(
  fc.record<Commit>({
    size: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.constant(290)),
    how: fc.constantFrom('shown', 'shown', 'hinted', 'missed'),
  }),
  { minLength: 1, maxLength: 6 },
);

const people = fc.array(
  fc.record({
    after: fc.nat({ max: 12 }),
    leavesAfter: fc.option(fc.nat({ max: 4 })),
    takesText: fc.array(fc.boolean()),
  }),
  { minLength: 1, maxLength: 4 },
);
