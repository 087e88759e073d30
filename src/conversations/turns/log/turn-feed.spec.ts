import { newId } from '../../../common/ids.js';
import { type TurnEvent, type TurnEventBody, noUsage } from '../turn-event.js';
import { TurnFeed } from './turn-feed.js';

const TURN = newId();
const ADDRESS = { companyId: newId(), turnId: TURN };

function eventOf(sequence: number, body: TurnEventBody): TurnEvent {
  return {
    turnId: TURN,
    sequence,
    at: new Date(0),
    ...body,
  };
}

function delta(sequence: number): TurnEvent {
  return eventOf(sequence, { type: 'text-delta', text: `${sequence}` });
}

/** The events `from` to `to`, both included. */
function deltas(from: number, to = from): TurnEvent[] {
  return Array.from({ length: to - from + 1 }, (_, index) => delta(from + index));
}

function end(sequence: number): TurnEvent {
  return eventOf(sequence, {
    type: 'turn-done',
    status: 'COMPLETED',
    finishReason: 'ANSWERED',
    messageId: null,
    usage: noUsage,
    error: null,
  });
}

describe('TurnFeed', () => {
  let feed: TurnFeed;
  let calls: number;
  let leave: () => void;

  beforeEach(() => {
    feed = new TurnFeed();
    calls = 0;
    leave = feed.listen(ADDRESS, () => (calls += 1));
  });

  it('tells every listener of the turn, and nobody else', () => {
    let others = 0;
    let seconds = 0;
    feed.listen({ ...ADDRESS, turnId: newId() }, () => (others += 1));
    feed.listen(ADDRESS, () => (seconds += 1));
    feed.publish(TURN, deltas(1, 2));
    feed.publish(TURN, deltas(3));
    expect({ calls, seconds, others }).toEqual({ calls: 2, seconds: 2, others: 0 });
  });

  it('gives the next event by position, and says where there is none', () => {
    expect(feed.next(TURN, 0)).toBe('read-the-log');
    feed.publish(TURN, deltas(4, 6));
    expect(feed.next(TURN, 2)).toBe('read-the-log');
    expect([3, 4, 5].map((after) => feed.next(TURN, after))).toEqual(deltas(4, 6));
    expect(feed.next(TURN, 6)).toBe('wait');
    expect(feed.next(TURN, 1000)).toBe('read-the-log');
  });

  it('sends whoever has read further than was told to the log', () => {
    feed.publish(TURN, deltas(1, 3));
    expect(feed.next(TURN, 5)).toBe('read-the-log');
  });

  it('sends whoever stands at or beyond the end of the turn to the log', () => {
    feed.publish(TURN, [delta(1), end(2)]);
    expect(feed.next(TURN, 1)).toEqual(end(2));
    expect(feed.next(TURN, 2)).toBe('read-the-log');
    expect(feed.next(TURN, 1000)).toBe('read-the-log');
  });

  it('shows no event over a gap', () => {
    feed.publish(TURN, deltas(1, 2));
    feed.publish(TURN, deltas(5));
    expect(feed.next(TURN, 2)).toBe('read-the-log');
    expect(feed.next(TURN, 4)).toEqual(delta(5));
  });

  it('is not thrown back by a commit that is told after a later one', () => {
    feed.publish(TURN, deltas(1, 4));
    feed.publish(TURN, [delta(6), end(7)]);
    feed.publish(TURN, deltas(5));
    expect(calls).toBe(2);
    expect(feed.next(TURN, 4)).toBe('read-the-log');
    expect(feed.next(TURN, 5)).toEqual(delta(6));
    expect(feed.next(TURN, 6)).toEqual(end(7));
  });

  it('takes of what it knows in part only what is new', () => {
    feed.publish(TURN, deltas(1, 3));
    feed.publish(TURN, deltas(2, 5));
    expect([0, 1, 2, 3, 4].map((after) => feed.next(TURN, after))).toEqual(deltas(1, 5));
  });

  it('keeps 32 events at hand beside the newest', () => {
    feed.publish(TURN, deltas(1, 30));
    feed.publish(TURN, deltas(31, 50));
    expect(feed.next(TURN, 0)).toEqual(delta(1));
    feed.publish(TURN, deltas(51, 300));
    expect(feed.next(TURN, 17)).toBe('read-the-log');
    expect(feed.next(TURN, 18)).toEqual(delta(19));
    expect(feed.next(TURN, 299)).toEqual(delta(300));
    for (let sequence = 301; sequence <= 400; sequence += 1) feed.publish(TURN, [delta(sequence)]);
    expect(feed.next(TURN, 366)).toBe('read-the-log');
    expect(feed.next(TURN, 367)).toEqual(delta(368));
  });

  it('sends its listeners to the log when that may hold more', () => {
    feed.publish(TURN, deltas(1, 3));
    feed.invalidate(TURN);
    expect(calls).toBe(2);
    expect(feed.next(TURN, 3)).toBe('read-the-log');
    feed.publish(TURN, deltas(6));
    expect(feed.next(TURN, 3)).toBe('read-the-log');
    expect(feed.next(TURN, 5)).toEqual(delta(6));
  });

  it('lets nobody wait before the log was read as far as it is known to go', () => {
    feed.publish(TURN, deltas(1, 3));
    feed.announceLength(TURN, 5);
    expect(calls).toBe(2);
    expect([1, 2].map((after) => feed.next(TURN, after))).toEqual(deltas(2, 3));
    expect(feed.next(TURN, 3)).toBe('read-the-log');
    feed.announceLength(TURN, 4);
    feed.publish(TURN, deltas(4));
    expect(feed.next(TURN, 4)).toBe('read-the-log');
    feed.publish(TURN, deltas(5));
    expect(feed.next(TURN, 5)).toBe('wait');
  });

  describe('shows what one listener has read', () => {
    it('to the others', () => {
      const show = feed.beginReading(TURN);
      show(deltas(1, 2));
      expect(calls).toBe(1);
      expect(feed.next(TURN, 1)).toEqual(delta(2));
    });

    it('not when they were told to look again meanwhile, as it may be older than what they look for', () => {
      const show = feed.beginReading(TURN);
      feed.invalidate(TURN);
      show(deltas(1, 2));
      expect(feed.next(TURN, 2)).toBe('read-the-log');
    });

    it('not to those who have come since all had left', () => {
      const show = feed.beginReading(TURN);
      leave();
      feed.listen(ADDRESS, () => undefined);
      show(deltas(1, 2));
      expect(feed.next(TURN, 2)).toBe('read-the-log');
    });

    it('to nobody when nobody listens', () => {
      leave();
      feed.beginReading(TURN)(deltas(1, 2));
      expect(feed.size).toBe(0);
    });
  });

  it('knows where what is at hand ends, and who is behind a number', () => {
    const other = newId();
    expect([feed.position(TURN), feed.position(other)]).toEqual([null, null]);
    expect([feed.hasListenersBehind(TURN, 1), feed.hasListenersBehind(other, 1)]).toEqual([true, false]);
    feed.publish(TURN, deltas(1, 3));
    expect(feed.position(TURN)).toEqual({ ...ADDRESS, after: 3 });
    expect([3, 4].map((sequence) => feed.hasListenersBehind(TURN, sequence))).toEqual([false, true]);
    feed.invalidate(TURN);
    expect(feed.position(TURN)).toBeNull();
    expect(feed.hasListenersBehind(TURN, 3)).toBe(true);
  });

  it('sends the listeners of all turns to the log after a gap', () => {
    const another = { ...ADDRESS, turnId: newId() };
    let others = 0;
    feed.listen(another, () => (others += 1));
    feed.publish(TURN, deltas(1));
    feed.publish(another.turnId, deltas(1));
    feed.invalidateAll();
    expect({ calls, others }).toEqual({ calls: 2, others: 2 });
    expect([TURN, another.turnId].map((turnId) => feed.next(turnId, 1))).toEqual([
      'read-the-log',
      'read-the-log',
    ]);
  });

  it('forgets a turn with its last listener', () => {
    const leaveToo = feed.listen(ADDRESS, () => undefined);
    feed.publish(TURN, deltas(1));
    leave();
    leave();
    expect(feed.size).toBe(1);
    expect(feed.next(TURN, 0)).toEqual(delta(1));
    leaveToo();
    expect(feed.size).toBe(0);
    expect(feed.next(TURN, 0)).toBe('read-the-log');
    feed.publish(TURN, deltas(2));
    feed.invalidate(TURN);
    feed.announceLength(TURN, 2);
    expect({ calls, size: feed.size }).toEqual({ calls: 1, size: 0 });
  });

  it('does not let somebody who leaves twice take the next one’s place', () => {
    leave();
    feed.listen(ADDRESS, () => undefined);
    leave();
    expect(feed.size).toBe(1);
  });

  it('lets a listener leave, or another come, while it is told', () => {
    const heard: string[] = [];
    const leaveSelf = feed.listen(ADDRESS, () => {
      heard.push('leaver');
      leaveSelf();
    });
    feed.listen(ADDRESS, () => heard.push('stayer'));
    feed.publish(TURN, deltas(1));
    feed.publish(TURN, deltas(2));
    expect(heard).toEqual(['leaver', 'stayer', 'stayer']);
  });

  it('keeps what comes of a turn that is run here, and only for who has asked', () => {
    leave();
    const release = feed.keep(ADDRESS, 'awa');
    feed.publish(TURN, deltas(1, 2));
    const isAtHand = (after: number, companyId = ADDRESS.companyId, memberId = 'awa'): boolean =>
      feed.isAtHand({ companyId, turnId: TURN, after }, memberId);
    expect([isAtHand(0), isAtHand(2), isAtHand(3)]).toEqual([true, true, false]);
    expect([isAtHand(0, newId()), isAtHand(0, ADDRESS.companyId, 'koffi')]).toEqual([false, false]);
    feed.invalidate(TURN);
    expect(isAtHand(0)).toBe(false);
    expect(feed.hasListenersBehind(TURN, 9)).toBe(false);
    const leaveLast = feed.listen(ADDRESS, () => undefined);
    release();
    expect([isAtHand(2), feed.size]).toEqual([false, 1]);
    leaveLast();
    expect(feed.size).toBe(0);
  });
});
