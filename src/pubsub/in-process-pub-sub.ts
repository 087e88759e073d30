import type { Logger } from '../common/process/logger.js';
import type { Transaction } from '../database/transaction.js';
import { Listeners } from './listeners.js';
import { type Listening, PubSub } from './pub-sub.js';

/** PubSub within one process: all there is to it when the database is embedded. */
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

  /** There is no other replica whose hints could be lost. */
  override onGap(): () => void {
    return () => undefined;
  }

  override get listening(): Listening {
    return { state: 'not needed' };
  }
}
