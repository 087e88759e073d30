import type { Logger } from '../../common/process/logger.js';
import type { Transaction } from '../database/transaction.js';
import { type Listening, PubSub } from './pub-sub.js';

type Listener = (payload: string) => void;

/** The listeners of this process, by topic. An error of a listener is logged and does not affect the others. */
export class Listeners {
  private readonly byTopic = new Map<string, Set<{ listener: Listener }>>();

  constructor(private readonly logger: Logger) {}

  /** The returned function removes the listener. A second call does nothing. */
  add(topic: string, listener: Listener): () => void {
    const own = { listener };
    const others = this.byTopic.get(topic);
    if (others) others.add(own);
    else this.byTopic.set(topic, new Set([own]));
    return () => {
      const left = this.byTopic.get(topic);
      if (left?.delete(own) && left.size === 0) this.byTopic.delete(topic);
    };
  }

  tell(topic: string, payload: string): void {
    // A copy: a listener that is removed and added again meanwhile must not be called twice.
    const current = Array.from(this.byTopic.get(topic) ?? []);
    for (const { listener } of current) {
      try {
        listener(payload);
      } catch (error) {
        this.logger.error({ err: error, topic }, 'a listener failed');
      }
    }
  }

  get topics(): number {
    return this.byTopic.size;
  }
}

/** PubSub within one process: enough for the embedded database. */
export class InProcessPubSub extends PubSub {
  private readonly listeners: Listeners;

  constructor(logger: Logger) {
    super();
    this.listeners = new Listeners(logger);
  }

  override async publish(tx: Transaction, topic: string, payload: string): Promise<void> {
    tx.afterCommit(() => this.listeners.tell(topic, payload));
  }

  override async publishToOthers(): Promise<void> {}

  override subscribe(topic: string, listener: (payload: string) => void): () => void {
    return this.listeners.add(topic, listener);
  }

  /** There are no other replicas, so no hints are lost. */
  override onGap(): () => void {
    return () => undefined;
  }

  override get listening(): Listening {
    return { state: 'not needed' };
  }
}
