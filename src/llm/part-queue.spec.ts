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
    // Text that had to wait goes together.
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
});
