import { Transaction } from '../platform/database/transaction.js';
import { type Listening, PubSub } from '../platform/pubsub/pub-sub.js';
import { SkillChanges } from './skill-sources.service.js';

/** Hints as another replica would hear them, and the gaps in between. */
class HeardPubSub extends PubSub {
  readonly listeners = new Map<string, Set<(payload: string) => void>>();
  readonly gaps = new Set<() => void>();

  override async publish(tx: Transaction, topic: string, payload: string): Promise<void> {
    tx.afterCommit(() => this.tell(topic, payload));
  }

  override async publishToOthers(): Promise<void> {}

  override subscribe(topic: string, listener: (payload: string) => void): () => void {
    const listeners = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  override onGap(listener: () => void): () => void {
    this.gaps.add(listener);
    return () => this.gaps.delete(listener);
  }

  override listening: Listening = { state: 'ok' };

  tell(topic: string, payload: string): void {
    for (const listener of this.listeners.get(topic) ?? []) listener(payload);
  }
}

function start() {
  const pubSub = new HeardPubSub();
  const changes = new SkillChanges(pubSub);
  /** A change in a transaction, as it ends. */
  const change = async (companyId: string, ending: 'committed' | 'rolled back' = 'committed') => {
    const tx = new Transaction(companyId, {} as never);
    await changes.announce(tx);
    if (ending === 'committed') tx.runAfterCommit();
  };
  return { pubSub, changes, change };
}

describe('the state of a company’s skills', () => {
  it('is the same as long as nothing is heard', () => {
    const { changes } = start();
    expect(changes.stateOf('a')).toBe(changes.stateOf('a'));
  });

  it('is another after each change of theirs, and of theirs alone', async () => {
    const { changes, change } = start();
    const seen = [changes.stateOf('a')];
    const other = changes.stateOf('b');
    for (let times = 0; times < 3; times += 1) {
      await change('a');
      seen.push(changes.stateOf('a'));
    }
    expect(new Set(seen).size).toBe(4);
    expect(changes.stateOf('b')).toBe(other);
  });

  it('is what it was when the change was not committed', async () => {
    const { changes, change } = start();
    const before = changes.stateOf('a');
    await change('a', 'rolled back');
    expect(changes.stateOf('a')).toBe(before);
  });

  it('is another for everybody when hints may have been missed', async () => {
    const { pubSub, changes, change } = start();
    await change('a');
    const before = [changes.stateOf('a'), changes.stateOf('b')];
    for (const gap of pubSub.gaps) gap();
    const after = [changes.stateOf('a'), changes.stateOf('b')];
    expect(before).not.toContain(after[0]);
    expect(before).not.toContain(after[1]);
    await change('b');
    expect([...before, ...after]).not.toContain(changes.stateOf('b'));
    expect(changes.stateOf('a')).toBe(after[0]);
  });

  it('never comes back to what it was, also for one of which nothing was heard for long', async () => {
    const { changes, change } = start();
    await change('a');
    const before = changes.stateOf('a');
    for (let other = 0; other < 10_001; other += 1) await change(`other ${other}`);
    const forgotten = changes.stateOf('a');
    expect(forgotten).not.toBe(before);
    await change('a');
    expect([before, forgotten]).not.toContain(changes.stateOf('a'));
  });

  it('is another each time while nothing can be heard', () => {
    const { pubSub, changes } = start();
    const before = changes.stateOf('a');
    pubSub.listening = { state: 'lost', forMs: 1 };
    const during = [changes.stateOf('a'), changes.stateOf('a')];
    expect(new Set([before, ...during]).size).toBe(3);
    pubSub.listening = { state: 'ok' };
    for (const gap of pubSub.gaps) gap();
    const after = changes.stateOf('a');
    expect([before, ...during]).not.toContain(after);
    expect(changes.stateOf('a')).toBe(after);
  });

  it('is not listened for any more once the application has ended', () => {
    const { pubSub, changes } = start();
    changes.onApplicationShutdown();
    expect([...pubSub.listeners.values()].map(({ size }) => size)).toEqual([0]);
    expect(pubSub.gaps.size).toBe(0);
  });
});
