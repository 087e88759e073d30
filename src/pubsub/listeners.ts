import type { Logger } from '../common/process/logger.js';

export type Listener = (payload: string) => void;

/** Who listens to what in this process. A listener that throws is logged, and keeps nothing from the others. */
export class Listeners {
  private readonly byTopic = new Map<string, Set<{ listener: Listener }>>();

  constructor(private readonly logger: Logger) {}

  /** The returned function takes the listener away again; a second time it does nothing. */
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
    // As they are now: one that goes and comes back meanwhile is not told twice.
    const told = Array.from(this.byTopic.get(topic) ?? []);
    for (const { listener } of told) {
      try {
        listener(payload);
      } catch (error) {
        this.logger.error({ err: error, topic }, 'a listener failed');
      }
    }
  }

  /** Topics that somebody listens to. */
  get topics(): number {
    return this.byTopic.size;
  }
}
