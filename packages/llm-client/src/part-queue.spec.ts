import type { ChatPart } from './chat-model.js';
import { PartQueue } from './part-queue.js';

function part(text: string): ChatPart {
  return { type: 'text', text };
}
function item(text: string) {
  return { done: false, value: part(text) };
}
const over = { done: true, value: undefined };

function queueOf() {
  const source = { open: vi.fn<() => void>(), close: vi.fn<() => void>(), drained: vi.fn<() => void>() };
  return { source, queue: new PartQueue(source) };
}

describe('PartQueue', () => {
  it('opens its source with the first next, once', async () => {
    const { source, queue } = queueOf();
    expect(source.open).not.toHaveBeenCalled();
    const waiting = [queue.next(), queue.next()];
    queue.push(part('a'));
    queue.push(part('b'));
    expect(await Promise.all(waiting)).toEqual([item('a'), item('b')]);
    expect(source.open).toHaveBeenCalledTimes(1);
  });

  it('gives out what came before the end, then the end', async () => {
    const { source, queue } = queueOf();
    const first = queue.next();
    for (const text of ['a', 'b', 'c']) queue.push(part(text));
    queue.end();
    queue.push(part('too late'));
    // Waiting text is joined.
    expect([await first, await queue.next(), await queue.next()]).toEqual([item('a'), item('bc'), over]);
    expect(source.close).toHaveBeenCalledTimes(1);
  });

  it('gives out what came before a failure, then the failure once', async () => {
    const { queue } = queueOf();
    const first = queue.next();
    queue.push(part('a'));
    queue.push(part('b'));
    queue.fail(new Error('broken'));
    expect([await first, await queue.next()]).toEqual([item('a'), item('b')]);
    await expect(queue.next()).rejects.toThrow('broken');
    expect(await queue.next()).toEqual(over);
  });

  it('drops what waits when it is aborted', async () => {
    const { queue } = queueOf();
    await Promise.all([queue.next(), Promise.resolve().then(() => queue.push(part('a')))]);
    queue.push(part('b'));
    queue.fail(new Error('aborted'), { dropParts: true });
    await expect(queue.next()).rejects.toThrow('aborted');
  });

  it('ends at once for a reader that leaves, also while it waits', async () => {
    const { source, queue } = queueOf();
    const waiting = queue.next();
    expect(await queue.return()).toEqual(over);
    expect(await waiting).toEqual(over);
    queue.fail(new Error('nobody is there'));
    expect(await queue.next()).toEqual(over);
    expect(source.close).toHaveBeenCalledTimes(1);
  });

  it('gives nothing more to a reader that has left, neither parts nor a failure', async () => {
    const { queue } = queueOf();
    const first = queue.next();
    for (const text of ['a', 'b', 'c']) queue.push(part(text));
    queue.fail(new Error('broken'));
    await first;
    await queue.return();
    expect([await queue.next(), await queue.next()]).toEqual([over, over]);
  });

  it('says when the reader has caught up', async () => {
    const { source, queue } = queueOf();
    const first = queue.next();
    const thought: ChatPart = { type: 'reasoning', text: 'Hm' };
    for (const each of [part('a'), part('b'), thought, part('c')]) queue.push(each);
    await first;
    await queue.next();
    expect(await queue.next()).toEqual({ done: false, value: thought });
    expect([queue.lag, source.drained.mock.calls.length]).toEqual([3, 0]);
    await queue.next();
    expect([queue.lag, source.drained.mock.calls.length]).toEqual([0, 1]);
  });

  describe('with a sink', () => {
    function sinkOf() {
      const taken: string[] = [];
      const sink = { isReady: true, take: (text: string) => void taken.push(text) };
      const source = { open: () => undefined, close: () => undefined };
      return { taken, sink, queue: new PartQueue(source, sink) };
    }

    it('gives text to it while the reader waits, all that came at once together', async () => {
      const { taken, queue } = sinkOf();
      const next = queue.next();
      queue.push(part('a'));
      queue.push(part('b'));
      await Promise.resolve();
      queue.push(part('c'));
      queue.end();
      expect([taken, await next]).toEqual([['ab', 'c'], over]);
    });

    it('keeps the order: text goes over before any other part does', async () => {
      const { taken, queue } = sinkOf();
      const next = queue.next();
      queue.push(part('a'));
      queue.push({ type: 'retraction' });
      expect(taken).toEqual(['a']);
      // The reader is busy, so new parts must wait.
      queue.push(part('b'));
      await next;
      expect([taken, await queue.next()]).toEqual([['a'], item('b')]);
    });

    it('gives the reader what the sink is not ready for', async () => {
      const { taken, sink, queue } = sinkOf();
      sink.isReady = false;
      const next = queue.next();
      queue.push(part('a'));
      sink.isReady = true;
      queue.push(part('b'));
      expect([await next, await queue.next(), taken]).toEqual([item('a'), item('b'), []]);
    });

    it('gives it nothing more of a call that was aborted, and all of one that failed', async () => {
      const { taken, queue } = sinkOf();
      const next = queue.next();
      queue.push(part('a'));
      queue.fail(new Error('aborted'), { dropParts: true });
      await expect(next).rejects.toThrow('aborted');
      expect(taken).toEqual([]);
      const other = sinkOf();
      const failed = other.queue.next();
      other.queue.push(part('a'));
      other.queue.fail(new Error('broken'));
      await expect(failed).rejects.toThrow('broken');
      expect(other.taken).toEqual(['a']);
    });
  });
});
