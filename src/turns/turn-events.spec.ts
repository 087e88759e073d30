import fc from 'fast-check';

import { DomainError } from '../common/domain-error.js';
import { newId } from '../common/ids.js';
import type { TurnEvent } from './turn-event.js';
import type { LogPage } from './turn-event.repository.js';
import { noUsage } from './turn-event.js';
import { TurnEvents } from './turn-events.js';
import { TurnFeed } from './turn-feed.js';

const over = { done: true, value: undefined };
const TURN = { companyId: newId(), turnId: newId() };

/** A turn's log in memory. A read sees what is stored when it is let in, and answers when it is let out. */
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

  async read(companyId: string, turnId: string, after: number, limit: number): Promise<LogPage> {
    if (companyId !== TURN.companyId || turnId !== TURN.turnId) throw new Error('This is another turn.');
    this.reads += 1;
    await this.letIn();
    const events = this.stored.filter(({ sequence }) => sequence > after).slice(0, limit);
    const { state } = this;
    await this.letOut();
    return { events, state };
  }
}

const eventOf = (sequence: number, isEnd: boolean): TurnEvent => ({
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
});

describe('TurnEvents', () => {
  let log: FakeLog;
  let feed: TurnFeed;
  const open = (after = 0): TurnEvents => new TurnEvents(log, feed, TURN, after);
  const publish = (events: TurnEvent[]): void => feed.publish(TURN.turnId, events);

  beforeEach(() => {
    log = new FakeLog();
    feed = new TurnFeed();
  });

  /** Resolves when all that follows from what has happened so far has happened too. */
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

  it('does not lose an event that is stored between the reading of the log and the waiting', async () => {
    const answer = Promise.withResolvers<void>();
    log.letOut = () => answer.promise;
    const events = open();
    const first = events.next();
    await settled();
    // The log was read, empty, and has not answered yet.
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
    feed.lookAgain(TURN.turnId);
    expect(await last).toEqual({ done: false, value: log.stored[1] });
  });

  it('says so when the turn was removed', async () => {
    const events = open();
    const first = events.next();
    await settled();
    log.state = 'gone';
    feed.lookAgain(TURN.turnId);
    await expect(first).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await events.next()).toEqual(over);
    expect(feed.size).toBe(0);
  });

  it('passes on that the log cannot be read, once, and listens no more', async () => {
    const away = new DomainError('UNAVAILABLE', 'away');
    log.letIn = () => Promise.reject(away);
    const events = open();
    const both = [events.next(), events.next()];
    await expect(both[0]).rejects.toBe(away);
    expect(await both[1]).toEqual(over);
    expect(feed.size).toBe(0);
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
      override listen(turnId: string, listener: () => void): () => void {
        const leave = super.listen(turnId, listener);
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

  it('holds the laws however commits, their announcements, reads and subscribers fall together', async () => {
    const someone = fc.record({ after: fc.nat({ max: 12 }), leavesAfter: fc.option(fc.nat({ max: 4 })) });
    const batches = fc.array(
      fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.constant(290)),
      {
        minLength: 1,
        maxLength: 6,
      },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        batches,
        fc.array(someone, { minLength: 1, maxLength: 4 }),
        async (scheduler, sizes, people) => {
          log = new FakeLog();
          feed = new TurnFeed();
          log.letIn = () => scheduler.schedule(Promise.resolve(), 'the log is read');
          log.letOut = () => scheduler.schedule(Promise.resolve(), 'the log answers');
          let told: Promise<void> = Promise.resolve();
          void scheduler.scheduleSequence(
            sizes.map((size, index) => ({
              label: 'commit',
              builder: async () => {
                const events = log.store(size, index === sizes.length - 1);
                // Commits are told in their order, and any time after they are stored.
                const announcement = scheduler.schedule(Promise.resolve(), 'announcement');
                told = Promise.all([told, announcement]).then(() => publish(events));
              },
            })),
          );
          const seen = people.map(async ({ after, leavesAfter }) => {
            await scheduler.schedule(Promise.resolve(), 'subscribe');
            return followed(after, leavesAfter);
          });
          let ended = 0;
          for (const one of seen) void one.then(() => (ended += 1));
          do {
            await scheduler.waitIdle();
            await settled();
          } while (scheduler.count() > 0);
          expect(ended).toBe(people.length);
          for (const [index, { after }] of people.entries()) {
            expect(await seen[index]).toEqual(log.stored.slice(after));
          }
          expect(feed.size).toBe(0);
        },
      ),
      { numRuns: 300 },
    );
  });

  /** What somebody sees who leaves after `leavesAfter` events, if that is a number, and comes back for the rest. */
  const followed = async (after: number, leavesAfter: number | null): Promise<TurnEvent[]> => {
    const seen: TurnEvent[] = [];
    if (leavesAfter !== null) {
      for await (const event of open(after)) {
        seen.push(event);
        if (seen.length > leavesAfter) break;
      }
    }
    const last = seen.at(-1);
    const rest = await Array.fromAsync(open(last?.sequence ?? after));
    return [...seen, ...rest];
  };
});
