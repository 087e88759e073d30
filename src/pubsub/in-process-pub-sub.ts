import { EventEmitter } from 'node:events';

import { PubSub } from './pub-sub.js';

/** PubSub within one process: all there is to it when the database is embedded. */
export class InProcessPubSub extends PubSub {
  private readonly emitter = new EventEmitter().setMaxListeners(0);

  override publish(topic: string, payload: string): void {
    this.emitter.emit(topic, payload);
  }

  override subscribe(topic: string, listener: (payload: string) => void): () => void {
    this.emitter.on(topic, listener);
    return () => this.emitter.off(topic, listener);
  }
}
